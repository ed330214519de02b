// The address: what of it is odd, what it brings back in another tab, and the history.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { pageTest } from './harness.mjs';
import { atFragment, detail, fragment, line, list, open, openSample, rows, selected, tab } from './page.mjs';

const SAMPLE = fileURLToPath(new URL('../../web/static/sample.jsonl', import.meta.url));

pageTest('a link to a place that is not there is cleaned in place, and Back leads away', { path: '#v=1' }, async ({ page }) => {
  await page.goto(`${page.url().split('#')[0]}#v=1&e=999999`);
  await page.reload();
  await open(page, SAMPLE);
  await page.getByText('The link names line 999999, and this log has no event there.').waitFor();
  await atFragment(page, { e: undefined });
  const length = await page.evaluate(() => history.length);
  await page.waitForFunction(() => location.hash === '');
  assert.equal(await page.evaluate(() => history.length), length);
});

pageTest('odd parts of a link are said once, unknown keys are kept', { path: '#v=1&tab=maps&e=x&f=command,colour&tz=Mars&zz=1' }, async ({ page }) => {
  const said = 'This link holds what this version does not know: the tab “maps”, the event “x”, the filter “colour”, the time zone “Mars”.';
  await page.getByRole('status').getByText(said).waitFor();
  await open(page, SAMPLE);
  await atFragment(page, { f: 'command', zz: '1', tab: 'maps', e: undefined, tz: undefined });
});

pageTest('a copied address opens the same view, event and filter in a new tab', async ({ page, context }) => {
  await openSample(page);
  await page.getByRole('button', { name: /^command/ }).click();
  await line(page, 19).click();
  await atFragment(page, { f: 'command', e: '19.prt_b8fbc01a4001ZkUc4x0Rw1cOde' }).catch(() => {});
  const wanted = fragment(page);
  assert.match(wanted.e, /^19/);
  const shown = await rows(page).count();
  const other = await context.newPage();
  await other.goto(page.url());
  await open(other, SAMPLE);
  await selected(other).and(other.locator('[data-line="19"]')).waitFor();
  await detail(other).getByText('cargo test --test limits').first().waitFor();
  assert.deepEqual(fragment(other), wanted);
  assert.equal(await rows(other).count(), shown);
});

pageTest('tabs and events make entries in the history, filters and searches do not', async ({ page }) => {
  await openSample(page);
  await line(page, 19).click();
  await atFragment(page, { v: '1' });
  const length = await page.evaluate(() => history.length);
  await page.getByRole('button', { name: /^command/ }).click();
  await atFragment(page, { f: 'command' });
  assert.equal(await page.evaluate(() => history.length), length);
  await tab(page, 'Tools');
  await atFragment(page, { tab: 'tools' });
  assert.equal(await page.evaluate(() => history.length), length + 1);
  await page.goBack();
  await list(page).waitFor();
  await atFragment(page, { tab: undefined, f: 'command' });
  await page.goForward();
  await atFragment(page, { tab: 'tools' });
});

pageTest('times are in the reader\'s own zone, or in UTC', { context: { timezoneId: 'Asia/Kolkata' } }, async ({ page }) => {
  await openSample(page);
  const zone = page.getByRole('button', { name: /^Times are in/ });
  assert.equal(await zone.textContent(), 'UTC+05:30');
  const time = rows(page).first().locator('.t');
  assert.match(await time.getAttribute('title'), /^\S+ \S+ UTC\+05:30 · .*UTC$/);
  await zone.click();
  await atFragment(page, { tz: 'utc' });
  assert.equal(await zone.textContent(), 'UTC');
  assert.match(await time.getAttribute('title'), /^\S+ \S+ UTC · .*UTC\+05:30$/);
  await zone.click();
  await atFragment(page, { tz: undefined });
});

pageTest('the extension rules are switched on in place', async ({ page }) => {
  await openSample(page);
  await line(page, 26).click();
  assert.equal(await line(page, 26).getAttribute('data-kind'), 'unknown');
  await page.getByRole('button', { name: /^Kilo/ }).click();
  const panel = page.getByRole('dialog', { name: 'Dialect' });
  await panel.getByText(/webfetch \(1 call\)/).waitFor();
  await panel.getByRole('switch').check();
  await atFragment(page, { x: '1' });
  await page.locator('[data-line="26"][data-kind="read"][aria-selected=true]').waitFor();
  await page.goBack().catch(() => {});
});
