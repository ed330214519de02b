// The export menu: the files are those that the command line prints, to the last byte.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { accessible, cli, fixture, pageTest } from './harness.mjs';
import { open, rows, started, tab } from './page.mjs';

const SAMPLE = fileURLToPath(new URL('../../web/static/sample.jsonl', import.meta.url));
const print = (...args) => execFileSync(cli, [...args, '-q'], { maxBuffer: 1 << 28 });

/** Saves a file from the menu: its name and its bytes. */
async function saved(page, item) {
  const button = page.getByRole('dialog', { name: 'Export' }).getByRole('button', { name: new RegExp(`^${item}`) });
  if (!(await button.isVisible())) await page.getByRole('button', { name: 'Export', exact: true }).click();
  const download = page.waitForEvent('download');
  await button.click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

const LOGS = {
  sample: [SAMPLE],
  'bytes that are no UTF-8, and the like': [fixture('step_stream/case_bad_lines.jsonl')],
  'an export and its run': [fixture('export/parent.json'), fixture('export/run_cut.jsonl')],
};
for (const [what, files] of Object.entries(LOGS)) {
  pageTest(`exports equal the command line: ${what}`, async ({ page }) => {
    await started(page);
    await open(page, files);
    await rows(page).first().waitFor();
    const base = files[0].split('/').pop().replace(/\.jsonl?$/, '') + (files.length > 1 ? '-and-1-more' : '');
    for (const [item, args, end] of [
      ['Events', ['events'], 'events.jsonl'],
      ['Summary', ['summary', '--json'], 'summary.json'],
      ['Tools', ['summary', '--csv'], 'tools.csv'],
      ['Chrome trace', ['trace'], 'trace.json'],
    ]) {
      const { name, bytes } = await saved(page, item);
      assert.equal(name, `${base}.${end}`);
      assert.equal(bytes.toString(), print(...args, ...files).toString(), item);
    }
  });
}

pageTest('the name of a tool is no formula in a spreadsheet', async ({ page }) => {
  const call = (tool, n) => JSON.stringify({ type: 'tool_use', sessionID: 's', part: { id: `p${n}`, tool, state: { status: 'completed', input: {} } } });
  await started(page);
  await open(page, { name: 'odd.jsonl', text: ['=1+1', '@x', 'a,"b"'].map(call).join('\n') });
  await rows(page).first().waitFor();
  const { bytes } = await saved(page, 'Tools');
  const names = bytes.toString().split('\r\n').slice(1, 4).map((row) => row.replace(/(,\d*)+$/, ''));
  assert.deepEqual(names.sort(), ['"\'=1+1"', '"\'@x"', '"a,""b"""'].sort());
});

pageTest('nothing with a time: no trace, and the page says so', async ({ page }) => {
  await started(page);
  await open(page, { name: 'timeless.jsonl', text: '{"type":"text","sessionID":"s","part":{"id":"p","text":"x"}}\n' });
  await rows(page).first().waitFor();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('dialog', { name: 'Export' }).getByRole('button', { name: /^Chrome trace/ }).click();
  await page.getByText('timeless.trace.json was not made: nothing in these logs has a time').waitFor();
});

for (const colorScheme of ['light', 'dark']) {
  pageTest(`axe: export menu, ${colorScheme}`, { context: { colorScheme } }, async ({ page }) => {
    await started(page);
    await open(page, SAMPLE);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('dialog', { name: 'Export' }).waitFor();
    await accessible(page);
  });
}

pageTest('the transcript of the menu is that of the Messages tab', async ({ page }) => {
  await started(page);
  await open(page, fixture('export/parent.json'));
  await rows(page).first().waitFor();
  const { name, bytes } = await saved(page, 'Transcript');
  assert.equal(name, 'parent.md');
  await page.keyboard.press('Escape');
  await tab(page, 'Messages');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as Markdown' }).click();
  assert.equal(readFileSync(await (await download).path(), 'utf8'), bytes.toString());
});
