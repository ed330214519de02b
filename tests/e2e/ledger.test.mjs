// The strips of the tools tab, and the chart and the ranking of the tokens tab.
import assert from 'node:assert/strict';
import { accessible, pageTest } from './harness.mjs';
import { list, open, openSample, rows, selected, started, tab } from './page.mjs';

const table = (page) => page.getByRole('table', { name: 'One row a tool' });
const strip = (page, tool) => table(page).locator('tbody tr', { has: page.getByRole('button', { name: tool, exact: true }) }).getByRole('img');

pageTest('a strip has a mark for each call, and another shape for failed ones', async ({ page }) => {
  await openSample(page);
  await tab(page, 'Tools');
  await strip(page, 'bash').waitFor();
  const label = await strip(page, 'bash').getAttribute('aria-label');
  assert.match(label, /^\d+ calls, \d+ failed or rejected, from \d+:\d\d to \d+:\d\d/);
  const [, calls, failed] = label.match(/^(\d+) calls, (\d+) failed/).map(Number);
  const marks = async (name) => ((await strip(page, 'bash').locator(`.strip-${name}`).getAttribute('d')).match(/M/g) ?? []).length;
  assert.equal((await marks('fine')) + (await marks('failed')), calls);
  assert.equal(await marks('failed'), failed);
});

pageTest('a click on a strip opens the call', async ({ page }) => {
  await openSample(page);
  await tab(page, 'Tools');
  await strip(page, 'apply_patch').click({ position: { x: 2, y: 8 } });
  await selected(page).waitFor();
  assert.equal(await selected(page).getAttribute('data-line'), '31');
});

pageTest('thousands of calls are two paths a tool', async ({ page }) => {
  const call = (n) => JSON.stringify({
    type: 'tool_use', timestamp: 1785400000000 + n * 50, sessionID: 's',
    part: { id: `p${n}`, tool: ['read', 'bash'][n % 2], state: { status: n % 50 ? 'completed' : 'error', input: { filePath: 'a', command: 'b' }, time: { start: 1785400000000 + n * 50, end: 1785400000010 + n * 50 } } },
  });
  await started(page);
  await open(page, { name: 'many.jsonl', text: Array.from({ length: 20000 }, (_, n) => call(n)).join('\n') });
  await rows(page).first().waitFor();
  await tab(page, 'Tools');
  await strip(page, 'read').waitFor();
  assert.match(await strip(page, 'read').getAttribute('aria-label'), /^10,000 calls, 400 failed or rejected, from 0:00 to 16:2\d$/);
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  assert.ok(nodes < 1000, `${nodes} elements`);
});

pageTest('the chart and the ranking lead to steps', async ({ page }) => {
  await openSample(page);
  await tab(page, 'Tokens & cost');
  await page.getByRole('img', { name: /^Tokens of 8 steps/ }).waitFor();
  const ranked = page.getByRole('region', { name: /^Most expensive steps/ }).locator('li');
  assert.equal(await ranked.count(), 5);
  await page.getByRole('button', { name: 'Show 3 more' }).click();
  const costs = await ranked.locator('strong').allTextContents();
  assert.equal(costs.length, 8);
  assert.deepEqual(costs, [...costs].sort((a, b) => Number(b.slice(1)) - Number(a.slice(1))));
  const first = (await ranked.first().getByRole('button').textContent()).match(/\d+/)[0];
  await ranked.first().getByRole('button').click();
  await list(page).locator(`[data-step="${first}"]`).waitFor();
});

for (const colorScheme of ['light', 'dark']) {
  for (const [size, viewport] of Object.entries({ wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } })) {
    pageTest(`axe: strips and chart, ${colorScheme}, ${size}`, { context: { colorScheme, viewport } }, async ({ page }) => {
      await openSample(page);
      await tab(page, 'Tools');
      await strip(page, 'bash').waitFor();
      await accessible(page);
      await tab(page, 'Tokens & cost');
      await page.getByRole('img', { name: /^Tokens of/ }).waitFor();
      await accessible(page);
    });
  }
}
