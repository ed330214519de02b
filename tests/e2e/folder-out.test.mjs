// A folder for a static host, made on the page: as a .zip, and written into a folder that the user chose (one of the browser's
// own, whose handles are those of a disk's folders but for the permission).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { accessible, browser, cli, dist, pageTest } from './harness.mjs';
import { detail, figures, line, open, rows, selected, started, state } from './page.mjs';
import { SECRETS, holdsNone, review, secretLog, ways } from './share.mjs';
import { serve } from './server.mjs';

const LOG = { name: 'run.jsonl', text: secretLog() };
const OTHER = { name: 'öther run.log', text: LOG.text.replaceAll('ses_5ecre7s', 'ses_0ther') };
const folder = mkdtempSync(join(tmpdir(), 'steplens-folder-'));
after(() => rmSync(folder, { recursive: true }));

/** Opens logs and goes to the way. */
async function way(page, logs) {
  await started(page);
  await open(page, logs);
  await rows(page).first().waitFor();
}

/** Goes through the review to the way. */
async function toFolder(page) {
  const box = await review(page);
  await ways(page);
  await box.getByRole('button', { name: /^Folder for a static host/ }).click();
  await box.getByRole('heading', { name: 'Folder for a static host' }).waitFor();
  return box;
}

/** Saves the .zip, and unpacks it with another program. */
async function unzipped(page, box, name) {
  const download = page.waitForEvent('download');
  await box.getByRole('button', { name: /^Save .*\.zip/ }).click();
  const file = await download;
  const at = join(folder, name);
  mkdirSync(at);
  const zip = await file.path();
  execFileSync('python3', ['-m', 'zipfile', '-t', zip]);
  execFileSync('python3', ['-m', 'zipfile', '-e', zip, at]);
  return { at, name: file.suggestedFilename(), bytes: readFileSync(zip) };
}

/** The files of the viewer that this build puts up. */
const viewer = () => readFileSync(join(dist, 'viewer.txt'), 'utf8').trim().split('\n').map((line) => line.split(' ')[0]);

/** Has the page write into a folder of the browser's own instead of one that a user chose; `wrong` throws when it is written to. */
async function choosing(page, { name = 'site', wrong = null } = {}) {
  await page.evaluate(
    async ([name, wrong]) => {
      const root = await navigator.storage.getDirectory();
      const chosen = await root.getDirectoryHandle(name, { create: true });
      globalThis.showDirectoryPicker = async ({ mode }) => {
        if (mode !== 'readwrite') throw new TypeError(mode);
        return chosen;
      };
      const write = FileSystemFileHandle.prototype.createWritable;
      FileSystemFileHandle.prototype.createWritable = async function (...args) {
        if (this.name === wrong) throw new DOMException('the disk is full', 'QuotaExceededError');
        return write.apply(this, args);
      };
    },
    [name, wrong],
  );
}

/** The files of a folder of the browser's own, by their paths. */
async function written(page, name = 'site') {
  const files = await page.evaluate(async (name) => {
    const found = {};
    const walk = async (folder, before) => {
      for await (const [name, handle] of folder.entries()) {
        if (handle.kind === 'directory') await walk(handle, `${before}${name}/`);
        else {
          const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
          let text = '';
          for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
          found[before + name] = btoa(text);
        }
      }
    };
    await walk(await (await navigator.storage.getDirectory()).getDirectoryHandle(name), '');
    return found;
  }, name);
  return Object.fromEntries(Object.entries(files).map(([name, base64]) => [name, Buffer.from(base64, 'base64')]));
}

pageTest('a .zip of a site: the same bytes as the command line, the same run, the same event, no secret', async ({ page }) => {
  await way(page, LOG);
  await line(page, 5).click();
  await detail(page).getByRole('tabpanel').first().waitFor();
  const here = await figures(page);
  const box = await toFolder(page);
  const made = await unzipped(page, box, 'zip');
  assert.equal(made.name, 'run-site.zip');
  await box.getByText(/^run-site\.zip is saved: \d+ files, /).waitFor();
  holdsNone('the .zip', made.bytes);
  assert.deepEqual(readdirSync(made.at).sort(), ['index.html', 'logs', 'viewer']);
  assert.deepEqual(readdirSync(join(made.at, 'logs')), ['run.jsonl']);
  assert.deepEqual(readdirSync(join(made.at, 'viewer')).sort(), [...viewer(), 'viewer.txt'].sort());
  for (const name of [...viewer(), 'viewer.txt']) {
    assert.ok(readFileSync(join(made.at, 'viewer', name)).equals(readFileSync(join(dist, name))), name);
  }

  // As the command line makes it, of the same log.
  const [log, other] = [join(folder, LOG.name), join(folder, 'by-cli')];
  writeFileSync(log, LOG.text);
  execFileSync(cli, ['site', other, log, '--redact', '--quiet'], { env: { ...process.env, STEPLENS_VIEWER: dist } });
  for (const name of ['index.html', 'logs/run.jsonl']) {
    assert.equal(readFileSync(join(made.at, name), 'utf8'), readFileSync(join(other, name), 'utf8'), name);
  }

  const event = await box.getByLabel("The selected event, behind the site's address").inputValue();
  assert.equal(event, 'viewer/#v=1&log=../logs/run.jsonl&e=5.prt_0005');
  const host = await serve(made.at, { base: '/some/runs/' });
  const context = await (await browser()).newContext();
  try {
    const there = await context.newPage();
    await there.goto(host.url);
    assert.equal(await there.title(), 'Runs');
    assert.equal(await there.locator('tbody tr').first().locator('[data-name=Cost]').textContent(), '$0.0125 reported');
    await there.getByRole('link', { name: 'run.jsonl' }).click();
    await state(there, 'ready');
    await rows(there).first().waitFor();
    assert.deepEqual(await figures(there), here);
    await there.goto('about:blank');
    await there.goto(host.url + event);
    await selected(there).waitFor();
    assert.equal(await selected(there).getAttribute('data-line'), '5');
    holdsNone('the page', await there.content());
    // That viewer makes the next folder.
    const again = await unzipped(there, await toFolder(there), 'again');
    assert.ok(again.bytes.length > 0 && readdirSync(join(again.at, 'viewer')).length === viewer().length + 1);
  } finally {
    await context.close();
    await host.close();
  }
});

pageTest('several logs, a title, and a name that holds a secret', async ({ page }) => {
  const named = { name: `${SECRETS['github-token']}.jsonl`, text: LOG.text };
  await way(page, [named, OTHER]);
  const box = await toFolder(page);
  await box.getByLabel('Title of the index').fill('Nightly <b>runs</b>');
  const made = await unzipped(page, box, 'several');
  holdsNone('the .zip', made.bytes);
  assert.equal(made.name, 'log-1-and-1-more-site.zip');
  assert.deepEqual(readdirSync(join(made.at, 'logs')).sort(), ['_ther_run.log', 'log-1.jsonl']);
  const index = readFileSync(join(made.at, 'index.html'), 'utf8');
  assert.match(index, /<h1>Nightly &#60;b&#62;runs&#60;\/b&#62;<\/h1>/);
  assert.equal(index.match(/<tr>\n<th scope="row">/g).length, 2);
  assert.match(index, /<a href="viewer\/#v=1&#38;log=\.\.\/logs\/_ther_run\.log">_ther_run\.log<\/a>/);

  // A title that holds what is masked stays behind.
  await box.getByLabel('Title of the index').fill(`by ${SECRETS.email}`);
  const bare = await unzipped(page, box, 'bare');
  await box.getByText('The title holds something that is masked, and does not go along: the index is called Runs.').waitFor();
  holdsNone('the .zip', bare.bytes);
  assert.match(readFileSync(join(bare.at, 'index.html'), 'utf8'), /<title>Runs<\/title>/);
});

pageTest('the Export menu leads to it', async ({ page }) => {
  await way(page, LOG);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('button', { name: /^Folder/ }).click();
  await page.getByRole('dialog', { name: 'Share this run' }).waitFor();
});

pageTest('into a folder: an empty one, a site that goes when asked, and what is kept', async ({ page }) => {
  await way(page, LOG);
  await choosing(page);
  const box = await toFolder(page);
  const write = box.getByRole('button', { name: 'Write into a folder …' });
  await write.click();
  await box.getByText(/were written into site: put the folder on the host\.$/).waitFor();
  const first = await written(page);
  assert.deepEqual(Object.keys(first).filter((name) => !name.startsWith('viewer/')).sort(), ['index.html', 'logs/run.jsonl']);
  assert.equal(Object.keys(first).length, viewer().length + 3);
  for (const [name, bytes] of Object.entries(first)) holdsNone(name, bytes);
  assert.match(first['logs/run.jsonl'].toString(), /\[REDACTED:github-token\]/);

  // A log of before goes with the site, and something else stays.
  await page.evaluate(async () => {
    const site = await (await navigator.storage.getDirectory()).getDirectoryHandle('site');
    for (const [folder, name] of [[await site.getDirectoryHandle('logs'), 'old.jsonl'], [site, 'CNAME']]) {
      const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await stream.write('before');
      await stream.close();
    }
  });
  await write.click();
  await box.getByText('site holds a site that Steplens made.').waitFor();
  await accessible(page);
  await box.getByRole('button', { name: 'Keep it' }).click();
  assert.ok('logs/old.jsonl' in (await written(page)), 'nothing was touched');
  await write.click();
  await box.getByRole('button', { name: 'Replace the site' }).click();
  await box.getByText(/were written into site/).waitFor();
  const second = await written(page);
  assert.deepEqual(Object.keys(second).sort(), [...Object.keys(first), 'CNAME'].sort());
  assert.equal(second.CNAME.toString(), 'before');

  // A page of somebody else is never overwritten.
  await page.evaluate(async () => {
    const other = await (await navigator.storage.getDirectory()).getDirectoryHandle('other', { create: true });
    const stream = await (await other.getFileHandle('index.html', { create: true })).createWritable();
    await stream.write('<p>mine');
    await stream.close();
  });
  await choosing(page, { name: 'other' });
  await write.click();
  await box.getByText('other holds something else than a site that Steplens made, and is kept as it is: choose an empty folder.').waitFor();
  assert.deepEqual(Object.keys(await written(page, 'other')), ['index.html']);
});

pageTest('a disk that refuses: where it failed, and what was written', async ({ page }) => {
  await way(page, LOG);
  await choosing(page, { wrong: 'icon.svg' });
  const box = await toFolder(page);
  await box.getByRole('button', { name: 'Write into a folder …' }).click();
  const said = await box.getByRole('alert').innerText();
  const [, count] = said.match(/^viewer\/icon\.svg could not be written into site \(QuotaExceededError\)\. (\d+) of \d+ files were written, and there is no index\.html: the folder is no site yet\.$/) ?? [];
  assert.ok(count, said);
  const there = Object.keys(await written(page));
  assert.equal(there.filter((name) => name !== 'viewer/icon.svg').length, Number(count));
  assert.ok(!there.includes('index.html'));
  // A permission that is refused.
  await page.evaluate(() => {
    globalThis.showDirectoryPicker = () => Promise.reject(new DOMException('no', 'SecurityError'));
  });
  await box.getByRole('button', { name: 'Write into a folder …' }).click();
  await box.getByText('The browser does not let this page write into that folder (SecurityError). Nothing was written.').waitFor();
});

const damaged = join(folder, 'damaged');
for (const [what, harm, wanted] of [
  ['a file that is missing', (at) => rmSync(join(at, 'icon.svg')), 'This site lacks icon.svg, a file of the viewer.'],
  ['a file of another version', (at) => writeFileSync(join(at, 'icon.svg'), '<svg/>'), 'icon.svg, a file of the viewer, is on this site of another version: reload the page.'],
  ['no list', (at) => rmSync(join(at, 'viewer.txt')), 'This site lacks viewer.txt, the list of the viewer’s files'],
]) {
  pageTest(`what the site lacks is said: ${what}`, { path: null, allow: [/^foreign request/, /404/, /integrity/, /icon\.svg/] }, async ({ page }) => {
    rmSync(damaged, { recursive: true, force: true });
    cpSync(dist, damaged, { recursive: true });
    const site = await serve(damaged);
    try {
      await page.goto(site.url);
      await way(page, LOG);
      harm(damaged);
      const box = await toFolder(page);
      await box.getByRole('button', { name: /^Save .*\.zip/ }).click();
      const said = await box.getByRole('alert').innerText();
      assert.ok(said.startsWith(`The folder was not made: ${wanted.replace('’', "'")}`), said);
    } finally {
      await site.close();
    }
  });
}

for (const colorScheme of ['light', 'dark']) {
  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    pageTest(`axe: a folder for a static host, ${colorScheme}, ${viewport.width}`, { context: { colorScheme, viewport } }, async ({ page }) => {
      await way(page, LOG);
      await choosing(page);
      const box = await toFolder(page);
      await accessible(page);
      await box.getByRole('button', { name: 'Write into a folder …' }).click();
      await box.getByText(/were written into site/).waitFor();
      await accessible(page);
      const wide = await box.evaluate((box) => box.scrollWidth - box.clientWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
    });
  }
}
