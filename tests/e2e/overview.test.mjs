// The overview of the run: click, drag, wheel and keys, and what the time went to.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { accessible, pageTest } from './harness.mjs';
import { atFragment, detail, fragment, line, list, open, openSample, rows, summary } from './page.mjs';

const SAMPLE = new URL('../../web/static/sample.jsonl', import.meta.url);
const START = 1785403000417;
const plot = (page) => page.getByRole('slider', { name: 'Overview of the run' });
const chip = (page, name) => page.getByRole('toolbar', { name: 'Filters' }).getByRole('button', { name });
const at = (page, number) => list(page).locator(`.row[data-line="${number}"][aria-selected=true]`).first().waitFor();
const lines = (page) => rows(page).evaluateAll((rows) => rows.map((row) => Number(row.dataset.line)));

/** The point of the plot at a part of its width, `y` pixels down. */
async function spot(page, part, y) {
  const box = await plot(page).boundingBox();
  return [box.x + box.width * part, box.y + y];
}

/** Drags from one part of the width to another. */
async function drag(page, from, to) {
  await page.mouse.move(...(await spot(page, from, 60)));
  await page.mouse.down();
  await page.mouse.move(...(await spot(page, (from + to) / 2, 60)));
  await page.mouse.move(...(await spot(page, to, 60)));
  await page.mouse.up();
}

pageTest('a click goes to the nearest event, on the marks to the nearest failure', async ({ page }) => {
  await openSample(page);
  await plot(page).waitFor();
  // 0:56 of 4:15 is the error.
  await page.mouse.click(...(await spot(page, 56 / 255, 19)));
  await at(page, 23);
  await detail(page).getByText('Overloaded').first().waitFor();
  await page.mouse.click(...(await spot(page, 0.98, 19)));
  await at(page, 44);
  assert.equal(fragment(page).e.split('.')[0], '44');
  await page.mouse.click(...(await spot(page, 0.6, 72)));
  await at(page, 36);
});

pageTest('a drag keeps a stretch, says so in a chip and in the address, and Escape shows all again', async ({ page }) => {
  await openSample(page);
  await plot(page).waitFor();
  const entries = await page.evaluate(() => history.length);
  await drag(page, 0.3, 0.5);
  const taken = chip(page, /^No longer only 1:1\d–2:0\d$/);
  await taken.waitFor();
  const [, from, to] = /^time:(\d+)-(\d+)$/.exec(fragment(page).f);
  assert.ok(Math.abs(from - START - 76_500) < 1_500 && Math.abs(to - START - 127_500) < 1_500, `${from}–${to}`);
  await page.waitForFunction(() => document.querySelectorAll('.row[data-line]').length === 7);
  assert.equal(await chip(page, /^command/).textContent(), 'command 2');
  assert.equal(await page.evaluate(() => history.length), entries);
  await list(page).press('Escape');
  await atFragment(page, { f: undefined });
  await taken.waitFor({ state: 'detached' });
  await drag(page, 0.5, 0.3);
  await taken.click();
  await atFragment(page, { f: undefined });
});

pageTest('keys move a cursor that says what stands there, stretch and go', async ({ page }) => {
  await openSample(page);
  await plot(page).focus();
  await page.keyboard.press('End');
  assert.match(await plot(page).getAttribute('aria-valuetext'), /^4:14 · 2026-07-30 .*step 8/);
  await page.keyboard.press('Enter');
  await at(page, 51);
  await plot(page).focus();
  await page.keyboard.press('Home');
  for (let n = 0; n < 20; n++) await page.keyboard.press('Shift+ArrowRight');
  await page.waitForFunction(() => location.hash.includes('time:'));
  assert.match(fragment(page).f, new RegExp(`^time:${START}-`));
  await page.waitForFunction(() => document.querySelectorAll('.row[data-line]').length === 13);
  assert.deepEqual((await lines(page)).at(-1), 19);
  await plot(page).press('Escape');
  await atFragment(page, { f: undefined });
});

pageTest('the wheel narrows about the pointer and widens to all', async ({ page }) => {
  await openSample(page);
  await page.mouse.move(...(await spot(page, 0.5, 60)));
  await page.mouse.wheel(0, -100);
  await page.waitForFunction(() => location.hash.includes('time:'));
  await page.mouse.wheel(0, 100);
  await page.mouse.wheel(0, 100);
  await atFragment(page, { f: undefined });
});

pageTest('a link with a stretch is restored', { path: `#v=1&f=time:${START + 100_000}-${START + 200_000}` }, async ({ page }) => {
  await open(page, { name: 'sample.jsonl', text: readFileSync(SAMPLE, 'utf8') });
  await chip(page, 'No longer only 1:40–3:20').waitFor();
  await line(page, 32).waitFor();
  assert.equal(await line(page, 19).count(), 0);
});

pageTest('a log without times goes by order, and says so', async ({ page }) => {
  const text = Array.from({ length: 30 }, (_, n) => JSON.stringify({ type: 'text', sessionID: 's', part: { id: `p${n}`, type: 'text', text: `n ${n}` } })).join('\n');
  await open(page, { name: 'timeless.jsonl', text });
  await page.getByText('By order: this log has no times').waitFor();
  await drag(page, 0.51, 0.69);
  await chip(page, 'No longer only records 16–21').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.row[data-line]').length === 6);
  assert.deepEqual(await lines(page), [16, 17, 18, 19, 20, 21]);
});

pageTest('what the time went to adds up to the duration, as the command line says', async ({ page }) => {
  await openSample(page);
  await page.locator('.split').click();
  await page.getByRole('dialog', { name: 'What the time went to' }).waitFor();
  const value = async (name) => Number(await page.locator(`[data-figure="${name}"]`).first().getAttribute('data-value'));
  const { time, durationMs } = summary(SAMPLE.pathname).total;
  const shown = {
    waitingMs: await value('time.waiting'),
    toolsMs: await value('time.tools'),
    modelMs: await value('time.model'),
    idleMs: await value('time.idle'),
    unknownMs: await value('time.unknown'),
  };
  assert.deepEqual(shown, time);
  assert.equal(Object.values(shown).reduce((sum, ms) => sum + ms), durationMs);
});

for (const colorScheme of ['light', 'dark']) {
  pageTest(`axe: overview, ${colorScheme}`, { context: { colorScheme } }, async ({ page }) => {
    await openSample(page);
    await drag(page, 0.3, 0.5);
    await chip(page, /^No longer only/).waitFor();
    await accessible(page);
    await page.getByRole('button', { name: 'Legend' }).click();
    await page.getByRole('dialog', { name: 'Legend' }).waitFor();
    await accessible(page);
  });
}
