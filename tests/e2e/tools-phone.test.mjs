// The tools on a phone.
import assert from 'node:assert/strict';
import { accessible, pageTest } from './harness.mjs';
import { openSample, tab } from './page.mjs';

pageTest('on a phone every column of the tools is reached, under the name of its tool', { context: { viewport: { width: 390, height: 844 } } }, async ({ page }) => {
  await openSample(page);
  await tab(page, 'Tools');
  await page.getByText('More columns: scroll sideways').waitFor();
  await accessible(page, { include: '#panel-tools' });
  const room = page.getByRole('group', { name: 'Tools' });
  const heads = room.getByRole('button', { name: 'Output' });
  await heads.focus();
  const name = await room.getByRole('rowheader').first().boundingBox();
  const head = await heads.boundingBox();
  assert.equal(name.x, 0);
  assert.ok(head.x >= name.x + name.width && head.x + head.width <= 390, `${head.x} beside ${name.width}`);
  await room.focus();
  const before = await room.evaluate((element) => element.scrollLeft);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((before) => document.querySelector('#panel-tools .table-room').scrollLeft > before, before);
});
