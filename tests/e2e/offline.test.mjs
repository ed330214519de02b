// The service worker: the page opens without its server, a new version is offered, and old and new never mix.
// Needs a built page as it is shipped: a release build, or `STEPLENS_SHIP=1 trunk build`.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { accessible, dist, fixture, pageTest } from './harness.mjs';
import { figures, figuresOf, open, openSample, started, state, summary } from './page.mjs';
import { serve } from './server.mjs';

const LOG = fixture('step_stream/case_bad_lines.jsonl');

/** Waits until the page's files are kept. */
async function kept(page) {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}

pageTest('after one visit the page opens without its server, and reads a log', async ({ page, context, site }) => {
  await started(page);
  await kept(page);
  await page.close();
  await site.close();
  const again = await context.newPage();
  await again.goto(`${site.url}?x=1#v=1&tab=tools`);
  await started(again);
  await open(again, LOG);
  assert.deepEqual(await figures(again), figuresOf(summary(LOG)));
});

pageTest('the first visit says nothing of a new version', async ({ page }) => {
  await started(page);
  await kept(page);
  await page.reload();
  await started(page);
  assert.equal(await page.locator('html[data-renewal]').count(), 0);
});

/** A copy of the page that can be built anew. */
function copy() {
  const folder = mkdtempSync(join(tmpdir(), 'steplens-offline-'));
  cpSync(dist, folder, { recursive: true });
  after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Does what a new build does: other names for what is in it, and none of the old files. */
function rebuild(folder) {
  const edit = (name, change) => writeFileSync(join(folder, name), change(readFileSync(join(folder, name), 'utf8')));
  for (const name of readdirSync(folder)) {
    const id = /^(?:app|worker)-(\w{16})(?:_bg)?\.(?:js|wasm)$/.exec(name)?.[1];
    if (!id) continue;
    const renamed = name.replace(id, [...id].reverse().join(''));
    renameSync(join(folder, name), join(folder, renamed));
    for (const file of ['index.html', 'sw.js']) edit(file, (text) => text.replaceAll(name, renamed));
  }
  edit('index.html', (text) => text.replace('<html ', '<html data-build="new" '));
  edit('sw.js', (text) => text.replace(/VERSION = "\w+"/, 'VERSION = "0123456789abcdef"'));
}

/** A test with a copy of the page, whose `url` stays while it is built anew. */
function copyTest(name, body) {
  pageTest(name, { path: null, allow: [/^foreign request/, /status 404/, /404 \(Not Found\)/] }, async ({ context, requests }) => {
    const folder = copy();
    const site = await serve(folder);
    try {
      const page = await context.newPage();
      await page.goto(site.url);
      await started(page);
      await kept(page);
      await page.reload();
      await started(page);
      await body({ page, context, site, folder, requests });
      const elsewhere = requests.filter((url) => !url.startsWith(site.origin) && !/^(blob|data):/.test(url));
      assert.deepEqual(elsewhere, []);
    } finally {
      await site.close();
    }
  });
}

const notice = (page) => page.getByRole('status').filter({ hasText: 'A new version is there.' });

copyTest('after a new build the old page says so, works on, and becomes the new one when it is wanted', async ({ page, site, folder }) => {
  const old = await page.locator('meta[name=steplens-worker]').getAttribute('data-js');
  rebuild(folder);
  await page.reload();
  await started(page);
  await notice(page).waitFor();
  // Old page, old worker, whose files the server does not have any more.
  assert.equal(await page.locator('html[data-build=new]').count(), 0);
  assert.equal(await page.locator('meta[name=steplens-worker]').getAttribute('data-js'), old);
  await openSample(page);
  await notice(page).getByText('Reloading closes the log.').waitFor();
  await accessible(page);
  await notice(page).getByRole('button', { name: 'Reload' }).click();
  await page.locator('html[data-build=new]').waitFor();
  await started(page);
  assert.notEqual(await page.locator('meta[name=steplens-worker]').getAttribute('data-js'), old);
  await openSample(page);
  assert.equal(await notice(page).count(), 0);
  await site.close();
  await page.reload();
  await page.locator('html[data-build=new]').waitFor();
  await started(page);
});

copyTest('another tab of the old version goes on with its own files', async ({ page, context, site, folder }) => {
  const other = await context.newPage();
  await other.goto(site.url);
  await started(other);
  await openSample(other);
  rebuild(folder);
  await page.reload();
  await notice(page).getByRole('button', { name: 'Reload' }).click();
  await page.locator('html[data-build=new]').waitFor();
  await started(page);
  // It was not reloaded: its log is open, and its worker answers.
  await notice(other).waitFor();
  assert.equal(await other.locator('html[data-build=new]').count(), 0);
  await other.getByRole('searchbox', { name: 'Search events' }).fill('retry');
  await other.getByText(/hits?$/).first().waitFor();
  await notice(other).getByRole('button', { name: 'Later' }).click();
  assert.equal(await notice(other).count(), 0);
  await state(other, 'ready');
});

pageTest('files that the system opens with the page', { path: null }, async ({ page, site }) => {
  await page.addInitScript(() => {
    const queue = { setConsumer: (consumer) => (globalThis.launch = consumer) };
    Object.defineProperty(globalThis, 'launchQueue', { value: queue });
  });
  await page.goto(site.url);
  await started(page);
  const manifest = await page.evaluate(() => fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json()));
  const [handler] = manifest.file_handlers;
  assert.deepEqual(Object.values(handler.accept).flat().sort(), ['.gz', '.json', '.jsonl', '.log', '.ndjson', '.zst']);
  for (const { src } of manifest.icons) {
    assert.equal(await page.evaluate((src) => fetch(src).then((answer) => answer.status), src), 200);
  }
  await page.evaluate((text) => {
    const handle = { kind: 'file', name: 'opened.jsonl', getFile: async () => new File([text], 'opened.jsonl') };
    globalThis.launch({ files: [handle] });
  }, readFileSync(LOG, 'utf8'));
  await state(page, 'ready');
  assert.equal(await page.title(), 'opened.jsonl – Steplens');
});
