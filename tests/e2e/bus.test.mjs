// Bus logs: what was asked of a person, lists of tasks, and the log as AEP events.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { accessible, cli, fixture, pageTest } from './harness.mjs';
import { atFragment, detail, list, open, rows, started, summary, tab } from './page.mjs';

const ASKS = fixture('bus/asks.jsonl');
const SAMPLE = new URL('../../web/static/sample.jsonl', import.meta.url).pathname;
const asks = (page) => list(page).locator('[data-kind=ask]');

pageTest('requests to a person: rows with their waits, a pane, a filter', async ({ page }) => {
  await started(page);
  await open(page, ASKS);
  await asks(page).first().waitFor();
  const shown = await asks(page).evaluateAll((rows) =>
    rows.map((row) => [Number(row.dataset.line), row.dataset.status, row.querySelector('.d').textContent]),
  );
  const wait = (ms) => (ms === null ? '–' : `${ms} ms`);
  const want = summary(ASKS).asks.map((ask) => [ask.line, ask.status, wait(ask.waitMs)]);
  assert.deepEqual(shown.sort((a, b) => a[0] - b[0]), want);
  assert.deepEqual(want.map(([, , ms]) => ms), ['13 ms', '13 ms', '7 ms', '21 ms', '–']);

  await page.getByRole('button', { name: 'Which one next?' }).click();
  await detail(page).getByText('answered: The logs, 7 + 30').waitFor();
  assert.equal(await detail(page).locator('.is-chosen').count(), 3);
  await detail(page).getByText('derived from the event\'s id').first().waitFor();
  await accessible(page);
  await detail(page).getByRole('button', { name: 'Back to the list' }).click();

  await page.getByRole('button', { name: /^asked/ }).click();
  await atFragment(page, { f: 'asked' });
  await page.waitForFunction(() => document.querySelectorAll('#events [data-kind=command]').length === 0);
  assert.equal(await asks(page).count(), 5);
});

pageTest('the time that a person took is apart from working time', async ({ page }) => {
  await started(page);
  await open(page, ASKS);
  await page.getByRole('button', { name: /waiting 54 ms/ }).click();
  assert.equal(await page.locator('[data-figure="time.waiting"]').getAttribute('data-value'), '54');
});

pageTest('the list of tasks, and how it went on', async ({ page }) => {
  await started(page);
  await open(page, ASKS);
  await page.getByRole('button', { name: 'Tasks 2/4' }).click();
  const tasks = page.getByRole('dialog', { name: 'Tasks' });
  await tasks.getByRole('img', { name: 'Tasks over 2 changes: at the end 2 done, 1 in progress, 1 to come' }).waitFor();
  assert.equal(await tasks.getByRole('listitem').filter({ hasText: 'of 3 done' }).count(), 1);
  await accessible(page);
});

for (const colorScheme of ['light', 'dark']) {
  pageTest(`AEP events, ${colorScheme}`, { context: { colorScheme } }, async ({ page }) => {
    await started(page);
    await open(page, ASKS);
    await tab(page, 'AEP');
    const grid = page.getByRole('grid', { name: 'AEP events' });
    await grid.locator('[data-type="session.started"]').first().waitFor();
    const value = async (name) => Number(await page.locator(`[data-aep=${name}]`).getAttribute('data-value'));
    assert.equal(await value('moments'), 33);
    assert.equal((await value('mapped')) + (await value('suppressed')) + (await value('duplicates')), 33);
    const lines = execFileSync(cli, ['aep', ASKS, '-q']).toString().trim().split('\n').map((line) => JSON.parse(line));
    assert.equal(await value('events'), lines.length);
    assert.equal(await value('vendor'), lines.filter((event) => event.type.startsWith('x.')).length);
    await accessible(page);

    await page.getByRole('button', { name: /^core/ }).click();
    await page.getByRole('searchbox', { name: 'Filter AEP events' }).fill('attention.resolved');
    await atFragment(page, { aep: 'core,q:attention.resolved' });
    await page.waitForFunction(() => document.querySelectorAll('#aep-events [data-type]').length === 4);
    const pairs = await grid.locator('[data-type] .d').allTextContents();
    assert.deepEqual(pairs, ['13 ms', '13 ms', '7 ms', '21 ms']);
    await grid.locator('[data-type]').first().click();
    const json = await page.getByRole('region', { name: 'AEP event' }).locator('pre').textContent();
    assert.deepEqual(JSON.parse(json), lines.find((event) => event.type === 'attention.resolved'));
    await accessible(page);

    await page.getByRole('combobox', { name: 'channel' }).selectOption('companion');
    await page.getByText('No row passes this filter.').waitFor();
    // The selected row stays named, as it is there again in the channel before.
    await atFragment(page, { aep: 'core,companion,at:1-10-1,q:attention.resolved' });
  });
}

pageTest('AEP events are saved as the command line prints them, of any log', async ({ page }) => {
  await started(page);
  for (const log of [ASKS, SAMPLE]) {
    await open(page, log);
    await rows(page).first().waitFor();
    const button = page.getByRole('dialog', { name: 'Export' }).getByRole('button', { name: /^AEP events/ });
    if (!(await button.isVisible())) await page.getByRole('button', { name: 'Export', exact: true }).click();
    const download = page.waitForEvent('download');
    await button.click();
    const bytes = readFileSync(await (await download).path());
    assert.equal(bytes.toString(), execFileSync(cli, ['aep', log, '-q'], { maxBuffer: 1 << 28 }).toString());
  }
  // Only bus and hook logs have the tab.
  assert.equal(await page.getByRole('tab', { name: 'AEP' }).count(), 0);
});
