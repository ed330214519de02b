// What a log cannot tell, and what was taken back in it: said in their panels, with what to do and where to look.
import assert from 'node:assert/strict';
import { accessible, fixture, pageTest } from './harness.mjs';
import { open, selected } from './page.mjs';

for (const colorScheme of ['light', 'dark']) {
  pageTest(`limits and what was taken back, ${colorScheme}`, { context: { colorScheme } }, async ({ page }) => {
    await open(page, fixture('bus/removed.jsonl'));
    await page.getByTitle('All that this log cannot tell').click();
    const limit = (text) => page.locator('li', { hasText: text });
    await limit('3 parts carry no time of their own: the time of their message stands for it, derived').getByText(/Open the run's stream together with this log/).waitFor();
    await limit('took the output of 1 call out of the context later').getByText(/The findings lead to them/).waitFor();
    await accessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /5 findings/ }).click();
    await page.getByText(/message msg_a1 was removed from its session \(line 11\)/i).first().waitFor();
    await page.getByText(/the session was reverted to just before message msg_a1/i).first().waitFor();
    await accessible(page);
    // The removed part is still where it was.
    await page.locator('details.kind li', { hasText: /part prt_a3 was removed/i }).getByRole('button', { name: 'line 7' }).click();
    await selected(page).and(page.locator('[data-line="7"]')).waitFor();
    assert.match(await selected(page).innerText(), /a first try/);
    const taken = page.locator('#events .row', { hasText: 'taken back' });
    assert.deepEqual(await taken.evaluateAll((rows) => rows.map((row) => row.dataset.line)), ['6', '7']);
  });
}
