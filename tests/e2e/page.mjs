// What the tests of the page share: its states, its parts, and what the command line says of a log.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cli, dropFiles } from './harness.mjs';

/** Waits until page and worker have met. */
export async function started(page) {
  await page.locator('html[data-engine=ready]').waitFor();
}

/** Waits until the page stands so: `empty`, `loading`, `ready`, `failed`. */
export async function state(page, name) {
  await page.locator(`html[data-state=${name}]`).waitFor();
}

/** Drops files on the page and waits until they are read. */
export async function open(page, files, { expect = 'ready' } = {}) {
  // Before the page has started nobody hears a drop.
  await page.locator('html[data-state]').waitFor({ state: 'attached' });
  await dropFiles(page.locator('body'), [files].flat());
  // The title names the file: not the state of one that was open before.
  const name = [files].flat().map((file) => (typeof file === 'string' ? file.split('/').pop() : file.name))[0];
  await page.waitForFunction(
    ([name, expect]) => document.title.startsWith(name) && document.documentElement.dataset.state === expect,
    [name, expect],
  );
}

/** Opens the sample. */
export async function openSample(page) {
  await page.getByRole('button', { name: 'Try a sample' }).click();
  await state(page, 'ready');
  await rows(page).first().waitFor();
}

/** The list of events. */
export const list = (page) => page.getByRole('grid', { name: 'Events' });

/** The events in the list, without the heads of steps. */
export const rows = (page) => list(page).locator('.row[data-line]');

/** The event of a line. */
export const line = (page, number) => list(page).locator(`.row[data-line="${number}"]`);

/** The selected event. */
export const selected = (page) => list(page).locator('[aria-selected=true]');

/** The pane about the selected event. */
export const detail = (page) => page.getByRole('region', { name: 'Event detail' });

/** Opens a tab of the page. */
export async function tab(page, name) {
  const tab = page.getByRole('tablist', { name: 'Views' }).getByRole('tab', { name });
  await tab.click();
  assert.equal(await tab.getAttribute('aria-selected'), 'true');
}

/** The URL's fragment, as pairs. */
export function fragment(page) {
  const pairs = new URL(page.url()).hash.slice(1).split('&').filter(Boolean);
  return Object.fromEntries(pairs.map((pair) => pair.split('=').map(decodeURIComponent)));
}

/** Waits until the fragment has these values; `undefined` is a key that is not there. */
export async function atFragment(page, wanted) {
  await page.waitForFunction((wanted) => {
    const pairs = location.hash.slice(1).split('&').filter(Boolean);
    const has = Object.fromEntries(pairs.map((pair) => pair.split('=').map(decodeURIComponent)));
    return Object.entries(wanted).every(([key, value]) => has[key] === (value ?? undefined));
  }, wanted);
}

/** What the command line says of a log. */
export function summary(...files) {
  return JSON.parse(execFileSync(cli, ['summary', ...files, '--json'], { maxBuffer: 1 << 28 }));
}

/** The figures that the page has to show, from a summary. */
export function figuresOf({ total }) {
  const { tokens, cost } = total;
  return {
    'tokens.total': tokens.total,
    'tokens.uncachedInput': tokens.uncachedInput,
    'tokens.cachedInput': tokens.cachedInput,
    'tokens.cacheCreation': tokens.cacheCreation,
    'tokens.output': tokens.output,
    'tokens.reasoning': tokens.reasoning,
    'cost.reported': cost.reportedUsd,
    'cost.comparable': cost.comparableUsd,
    'cost.list': cost.listUsd,
    calls: total.calls,
    'calls.failed': total.failedCalls,
    'calls.rejected': total.rejectedCalls,
    steps: total.steps,
    durationMs: total.durationMs,
  };
}

/** The figures on the page: exact values, null where unknown. Fails where two of a name differ. */
export async function figures(page) {
  const all = await page.locator('[data-figure]').evaluateAll((elements) =>
    elements.map((element) => [element.dataset.figure, element.dataset.value, element.textContent]),
  );
  const found = {};
  for (const [name, value, text] of all) {
    assert.match(value, /^(-?\d+(\.\d+)?)?$/, `${name}: a plain decimal or nothing`);
    assert.notEqual(text, '', `${name}: has a text`);
    if (value === '') assert.equal(text, '–', `${name}: unknown is a dash`);
    const number = value === '' ? null : Number(value);
    if (name in found) assert.equal(number, found[name], `${name}: the same wherever it stands`);
    found[name] = number;
  }
  return found;
}
