// Requests to a person and AEP events are walked over, selected, and named by the URL, as events are.
import assert from 'node:assert/strict';
import { fixture, pageTest } from './harness.mjs';
import { atFragment, detail, list, open, started, tab } from './page.mjs';

const ASKS = fixture('bus/asks.jsonl');
const FORM = 'que_eabdf533f001zZxXcCvVbBnNmM';
const selected = (page) => list(page).locator('[aria-selected=true]');
const fragment = (page) => new URLSearchParams(new URL(page.url()).hash.slice(1));

pageTest('j and k stop at requests, whose pane opens and which the URL names', async ({ page }) => {
  await started(page);
  await open(page, ASKS);
  await list(page).locator('[data-kind=ask]').first().waitFor();
  await page.getByRole('button', { name: /^asked/ }).click();
  await page.waitForFunction(() => document.querySelectorAll('#events [data-kind=command]').length === 0);
  const lines = [];
  for (let n = 0; n < 5; n += 1) {
    await page.keyboard.press('j');
    await page.waitForFunction((seen) => document.querySelector('#events [aria-selected=true]')?.dataset.line !== seen, lines.at(-1));
    lines.push(await selected(page).getAttribute('data-line'));
  }
  assert.deepEqual(lines, ['9', '11', '18', '33', '25']);
  for (const line of ['33', '18']) {
    await page.keyboard.press('k');
    await page.waitForFunction((line) => document.querySelector('#events [aria-selected=true]')?.dataset.line === line, line);
  }
  await detail(page).getByText('answered: The logs, 7 + 30').waitFor();
  assert.match(fragment(page).get('e'), /^18\.que_/);
  // The row that the keyboard is at is told to screen readers.
  assert.equal(await list(page).getAttribute('aria-activedescendant'), await selected(page).getAttribute('id'));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#detail').contains(document.activeElement));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await detail(page).getByText('Select an event').waitFor();
  assert.equal(fragment(page).get('e'), null);
  // What is nearest to it is an event again.
  await page.getByRole('button', { name: /^asked/ }).click();
  await page.getByRole('button', { name: 'Which one next?' }).click();
  await detail(page).getByRole('button', { name: 'Show the event nearest to it' }).click();
  await page.waitForFunction(() => document.querySelector('#events [aria-selected=true]')?.dataset.kind !== 'ask');
});

pageTest('a link to a request opens it, and back leads to the event before', async ({ page }) => {
  await started(page);
  await open(page, ASKS);
  await page.getByText('Which one next?').first().waitFor();
  await page.evaluate((id) => (location.hash = `e=18.${id}`), FORM);
  await detail(page).getByText('answered: The logs, 7 + 30').waitFor();
  assert.equal(await selected(page).getAttribute('data-line'), '18');
  await page.keyboard.press('j');
  await page.waitForFunction(() => document.querySelector('#events [aria-selected=true]')?.dataset.line !== '18');
  await page.goBack();
  await detail(page).getByText('answered: The logs, 7 + 30').waitFor();
});

pageTest('AEP events are walked over, and the URL names the one that is selected', async ({ page }) => {
  await started(page);
  await open(page, ASKS);
  await tab(page, 'AEP');
  const grid = page.getByRole('grid', { name: 'AEP events' });
  await grid.locator('[data-type]').first().waitFor();
  const pane = page.getByRole('region', { name: 'AEP event' });
  const at = (index) => page.waitForFunction((n) => document.querySelector('#aep-events [aria-selected=true]')?.ariaRowIndex === n, String(index));
  await page.keyboard.press('j');
  await at(1);
  await page.keyboard.press('ArrowDown');
  await at(2);
  await page.keyboard.press('j');
  await at(3);
  await page.keyboard.press('k');
  await at(2);
  const json = JSON.parse(await pane.locator('pre').textContent());
  assert.equal(json.type, await grid.locator('[aria-selected=true]').getAttribute('data-type'));
  await atFragment(page, { aep: `at:${json.id}` });
  await page.keyboard.press('G');
  const last = Number(await grid.getAttribute('aria-rowcount'));
  await at(last);
  await page.keyboard.press('j');
  await at(last);
  // In another list of the same log it is the same row.
  await page.evaluate(() => (location.hash = location.hash.replace(/aep=[^&]*/, 'aep=core,at:1-10-1')));
  await page.waitForFunction(() => document.querySelector('#aep-events [aria-selected=true]')?.dataset.type === 'attention.resolved');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.aep .detail-panel') === document.activeElement);
  await page.locator('#aep-events').focus();
  await page.keyboard.press('Escape');
  await pane.getByText('Select a row').waitFor();
  await atFragment(page, { aep: 'core' });
});
