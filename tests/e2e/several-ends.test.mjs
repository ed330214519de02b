// Runs that ended differently, opened together: the header says so, and failures of runs without calls are gone to.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { accessible, fixture, pageTest } from './harness.mjs';
import { open, rows, selected } from './page.mjs';

const GOOD = fixture('step_stream/case_verdict_stop.jsonl');
const BAD = fixture('step_stream/case_verdict_error.jsonl');
/** The good run as another session than the bad one. */
const OTHER = { name: 'other.jsonl', text: readFileSync(GOOD, 'utf8').replaceAll('ses_1f2e3d4c5b6a', 'ses_another00one') };
const chip = (page) => page.locator('.bar [data-verdict]').first();

pageTest('the header counts the ends of runs that ended differently, the worst first', async ({ page }) => {
  await open(page, [OTHER, BAD]);
  assert.equal(await chip(page).getAttribute('data-verdict'), 'failed');
  await chip(page).getByText('1 failed, 1 completed').waitFor();
  await chip(page).click();
  const panel = page.locator('.pop-panel');
  await panel.getByText('How the first session ended').waitFor();
  assert.deepEqual(await panel.locator('strong').allInnerTexts(), ['Failed', 'Completed']);
  await accessible(page);
});

pageTest('the first failure of a run without calls is its error', async ({ page }) => {
  await open(page, BAD);
  await page.getByRole('button', { name: 'First failure' }).click();
  await selected(page).and(page.locator('[data-kind=error]')).waitFor();
});

pageTest('on a phone the keyboard goes into the pane and back to the list', { context: { viewport: { width: 390, height: 844 } } }, async ({ page }) => {
  await open(page, GOOD);
  await rows(page).first().click();
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  await page.waitForFunction(() => document.activeElement.matches('.detail-close'));
  assert.equal(await focused(), 'Back to the list');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'events');
});
