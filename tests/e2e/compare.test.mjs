// The compare tab: two runs that are open together. The answers are those of core/tests/compare.rs, worked out by hand.
import assert from 'node:assert/strict';
import { accessible, fixture, pageTest } from './harness.mjs';
import { atFragment, fragment, open, openSample, rows, selected, started, tab } from './page.mjs';

const PAIR = ['compare/good.jsonl', 'compare/errors.jsonl'].map((name) => fixture(name));
const panel = (page) => page.getByRole('tabpanel', { name: /Compare/ });
const section = (page, name) => panel(page).getByRole('region', { name });
const steps = (page) => page.getByRole('grid', { name: 'Aligned steps' });

async function compare(page) {
  await started(page);
  await open(page, PAIR);
  await rows(page).first().waitFor();
  await tab(page, 'Compare');
  await steps(page).locator('.cp-step').first().waitFor();
}

/** Figures: A, B and what lies between; null where unknown. */
const deltas = (page) =>
  panel(page).locator('[data-delta]').evaluateAll((rows) =>
    Object.fromEntries(rows.map((row) => [row.dataset.delta, [row.dataset.a, row.dataset.b, row.dataset.value].map((text) => (text === '' ? null : Number(text)))])),
  );

pageTest('a run alone cannot be compared', async ({ page }) => {
  await openSample(page);
  assert.equal(await page.getByRole('tab', { name: 'Compare' }).count(), 0);
});

pageTest('two runs: what lies between them', async ({ page }) => {
  await compare(page);
  const found = await deltas(page);
  assert.deepEqual(found.steps, [6, 8, 2]);
  assert.deepEqual(found['calls.failed'], [0, 4, 4]);
  assert.deepEqual(found['tokens.total'], [12210, 18730, 6520]);
  assert.deepEqual(found['tokens.reasoning'], [60, null, null]);
  assert.deepEqual(found['cost.reported'], [0.015, null, null]);
  assert.deepEqual(found.durationMs, [4725, 6843, 2118]);
  const texts = (name) => section(page, name).locator('li').allTextContents();
  assert.deepEqual(await texts(/^Only A did/), ['bash ls -la']);
  assert.deepEqual(await texts(/^Only B did/), ['read shop/docs/missing.md', 'bash pytest -q']);
  assert.deepEqual(await texts(/^Came out otherwise/), ['edit shop/README.mdok→failed', 'bash pytest -qok→green but failed']);
  await panel(page).getByText('3 the same, 3 that differ, 0 only in A, 2 only in B').waitFor();
});

pageTest('steps are aligned, those that differ first', async ({ page }) => {
  await compare(page);
  const shown = () => steps(page).locator('.cp-step').evaluateAll((rows) =>
    rows.map((row) => {
      const [a, , b] = row.children;
      return [a.querySelector('button')?.textContent ?? '–', row.querySelector('.cp-mark').textContent, b.querySelector('button')?.textContent ?? '–'].join(' ');
    }),
  );
  assert.deepEqual(await shown(), [
    'step 1 ≠ step 1', '– + step 3', '– + step 5', 'step 4 ≠ step 6', 'step 5 ≠ step 7',
    'step 2 = step 2', 'step 3 = step 4', 'step 6 = step 8',
  ]);
  await panel(page).getByRole('button', { name: 'In order' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.cp-step .cp-mark')[1]?.textContent === '=');
  assert.deepEqual((await shown()).slice(0, 3), ['step 1 ≠ step 1', 'step 2 = step 2', '– + step 3']);
});

pageTest('sides are swapped, and the address names them', async ({ page }) => {
  await compare(page);
  await panel(page).getByRole('button', { name: 'Swap' }).click();
  await page.waitForFunction(() => document.querySelector('[data-delta=steps]')?.dataset.value === '-2');
  assert.equal(await panel(page).getByRole('combobox', { name: 'Side A' }).inputValue(), 'tree:ses_bbbb33334444ffeRunWithErrorsPair');
  await atFragment(page, { tab: 'compare', a: 'tree:ses_bbbb33334444ffeRunWithErrorsPair' });
  // The same side twice is the same run.
  await panel(page).getByRole('combobox', { name: 'Side B' }).selectOption('tree:ses_bbbb33334444ffeRunWithErrorsPair');
  await panel(page).getByText('Both made the same calls').waitFor();
});

pageTest('a click opens the call', async ({ page }) => {
  await compare(page);
  await section(page, /^Only B did/).getByRole('button', { name: /missing\.md/ }).click();
  await selected(page).waitFor();
  assert.equal(await selected(page).getAttribute('data-line'), '9');
  assert.match(fragment(page).e, /^errors\.jsonl:9/);
});

for (const colorScheme of ['light', 'dark']) {
  for (const [size, viewport] of Object.entries({ wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } })) {
    pageTest(`axe: compare, ${colorScheme}, ${size}`, { context: { colorScheme, viewport } }, async ({ page }) => {
      await compare(page);
      await accessible(page);
    });
  }
}
