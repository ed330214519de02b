// Folders, dropped and chosen.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fixture, pageTest } from './harness.mjs';
import { figures, figuresOf, state, summary, tab } from './page.mjs';

/** Writes an export as a storage tree below a folder; the paths of its files. */
function layOut(folder, { info, messages }) {
  const files = { [`storage/session/prj/${info.id}.json`]: info, [`storage/todo/${info.id}.json`]: [] };
  for (const message of messages) {
    files[`storage/message/${info.id}/${message.info.id}.json`] = message.info;
    for (const part of message.parts) files[`storage/part/${message.info.id}/${part.id}.json`] = part;
  }
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(value));
  }
  return Object.keys(files);
}

const EXPORT = JSON.parse(readFileSync(fixture('export/parent.json'), 'utf8'));

async function inFolder(body) {
  const folder = mkdtempSync(join(tmpdir(), 'steplens-'));
  try {
    await body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Drops a folder: entries as a browser hands them out, in two pieces. */
async function dropFolder(page, name, files) {
  await page.evaluate(
    ([name, files]) => {
      const entry = (path, node) =>
        typeof node === 'string'
          ? { isDirectory: false, fullPath: path, file: (done) => done(new File([node], path.split('/').pop())) }
          : {
              isDirectory: true,
              fullPath: path,
              createReader() {
                const all = Object.entries(node).map(([name, child]) => entry(`${path}/${name}`, child));
                return { readEntries: (done) => done(all.splice(0, Math.max(1, Math.ceil(all.length / 2)))) };
              },
            };
      const root = {};
      for (const [path, text] of Object.entries(files)) {
        const parts = path.split('/');
        const file = parts.pop();
        parts.reduce((node, part) => (node[part] ??= {}), root)[file] = text;
      }
      const event = new DragEvent('drop', { bubbles: true, cancelable: true });
      const items = [{ kind: 'file', webkitGetAsEntry: () => entry(`/${name}`, root) }];
      Object.defineProperty(event, 'dataTransfer', { value: { items, files: [], types: ['Files'], getData: () => '' } });
      document.body.dispatchEvent(event);
    },
    [name, files],
  );
}

pageTest('a dropped storage tree is the run of the command line', async ({ page }) => {
  await inFolder(async (folder) => {
    const files = Object.fromEntries(layOut(folder, EXPORT).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
    await state(page, 'empty');
    await dropFolder(page, 'opencode', files);
    await state(page, 'ready');
    assert.deepEqual(await figures(page), figuresOf(summary(folder)));
    await page.getByRole('status').getByText('1 file beside the storage tree is no part of a run').waitFor();
  });
});

pageTest('a chosen storage tree is read too', async ({ page }) => {
  await inFolder(async (folder) => {
    layOut(folder, EXPORT);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose a folder' }).click(),
    ]);
    await chooser.setFiles(folder);
    await state(page, 'ready');
    assert.deepEqual(await figures(page), figuresOf(summary(folder)));
  });
});

pageTest('of any other folder the logs are read, and the rest is said to be left out', async ({ page }) => {
  const logs = ['case_bash_table', 'case_green_but_failed'].map((name) => fixture(`step_stream/${name}.jsonl`));
  await state(page, 'empty');
  await dropFolder(page, 'runs', {
    'a.jsonl': readFileSync(logs[0], 'utf8'),
    'deep/er/b.jsonl': readFileSync(logs[1], 'utf8'),
    'README.md': '# runs',
    '.git/HEAD': 'ref: x',
  });
  await state(page, 'ready');
  assert.deepEqual(await figures(page), figuresOf(summary(...logs)));
  await tab(page, 'Files');
  const panel = page.getByRole('tabpanel', { name: /Files/ });
  await panel.getByText('Left out: 1 file that is no log').waitFor();
  await panel.getByText('runs/README.md').waitFor();
  await panel.getByText('runs/deep/er/b.jsonl').first().waitFor();
});

pageTest('an empty folder is said to be empty', async ({ page }) => {
  await state(page, 'empty');
  await dropFolder(page, 'nothing', {});
  await page.getByRole('status').getByText('There is no file in this folder.').waitFor();
});
