// What the list of keys says.
import { pageTest } from './harness.mjs';
import { openSample } from './page.mjs';

pageTest('the list of keys names the tabs that are shown', async ({ page }) => {
  await openSample(page);
  const tabs = await page.getByRole('tablist', { name: 'Views' }).getByRole('tab').count();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText(`1 – ${tabs}`, { exact: true }).waitFor();
});
