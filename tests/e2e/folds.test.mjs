// Folded steps and headings of turns: by mouse and by keys, and how jumps unfold.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { accessible, pageTest } from './harness.mjs';
import { line, list, open, openSample, rows, selected } from './page.mjs';

const SAMPLE = readFileSync(new URL('../../web/static/sample.jsonl', import.meta.url), 'utf8');
const head = (page, number) => list(page).getByRole('button', { name: `Step ${number}`, exact: true });
const at = (page, number) => list(page).locator(`.row[data-line="${number}"][aria-selected=true]`).first().waitFor();
const count = (page, number) => list(page).and(page.locator(`[aria-rowcount="${number}"]`)).waitFor();
const folded = (page, number) => head(page, number).and(page.locator('[aria-expanded=false]')).waitFor();

pageTest('the head of a step folds it, and says what is under it', async ({ page }) => {
  await openSample(page);
  await count(page, 41);
  // The same words as when it is folded, and one mark a call.
  const marks = () => list(page).locator('[data-step="3"] .wrong').allInnerTexts();
  assert.deepEqual(await marks(), ['1 green but failed']);
  await head(page, 3).click();
  await folded(page, 3);
  assert.deepEqual(await marks(), ['1 green but failed']);
  assert.equal(await line(page, 19).count(), 0);
  const row = list(page).locator('[data-step="3"]');
  for (const text of ['1 green but failed', 'tool-calls']) await row.getByText(text).waitFor();
  await head(page, 3).focus();
  await page.keyboard.press('Enter');
  await line(page, 19).first().waitFor();
  await count(page, 41);
});

pageTest('keys fold the step of the selected event, or all; they walk over what is folded', async ({ page }) => {
  await openSample(page);
  for (const number of [2, 3, 4, 5, 6, 9]) {
    await page.keyboard.press('j');
    await at(page, number);
  }
  await page.keyboard.press('ArrowLeft');
  await folded(page, 2);
  assert.equal(await selected(page).count(), 0);
  await page.keyboard.press('k');
  await at(page, 6);
  await page.keyboard.press('j');
  await at(page, 15);
  await page.keyboard.press('[');
  await count(page, 8);
  assert.equal(await rows(page).count(), 0);
  await page.keyboard.press('ArrowRight');
  await at(page, 15);
  await folded(page, 4);
  await page.keyboard.press(']');
  await count(page, 41);
  await at(page, 15);
});

pageTest('going to a failure or a hit unfolds its step, and no other', async ({ page }) => {
  await openSample(page);
  await page.keyboard.press('[');
  await count(page, 8);
  await page.keyboard.press('n');
  await at(page, 11);
  await folded(page, 1);
  await folded(page, 3);
  await page.keyboard.press('[');
  await count(page, 8);
  await page.getByRole('searchbox', { name: 'Search events' }).fill('--test limits');
  await page.keyboard.press('Enter');
  await at(page, 19);
  await folded(page, 2);
});

// Twice the same: each run through ends with `stop`.
const again = SAMPLE.trim()
  .split('\n')
  .map((text) => text.replaceAll(/"(id|messageID|callID)":"/g, '"$1":"again_').replaceAll(/(17854)(\d{8})/g, (_, a, b) => a + String(Number(b) + 600000).padStart(8, '0')))
  .join('\n');

pageTest('turns have headings', async ({ page }) => {
  await open(page, { name: 'two.jsonl', text: `${SAMPLE.trim()}\n${again}\n` });
  const turns = list(page).locator('[data-kind=turn]');
  await turns.first().getByText('Turn 1').waitFor();
  await turns.first().getByText('8 steps').waitFor();
  await page.keyboard.press('[');
  await count(page, 18);
  assert.equal(await turns.count(), 2);
  await turns.nth(1).getByText('later').waitFor();
});

for (const colorScheme of ['light', 'dark']) {
  pageTest(`axe: folded steps, ${colorScheme}`, { context: { colorScheme } }, async ({ page }) => {
    await open(page, { name: 'two.jsonl', text: `${SAMPLE.trim()}\n${again}\n` });
    await rows(page).first().waitFor();
    await head(page, 3).first().click();
    await list(page).locator('.folded').waitFor();
    await accessible(page);
  });
}
