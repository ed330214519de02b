// The ways in: dropping, picking, pasting, the sample; and what is said of files that are no logs.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixture, pageTest } from './harness.mjs';
import { atFragment, detail, figures, fragment, line, list, open, openSample, rows, selected, started, state, summary } from './page.mjs';

const LOG = fixture('step_stream/case_green_but_failed.jsonl');

pageTest('the empty page says what it is and what it does not do', async ({ page }) => {
  await state(page, 'empty');
  await page.getByRole('region', { name: 'Drop a run log' }).waitFor();
  for (const name of ['Open files', 'Paste', 'Try a sample']) await page.getByRole('button', { name }).waitFor();
  await page.getByText('Your log stays in this tab: this page sends nothing').waitFor();
  await page.getByText('kilo run --format json "…" > run.jsonl', { exact: true }).waitFor();
  await page.getByText('opencode run --format json "…" > run.jsonl', { exact: true }).waitFor();
});

pageTest('a command is copied as it is', { context: { permissions: ['clipboard-read', 'clipboard-write'] } }, async ({ page }) => {
  await page.getByRole('button', { name: 'Copy the Kilo Code command' }).click();
  await page.getByText('Copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, 'kilo run --format json "…" > run.jsonl');
});

pageTest('a dropped file is read', async ({ page }) => {
  await open(page, LOG);
  assert.equal(await page.title(), 'case_green_but_failed.jsonl – Steplens');
  await rows(page).first().waitFor();
});

pageTest('a picked file is read, also the same one again', async ({ page }) => {
  await page.locator('input[type=file]').setInputFiles(LOG);
  await state(page, 'ready');
  await line(page, 2).or(rows(page).first()).first().click();
  await page.locator('input[type=file]').setInputFiles(LOG);
  await page.waitForFunction(() => !document.querySelector('.row[aria-selected=true]'));
  await state(page, 'ready');
});

pageTest('pasted text is read: from the dialog, and by the key', { context: { permissions: ['clipboard-read', 'clipboard-write'] } }, async ({ page }) => {
  const text = readFileSync(LOG, 'utf8');
  await page.getByRole('button', { name: 'Paste' }).click();
  await page.getByRole('textbox', { name: 'Run log' }).fill(text);
  await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
  await state(page, 'ready');
  const dialog = await figures(page);
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.reload();
  await started(page);
  await page.keyboard.press('Control+v');
  await state(page, 'ready');
  assert.deepEqual(await figures(page), dialog);
});

pageTest('the sample holds every kind of event', async ({ page }) => {
  await openSample(page);
  await page.setViewportSize({ width: 1440, height: 1600 });
  await page.waitForFunction(() => document.querySelectorAll('.row[data-line]').length === 33);
  const kinds = await rows(page).evaluateAll((rows) => [...new Set(rows.map((row) => row.dataset.kind))].sort());
  assert.deepEqual(kinds, ['agent', 'command', 'error', 'list', 'orchestration', 'read', 'reasoning', 'search', 'skill', 'unknown', 'write']);
  assert.equal(await page.locator('[data-verdict]').first().getAttribute('data-verdict'), 'completed');
});

pageTest('another file takes the place of the first, and nothing of it stays', async ({ page }) => {
  await openSample(page);
  await line(page, 19).click();
  await page.getByRole('searchbox', { name: 'Search events' }).fill('cargo');
  await atFragment(page, { q: 'cargo' });
  await open(page, LOG);
  assert.deepEqual(fragment(page), {});
  assert.equal(await selected(page).count(), 0);
  assert.equal(await page.getByRole('searchbox').inputValue(), '');
});

pageTest('several files at once are one run', async ({ page }) => {
  const files = ['step_stream/case_green_but_failed.jsonl', 'step_stream/case_bash_table.jsonl'].map(fixture);
  await open(page, files);
  const { calls, steps } = summary(...files).total;
  const found = await figures(page);
  assert.equal(found.calls, calls);
  assert.equal(found.steps, steps);
});

pageTest('what is no log is said to be none, with its first bytes', async ({ page }) => {
  await open(page, { name: 'photo.png', text: '\x89PNG\r\n' }, { expect: 'failed' });
  await page.getByRole('heading', { name: 'This is not a log that Steplens reads: photo.png' }).waitFor();
  await page.getByText('Run stream:').waitFor();
  assert.match(await page.getByLabel('First bytes').textContent(), /50 4e 47 0d 0a {2,}.*PNG··/);
  await page.getByRole('button', { name: 'Open files' }).waitFor();
  // The way on from here is open.
  await open(page, LOG);
});

pageTest('lines of something else can be looked at all the same', async ({ page }) => {
  await open(page, { name: 'other.txt', text: 'one\ntwo\n' }, { expect: 'failed' });
  await page.getByRole('button', { name: 'Show its lines as they are' }).click();
  await state(page, 'ready');
  await line(page, 2).click();
  await detail(page).getByRole('tab', { name: 'Raw' }).click();
  await detail(page).getByRole('tabpanel').getByText('two', { exact: true }).waitFor();
});

pageTest('an empty file is said to be empty, not to be wrong', async ({ page }) => {
  await open(page, { name: 'empty.jsonl', text: '' }, { expect: 'failed' });
  await page.getByRole('heading', { name: 'empty.jsonl is empty.' }).waitFor();
});

pageTest('a log that holds markup is text and nothing else', async ({ page, requests }) => {
  const nasty = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
  const record = (part) => JSON.stringify({ type: 'text', timestamp: 1767445000000, sessionID: nasty, part });
  await open(page, { name: '<b>x.jsonl', text: `${record({ id: nasty, type: 'text', text: `${nasty} http://evil.example/` })}\n` });
  await line(page, 1).click();
  for (const name of ['Event', 'Raw', 'Why']) {
    await detail(page).getByRole('tab', { name }).click();
    await detail(page).getByRole('tabpanel', { name }).waitFor();
  }
  assert.equal(await page.locator('img, body script').count(), 0);
  assert.ok(requests.every((url) => !url.includes('evil')));
});

// Without the service worker, which takes the files once more for when there is no network: offline.test.mjs is about it.
const alone = { context: { serviceWorkers: 'block' }, allow: [/Service Worker registration blocked/] };
pageTest('nothing is asked for once the page is there', alone, async ({ page, requests }) => {
  await started(page);
  const before = requests.length;
  await openSample(page);
  await line(page, 19).click();
  await detail(page).getByRole('tab', { name: 'Raw' }).click();
  await list(page).press('j');
  // The browser may ask for the icon again whenever the URL changes.
  assert.deepEqual(requests.slice(before).filter((url) => !/\/icon(-\w+)?\.svg$/.test(url)), []);
});

pageTest('a reader that dies is started again, and the log read anew', { allow: [/boom/] }, async ({ page }) => {
  await openSample(page);
  const before = await figures(page);
  await line(page, 19).click();
  const [worker] = page.workers();
  await worker.evaluate(() => setTimeout(() => { throw new Error('boom'); }));
  await page.getByText('The reader stopped and was started again').waitFor();
  await state(page, 'ready');
  assert.deepEqual(await figures(page), before);
  await detail(page).getByRole('tab', { name: 'Raw' }).click();
  await detail(page).getByText('cargo test --test limits').first().waitFor();
  await line(page, 26).click();
  await detail(page).getByRole('heading', { name: /webfetch/ }).waitFor();
  // A second death on the same log is not tried again, and said.
  await page.workers()[0].evaluate(() => setTimeout(() => { throw new Error('boom again'); }));
  await page.getByRole('heading', { name: 'The reader stopped.' }).waitFor();
  await page.getByText('boom again').waitFor();
  await open(page, LOG);
});

pageTest('a file that changes on disk is said to have changed, and what was read stays', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'steplens-'));
  try {
    const path = join(folder, 'growing.jsonl');
    const text = readFileSync(LOG, 'utf8');
    writeFileSync(path, text);
    await page.locator('input[type=file]').setInputFiles(path);
    await state(page, 'ready');
    const before = await figures(page);
    writeFileSync(path, text + text);
    await rows(page).first().click();
    await page.getByRole('alert').getByText('it changed or moved on disk').waitFor();
    assert.deepEqual(await figures(page), before);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
