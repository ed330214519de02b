// The transcript on paper: all of it, however little of it is drawn on the screen.
import assert from 'node:assert/strict';
import { pageTest } from './harness.mjs';
import { open, tab } from './page.mjs';

/** A run of that many messages of the agent. */
function messages(n) {
  const start = Date.UTC(2026, 0, 3, 12);
  const line = (at) =>
    JSON.stringify({
      type: 'text',
      timestamp: start + at * 100,
      sessionID: 'ses_paper',
      part: { id: `prt_${at}`, messageID: 'msg_1', sessionID: 'ses_paper', type: 'text', text: `Message **${at}**`, time: { start: start + at * 100, end: start + at * 100 } },
    });
  return { name: `paper-${n}.jsonl`, text: Array.from({ length: n }, (_, at) => line(at)).join('\n') };
}

/** Entries that are drawn, and those of them that would be on the paper, or on the screen. */
const drawn = (page) => page.locator('.said-entry').count();
const inSight = (page) => page.locator('.said-entry').evaluateAll((all) => all.filter((e) => e.checkVisibility()).length);

/** Counts what is asked to be printed, in place of the browser's dialog. */
async function stub(page) {
  await page.evaluate(() => {
    globalThis.prints = [];
    globalThis.print = () => globalThis.prints.push(document.querySelectorAll('.said-entry').length);
  });
  return async (n) => {
    await page.waitForFunction((n) => globalThis.prints.length === n, n, { timeout: 150_000 });
    return page.evaluate(() => globalThis.prints);
  };
}

pageTest('Ctrl+P prints the whole transcript, and the list is as it was afterwards', { timeout: 180_000 }, async ({ page }) => {
  await open(page, messages(3_000));
  await tab(page, 'Messages');
  const said = page.getByRole('group', { name: 'Transcript' });
  await said.getByText('Message 0', { exact: true }).waitFor();
  const printed = await stub(page);
  await said.evaluate((element) => element.scrollTo(0, 2_000));
  await page.waitForFunction(() => document.querySelector('.said-page:nth-of-type(2)'));
  const before = await drawn(page);
  assert.ok(before < 300, `${before} entries are drawn`);

  // As it is, the browser's own print is told to be a part.
  await page.emulateMedia({ media: 'print' });
  const part = page.locator('.left-out');
  assert.match(await part.textContent(), /^On this paper are only \d+ of 3,000 entries, .* Print button .* prints them all\.$/);
  assert.ok(await part.isVisible());
  await page.emulateMedia({ media: 'screen' });
  assert.equal(await part.isVisible(), false);

  await said.evaluate((element) => element.scrollTo(0, 2_000));
  await page.keyboard.press('Control+p');
  assert.deepEqual(await printed(1), [3_000]);
  assert.ok((await inSight(page)) < 300, 'the screen shows no more than before');
  assert.equal(await part.count(), 0);
  assert.deepEqual(
    await page.locator('.said-entry').evaluateAll((all) => [all[0].dataset.line, all[1_499].dataset.line, all.at(-1).dataset.line]),
    ['1', '1500', '3000'],
  );
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.waitForFunction(() => document.querySelectorAll('.said-entry').length < 300);
  assert.equal(await said.evaluate((element) => element.scrollTop), 2_000);

  // The button does the same.
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  assert.deepEqual(await printed(2), [3_000, 3_000]);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await inSight(page), 3_000);
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: 'Stop printing' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.said-entry').length < 300);
});

pageTest('a short transcript stands whole: its print is left to the browser', async ({ page }) => {
  await open(page, messages(20));
  await tab(page, 'Messages');
  await page.getByRole('group', { name: 'Transcript' }).getByText('Message 0', { exact: true }).waitFor();
  const isLeft = await page.evaluate(() => {
    const event = new KeyboardEvent('keydown', { key: 'p', ctrlKey: true, bubbles: true, cancelable: true });
    return document.body.dispatchEvent(event);
  });
  assert.equal(isLeft, true);
  assert.equal(await page.locator('.left-out').count(), 0);
});
