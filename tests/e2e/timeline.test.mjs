// The timeline: rows, chips, keys, search, the URL, and the pane beside it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fixture, pageTest } from './harness.mjs';
import { atFragment, detail, fragment, line, list, open, openSample, rows, selected, started, state, tab } from './page.mjs';

const SAMPLE = new URL('../../web/static/sample.jsonl', import.meta.url);
const chip = (page, name) => page.getByRole('toolbar', { name: 'Filters' }).getByRole('button', { name });
const search = (page) => page.getByRole('searchbox', { name: 'Search events' });

/** Waits until the event of that line is the selected one. */
const at = (page, number) => list(page).locator(`.row[data-line="${number}"][aria-selected=true]`).first().waitFor();

/** The sample, dropped as a file: for pages that were opened with a fragment. */
const openAsFile = (page) => open(page, { name: 'sample.jsonl', text: readFileSync(SAMPLE, 'utf8') });

pageTest('rows say what they are, and to whom', async ({ page }) => {
  await openSample(page);
  const count = Number(await list(page).getAttribute('aria-rowcount'));
  assert.equal(count, 41);
  const failed = line(page, 19);
  assert.equal(await failed.getAttribute('data-kind'), 'command');
  await failed.getByText('cargo test --test limits').waitFor();
  await failed.getByText('exit 101').waitFor();
  await failed.getByRole('img', { name: 'green but failed' }).waitFor();
  await line(page, 11).getByRole('img', { name: 'failed', exact: true }).waitFor();
  const step = list(page).locator('[data-step="4"]');
  for (const text of ['Step 4', '3 attempts', '15,425 tokens', '$0.0230']) await step.getByText(text).waitFor();
  const index = await failed.getAttribute('aria-rowindex');
  assert.ok(Number(index) > 1 && Number(index) <= count);
});

pageTest('chips filter, together and one by one, and replace the history', async ({ page }) => {
  await openSample(page);
  const entries = await page.evaluate(() => history.length);
  assert.equal(await chip(page, /^failed/).textContent(), 'failed 3');
  await chip(page, /^green but failed/).click();
  await atFragment(page, { f: 'green-but-failed' });
  await page.waitForFunction(() => document.querySelectorAll('.row[data-line]').length === 2);
  assert.deepEqual(await rows(page).evaluateAll((rows) => rows.map((row) => row.dataset.line)), ['19', '32']);
  await chip(page, /^green but failed/).click();
  await chip(page, /^command/).click();
  await chip(page, /^list/).click();
  await atFragment(page, { f: 'command,list' });
  await page.waitForFunction(() => document.querySelectorAll('.row[data-line]').length === 7);
  assert.equal(await chip(page, /^command/).getAttribute('aria-pressed'), 'true');
  await chip(page, /^All/).click();
  await atFragment(page, { f: undefined });
  assert.equal(await page.evaluate(() => history.length), entries);
});

pageTest('tools are chosen by name, with counts, and go one by one', async ({ page }) => {
  await openSample(page);
  await chip(page, /^Tools/).click();
  const tools = page.getByRole('dialog', { name: 'Tools' });
  await tools.getByRole('checkbox', { name: /^bash ?9$/ }).check();
  await atFragment(page, { f: 'tool:bash' });
  await page.waitForFunction(() => document.querySelectorAll('.row[data-line]').length === 9);
  await page.keyboard.press('Escape');
  await chip(page, 'tool bash: no longer only bash').click();
  await atFragment(page, { f: undefined });
});

pageTest('nothing left is said, with the way back', async ({ page }) => {
  await openSample(page);
  await chip(page, /^skill/).click();
  await chip(page, /^rejected/).click();
  await page.getByText('No event passes these filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await rows(page).first().waitFor();
});

pageTest('keys walk through the events and past the heads of steps', async ({ page }) => {
  await openSample(page);
  await page.keyboard.press('j');
  await at(page, 2);
  for (const number of [3, 4, 5, 6]) {
    await page.keyboard.press('j');
    await at(page, number);
  }
  await page.keyboard.press('ArrowDown');
  await at(page, 9);
  await page.keyboard.press('k');
  await at(page, 6);
  await page.keyboard.press('ArrowUp');
  await at(page, 5);
  await page.keyboard.press('G');
  await at(page, 51);
  await page.keyboard.press('j');
  await at(page, 51);
  await page.keyboard.press('g');
  await at(page, 2);
  await page.keyboard.press('n');
  await at(page, 11);
  await page.keyboard.press('n');
  await at(page, 19);
  await page.keyboard.press('n');
  await at(page, 23);
  await page.keyboard.press('N');
  await at(page, 19);
  // The keyboard stays in the list, which says where it is.
  assert.equal(await page.evaluate(() => document.activeElement.id), 'events');
  const active = await list(page).getAttribute('aria-activedescendant');
  assert.equal(await page.locator(`#${active}`).getAttribute('data-line'), '19');
});

pageTest('failures go round the ends', async ({ page }) => {
  await openSample(page);
  for (const number of [11, 19, 23, 32, 44, 11]) {
    await page.keyboard.press('n');
    await at(page, number);
  }
  await page.keyboard.press('N');
  await at(page, 44);
});

pageTest('keys open tabs, help, search and filters, and not while typing', async ({ page }) => {
  await openSample(page);
  await page.keyboard.press('2');
  await page.getByRole('tabpanel', { name: /Tools/ }).waitFor();
  await page.keyboard.press('3');
  await page.getByRole('tabpanel', { name: /Tokens/ }).waitFor();
  await page.keyboard.press('1');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  await page.keyboard.type('j2?t');
  assert.equal(await search(page).inputValue(), 'j2?t');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.keyboard.press('Escape');
  assert.equal(await search(page).inputValue(), '');
  await page.keyboard.press('f');
  await page.waitForFunction(() => document.activeElement.closest('#chips'));
  const theme = await page.locator('html').getAttribute('data-theme');
  await page.keyboard.press('t');
  assert.notEqual(await page.locator('html').getAttribute('data-theme'), theme);
  await page.reload();
  assert.notEqual(await page.locator('html[data-state]').getAttribute('data-theme'), theme);
});

pageTest('Enter goes into the detail and Escape comes back', async ({ page }) => {
  await openSample(page);
  await page.keyboard.press('n');
  await at(page, 11);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.closest('#detail'));
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement.id === 'events');
  await at(page, 11);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('.row[aria-selected=true]'));
  await atFragment(page, { e: undefined });
});

pageTest('search counts, walks, opens what it lands in, and replaces the history', async ({ page }) => {
  await openSample(page);
  const entries = await page.evaluate(() => history.length);
  await search(page).fill('CARGO');
  await page.getByText('no hits', { exact: true }).waitFor();
  await search(page).fill('cargo');
  await page.getByText('5 hits').waitFor();
  await atFragment(page, { q: 'cargo' });
  assert.equal(await page.evaluate(() => history.length), entries);
  await search(page).press('Enter');
  await at(page, 19);
  await page.getByText('1 of 5').waitFor();
  await search(page).press('Enter');
  await at(page, 32);
  await search(page).press('Shift+Enter');
  await at(page, 19);
  await page.getByRole('button', { name: 'Previous hit' }).click();
  await page.getByText('5 of 5').waitFor();
  await detail(page).getByText('cargo', { exact: false }).first().waitFor();
  assert.equal(await list(page).locator('mark').first().textContent(), 'cargo');
  await page.getByRole('button', { name: 'End the search' }).click();
  await atFragment(page, { q: undefined });
});

pageTest('an event is named by its line and its part, and back and forward go through them', async ({ page }) => {
  await openSample(page);
  const parts = readFileSync(SAMPLE, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line).part?.id);
  await line(page, 19).click();
  await atFragment(page, { v: '1', e: `19.${parts[18]}` });
  await line(page, 27).click();
  await atFragment(page, { e: `27.${parts[26]}` });
  await tab(page, 'Tools');
  await atFragment(page, { tab: 'tools' });
  await page.goBack();
  await at(page, 27);
  await page.goBack();
  await at(page, 19);
  await page.goBack();
  await page.waitForFunction(() => !document.querySelector('.row[aria-selected=true]'));
  await page.goForward();
  await at(page, 19);
  await page.goForward();
  await page.goForward();
  await page.getByRole('tabpanel', { name: /Tools/ }).waitFor();
});

pageTest('a link is restored once its log is dropped', { path: '#v=1&tab=timeline&e=44&f=command&q=git&zz=kept' }, async ({ page }) => {
  await page.getByText('This link names a place in a log').waitFor();
  await openAsFile(page);
  await at(page, 44);
  assert.equal(await search(page).inputValue(), 'git');
  assert.equal(await chip(page, /^command/).getAttribute('aria-pressed'), 'true');
  await page.waitForFunction(() => /e=44\.prt_/.test(location.hash));
  assert.equal(fragment(page).zz, 'kept');
});

pageTest('a link to a line that is not there says so', { path: '#v=1&e=9000.prt_x' }, async ({ page }) => {
  await openAsFile(page);
  await page.getByText('The link names line 9000').waitFor();
  await atFragment(page, { e: undefined });
});

pageTest('a link to an event that its filter hides shows the event', { path: '#v=1&e=19&f=reasoning' }, async ({ page }) => {
  await openAsFile(page);
  await detail(page).getByText('cargo test --test limits').first().waitFor();
  assert.equal(fragment(page).f, 'reasoning');
});

pageTest('several sessions: one can be chosen, the figures stay those of all', async ({ page }) => {
  await open(page, fixture('step_stream/two_sessions_interleaved.jsonl'));
  const total = await page.locator('[data-figure=steps]').first().getAttribute('data-value');
  const choose = async (place) => {
    await page.getByRole('button', { name: /^(All 2 sessions|…)/ }).click();
    await page.getByRole('tree', { name: 'Sessions' }).getByRole('treeitem').nth(place).click();
  };
  const before = Number(await list(page).getAttribute('aria-rowcount'));
  await choose(1);
  await page.waitForFunction((before) => Number(document.querySelector('#events')?.getAttribute('aria-rowcount')) < before, before);
  assert.match(fragment(page).f, /^session:ses_/);
  assert.equal(await page.locator('[data-figure=steps]').first().getAttribute('data-value'), total);
  await choose(0);
  await page.waitForFunction((before) => Number(document.querySelector('#events')?.getAttribute('aria-rowcount')) === before, before);
});

pageTest('the dialect can be chosen, in place', async ({ page }) => {
  await openSample(page);
  const orchestration = list(page).locator('[data-kind=orchestration]');
  await list(page).evaluate((list) => list.scrollTo(0, 400));
  await orchestration.waitFor();
  await page.getByRole('button', { name: /^Kilo/ }).click();
  await page.getByRole('dialog', { name: 'Dialect' }).getByText(/approval/i).waitFor();
  await page.getByRole('radio', { name: 'OpenCode' }).check();
  await orchestration.waitFor({ state: 'detached' });
  await atFragment(page, { d: 'opencode' });
  await page.getByRole('radio', { name: 'By evidence' }).check();
  await orchestration.waitFor();
  await atFragment(page, { d: undefined });
});

pageTest('diagnostics lead to their line', async ({ page }) => {
  const good = '{"type":"text","timestamp":1767445000000,"sessionID":"ses_1","part":{"id":"prt_1","type":"text","text":"hello"}}';
  await open(page, { name: 'odd.jsonl', text: `${good}\n{"type":\n` });
  await tab(page, 'Tools');
  await page.getByRole('button', { name: /diagnostic/ }).click();
  await page.getByRole('dialog', { name: 'Findings and diagnostics' }).getByRole('button', { name: 'line 2' }).click();
  await at(page, 2);
  await detail(page).getByRole('tab', { name: 'Raw' }).click();
  await detail(page).getByText('{"type":').waitFor();
});

pageTest('on a phone the detail is a sheet, and going back closes it', { context: { viewport: { width: 390, height: 844 } } }, async ({ page }) => {
  await openSample(page);
  assert.equal(await detail(page).isVisible(), false);
  await line(page, 19).click();
  await detail(page).waitFor();
  const box = await detail(page).boundingBox();
  assert.deepEqual([box.x, box.y, box.width, box.height], [0, 0, 390, 844]);
  await page.goBack();
  await detail(page).waitFor({ state: 'hidden' });
  await line(page, 19).click();
  await detail(page).getByRole('button', { name: 'Back to the list' }).click();
  await detail(page).waitFor({ state: 'hidden' });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});

pageTest('times are relative, and in full in the title', { context: { timezoneId: 'America/New_York' } }, async ({ page }) => {
  await openSample(page);
  const time = line(page, 19).locator('.t');
  assert.equal(await time.textContent(), '0:48');
  assert.equal(await time.getAttribute('title'), '2026-07-30 05:17:29.073 UTC−04:00 · 09:17:29.073 UTC');
});

pageTest('started while the fragment says a tab', { path: '#v=1&tab=tokens' }, async ({ page }) => {
  await started(page);
  await state(page, 'empty');
  await openAsFile(page);
  await page.getByRole('tabpanel', { name: /Tokens/ }).waitFor();
});
