// Search over all text of a log: hits that no row shows, what JSON and encodings hide, packed and merged files, filters.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { accessible, dropFiles, fixture, pageTest } from './harness.mjs';
import { atFragment, detail, list, open, openSample, selected, state } from './page.mjs';

const search = (page) => page.getByRole('searchbox', { name: 'Search events' });
const status = (page) => page.locator('.found [role=status]');
const told = (page, text) => status(page).filter({ hasText: text }).waitFor({ state: 'attached' });

const record = (type, n, part) =>
  JSON.stringify({ type, timestamp: 1767445000000 + n * 700, sessionID: 'ses_1', part: { id: `prt_${n}`, messageID: 'msg_1', ...part } });
const call = (n, tool, state) =>
  record('tool_use', n, { type: 'tool', tool, callID: `c${n}`, state: { status: 'completed', time: { start: 1, end: 2 }, ...state } });

const LOG = [
  record('text', 1, { type: 'text', text: 'I start.' }),
  call(2, 'bash', { input: { command: 'make' }, output: 'first\nsaid "caf\u00e9 \u{1f600}" \u001b[31mred\u001b[0mdish\nfourth' }),
  call(3, 'read', { input: { filePath: 'a.rs', nested: { needle_key: 'q' } }, output: 'x'.repeat(400) + ' needle_out ' + 'y'.repeat(400) }),
  call(4, 'bash', { status: 'error', input: { command: 'false' }, error: 'line one\n' + 'z'.repeat(400) + ' needle_err' }),
].join('\n');

const lines = (page) => list(page).locator('.row[data-line]').filter({ has: page.locator('mark') }).evaluateAll((rows) => rows.map((row) => Number(row.dataset.line)));

pageTest('what no row shows is found, with what stands around it', async ({ page }) => {
  await open(page, { name: 'a.jsonl', text: LOG });
  await search(page).fill('needle');
  await page.getByText('2 hits').waitFor();
  await told(page, '“needle” in 2 events of 4 events');
  assert.deepEqual(await lines(page), [3, 4]);
  assert.match(await list(page).locator('.row[data-line="3"] .sm-hit').textContent(), /^needle_key$/);
  assert.match(await list(page).locator('.row[data-line="4"] .sm-hit').textContent(), /^…z+ needle_err$/);
  await search(page).press('Enter');
  await selected(page).and(page.locator('[data-line="3"]')).waitFor();
  await search(page).press('Enter');
  await selected(page).and(page.locator('[data-line="4"]')).waitFor();
  await accessible(page);
});

pageTest('the decoded text counts, not how JSON writes it', async ({ page }) => {
  await open(page, { name: 'a.jsonl', text: LOG.replace('\u00e9', '\\u00e9').replace('\u{1f600}', '\\ud83d\\ude00') });
  for (const text of ['"café 😀"', 'reddish', 'fourth']) {
    await search(page).fill(text);
    await told(page, `“${text}” in 1 event of`);
    assert.deepEqual(await lines(page), [2]);
  }
  await search(page).fill('\\u00e9');
  await told(page, 'No hits for “\\u00e9” in the messages, inputs, outputs and errors of 4 events');
});

/** Texts that are marked in the pane, and whether the first one is in sight. */
const marked = (page) =>
  page.evaluate(() => {
    const ranges = [...(CSS.highlights.get('found') ?? [])];
    const panel = document.querySelector('#detail-panel').getBoundingClientRect();
    const rect = ranges[0]?.getBoundingClientRect();
    const inSight = !!rect && rect.top >= panel.top && rect.bottom <= panel.bottom && rect.left >= panel.left && rect.right <= panel.right;
    return { texts: ranges.map(String), inSight };
  });
const untilMarked = async (page, texts) => {
  await page.waitForFunction((n) => (CSS.highlights.get('found')?.size ?? 0) === n, texts.length);
  assert.deepEqual(await marked(page), { texts, inSight: true });
};

pageTest('the detail opens where the hit is, marked and in sight', async ({ page }) => {
  const long = Array.from({ length: 300 }, (_, n) => `line ${n}`).join('\n');
  const log = [
    call(1, 'bash', { input: { command: 'echo', note: 'zebra in' }, output: long }),
    call(2, 'bash', { input: { command: 'ls' }, output: `${long}\n${' '.repeat(300)}a ze\u001b[32mbra\u001b[0m, and a Zebra\n${long}` }),
    record('text', 3, { type: 'text', text: 'no such animal' }),
    JSON.stringify({ type: 'brand_new', sessionID: 'ses_1', deep: { animal: 'zebra' } }),
  ].join('\n');
  await open(page, { name: 'a.jsonl', text: log });
  const openTab = (name) => detail(page).getByRole('tab', { name, selected: true }).waitFor();
  await search(page).fill('zebra');
  await page.getByText('3 hits').waitFor();
  await search(page).press('Enter');
  await openTab('Input');
  await untilMarked(page, ['zebra']);
  await search(page).press('Enter');
  await openTab('Output');
  await untilMarked(page, ['zebra', 'Zebra']);
  await search(page).press('Enter');
  await openTab('Raw');
  await untilMarked(page, ['zebra']);
  await accessible(page);
  await page.getByRole('button', { name: 'End the search' }).click();
  await page.waitForFunction(() => !CSS.highlights.has('found'));
});

pageTest('case counts with a capital, and can be told not to', async ({ page }) => {
  await open(page, { name: 'a.jsonl', text: LOG });
  await search(page).fill('CAFÉ');
  await told(page, 'No hits');
  await page.getByRole('button', { name: 'Ignore case' }).click();
  await told(page, '“café” in 1 event of');
  await atFragment(page, { q: 'café' });
  assert.equal(await search(page).inputValue(), 'café');
});

pageTest('what the filter hides is counted, and shown when asked for', async ({ page }) => {
  await open(page, { name: 'a.jsonl', text: LOG });
  await page.locator('#chips').getByRole('button', { name: /^read/ }).click();
  await search(page).fill('needle');
  await told(page, '“needle” in 1 event of 4 events');
  await told(page, 'The filter hides 1 hit more.');
  assert.deepEqual(await lines(page), [3]);
  await page.locator('.found').getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('2 hits').waitFor();
});

pageTest('no hit: n says so, and moves nowhere', async ({ page }) => {
  await open(page, { name: 'a.jsonl', text: LOG });
  await search(page).fill('nowhere');
  await told(page, 'No hits for “nowhere”');
  await search(page).press('Enter');
  await page.getByText('Nothing in this list holds “nowhere”.').waitFor();
  assert.equal(await selected(page).count(), 0);
});

pageTest('packed, UTF-16, prefixed, an export, and several files', async ({ page }) => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(LOG, 'utf16le')]);
  const prefixed = LOG.split('\n').map((line) => `2026-11-30T10:00:00.1234567Z ${line}`).join('\n');
  const parts = LOG.split('\n').map((line) => JSON.parse(line).part);
  const document = JSON.stringify({ info: { id: 'ses_1' }, messages: [{ info: { id: 'msg_1', role: 'assistant', sessionID: 'ses_1', time: { created: 1767445000000 } }, parts }] }, null, 1);
  const forms = { 'a.gz': gzipSync(LOG), 'b.jsonl': utf16, 'c.log': Buffer.from(prefixed), 'd.json': Buffer.from(document) };
  for (const [name, buffer] of Object.entries(forms)) {
    await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: '', buffer });
    await page.waitForFunction((name) => document.title.includes(name) && document.documentElement.dataset.state === 'ready', name);
    await search(page).fill('needle_err');
    await told(page, '“needle_err” in 1 event of 4 events');
    await list(page).locator('mark').first().waitFor();
    await search(page).fill('');
  }
  await dropFiles(page.locator('body'), [
    { name: 'one.jsonl', text: LOG },
    { name: 'two.jsonl', text: LOG.replaceAll('ses_1', 'ses_2').replaceAll('prt_', 'prt_2') },
  ]);
  await page.waitForFunction(() => document.title.includes('one.jsonl + 1') && document.documentElement.dataset.state === 'ready');
  await search(page).fill('needle');
  await page.getByText('4 hits').waitFor();
});

pageTest('a search is over the whole of a large log, and the next key supersedes it', { timeout: 120_000 }, async ({ page }) => {
  const filler = 'lorem ipsum '.repeat(80);
  const text = Array.from({ length: 20_000 }, (_, n) => call(n, 'bash', { input: { command: `make ${n}` }, output: `${filler}${n % 5000 === 4999 ? 'rare_word' : ''}` })).join('\n');
  await page.locator('input[type=file]').first().setInputFiles({ name: 'large.jsonl', mimeType: '', buffer: Buffer.from(text) });
  await state(page, 'ready');
  await search(page).pressSequentially('rare_word');
  await told(page, '“rare_word” in 4 events of 20,000 events');
  for (const number of [5_000, 10_000, 15_000, 20_000, 5_000]) {
    await search(page).press('Enter');
    await selected(page).and(page.locator(`[data-line="${number}"]`)).waitFor();
  }
  await detail(page).getByText('rare_word').first().waitFor();
});

pageTest('the line about a search, in both themes', { context: { colorScheme: 'dark' } }, async ({ page }) => {
  await openSample(page);
  await search(page).fill('Cargo');
  await told(page, 'No hits');
  await accessible(page);
  await search(page).fill('cargo');
  await told(page, 'in');
  await accessible(page);
});
