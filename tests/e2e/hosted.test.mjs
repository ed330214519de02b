// What the command line puts up: a site of runs on a static host, and `steplens view` on this machine.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { accessible, cli, fixture, pageTest } from './harness.mjs';
import { detail, figures, figuresOf, rows, selected, state, summary } from './page.mjs';
import { serve } from './server.mjs';
import { env, view } from './view.mjs';

const SAMPLE = fileURLToPath(new URL('../../web/static/sample.jsonl', import.meta.url));
const OTHER = fixture('step_stream/case_bad_lines.jsonl');
const folder = mkdtempSync(join(tmpdir(), 'steplens-hosted-'));
after(() => rmSync(folder, { recursive: true }));

/** A test of pages of another server: what is asked for has to be its own. */
function hostTest(name, options, start, body) {
  pageTest(name, { path: null, allow: [/^foreign request/], ...options }, async ({ page, requests }) => {
    const host = await start();
    try {
      await body({ page, host });
      const elsewhere = requests.filter((url) => !url.startsWith(host.url) && !/^(blob|data):/.test(url));
      assert.deepEqual(elsewhere, []);
    } finally {
      await host.close();
    }
  });
}

async function site() {
  const at = join(folder, 'site');
  execFileSync(cli, ['site', at, SAMPLE, OTHER, '--force', '--quiet', '--title', 'Nightly runs'], { env });
  return serve(at, { base: '/some/runs/' });
}

for (const [what, settings] of Object.entries({
  light: { colorScheme: 'light', javaScriptEnabled: true },
  dark: { colorScheme: 'dark', javaScriptEnabled: true },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
})) {
  // axe itself is a script, which the page's policy forbids.
  hostTest(`the index of a site: ${what}`, { context: { ...settings, bypassCSP: true } }, site, async ({ page, host }) => {
    await page.goto(host.url);
    assert.equal(await page.title(), 'Nightly runs');
    const total = summary(SAMPLE).total;
    const row = page.locator('tbody tr').first();
    await row.getByText('completed').waitFor();
    assert.equal(await row.locator('[data-name=Calls]').textContent(), String(total.calls));
    assert.match(await row.locator('[data-name=Failed]').textContent(), new RegExp(`^${total.failedCalls}\\b`));
    assert.ok((await row.locator('[data-name=Cost]').textContent()).startsWith(`$${total.cost.reportedUsd}`));
    const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(width <= 0, `${width} pixels wider than the window`);
    await accessible(page);
  });
}

hostTest('a site is read without scripts', { context: { javaScriptEnabled: false } }, site, async ({ page, host }) => {
  await page.goto(host.url);
  assert.deepEqual(await page.locator('tbody th a').allTextContents(), ['sample.jsonl', 'case_bad_lines.jsonl']);
});

hostTest('a run of a site opens in its viewer, also at an event', {}, site, async ({ page, host }) => {
  await page.goto(host.url);
  await page.getByRole('link', { name: 'sample.jsonl' }).click();
  await state(page, 'ready');
  await rows(page).first().waitFor();
  assert.deepEqual(await figures(page), figuresOf(summary(SAMPLE)));
  await page.goto('about:blank');
  await page.goto(`${host.url}viewer/#v=1&log=../logs/sample.jsonl&e=19`);
  await selected(page).waitFor();
  assert.equal(await selected(page).getAttribute('data-line'), '19');
  await detail(page).getByText('cargo test --test limits').first().waitFor();
});

hostTest('view: the log is open, and a second one is added', {}, view(SAMPLE, OTHER), async ({ page, host }) => {
  await page.goto(host.address);
  await page.waitForFunction(() => document.title.startsWith('sample.jsonl + 1'));
  await state(page, 'ready');
  await rows(page).first().waitFor();
  assert.deepEqual(await figures(page), figuresOf(summary(SAMPLE, OTHER)));
  assert.equal(await page.locator('meta[name=steplens-offline]').count(), 0);
});

const growing = join(folder, 'growing.jsonl');
const lines = readFileSync(SAMPLE, 'utf8').split('\n').filter(Boolean).map((line) => `${line}\n`);
writeFileSync(growing, lines.slice(0, 10).join(''));
hostTest('view --follow: what is appended is seen', {}, view(growing, '--follow'), async ({ page, host }) => {
  await page.goto(host.address);
  await state(page, 'ready');
  const steps = (count) => page.waitForFunction((count) => document.querySelector('[data-figure=steps]')?.dataset.value === count, String(count));
  await steps(summary(growing).total.steps);
  // Half a line, then the rest of it.
  appendFileSync(growing, lines.slice(10, 30).join('') + lines[30].slice(0, 40));
  const half = join(folder, 'half.jsonl');
  writeFileSync(half, lines.slice(0, 30).join(''));
  await steps(summary(half).total.steps);
  appendFileSync(growing, lines[30].slice(40) + lines.slice(31).join(''));
  await steps(summary(SAMPLE).total.steps);
  assert.deepEqual(await figures(page), figuresOf(summary(SAMPLE)));
});

hostTest('view -: standard input is seen as it comes', {}, view('-'), async ({ page, host }) => {
  host.child.stdin.write(lines.slice(0, 20).join(''));
  await page.goto(host.address);
  host.child.stdin.write(lines.slice(20).join(''));
  const { total } = summary(SAMPLE);
  await page.waitForFunction((steps) => document.querySelector('[data-figure=steps]')?.dataset.value === steps, String(total.steps));
  assert.equal((await figures(page)).calls, total.calls);
});

const empty = join(folder, 'empty.jsonl');
writeFileSync(empty, '');
hostTest('view --follow: a log that is empty opens once something comes', {}, view(empty, '--follow'), async ({ page, host }) => {
  await page.goto(host.address);
  await page.getByText('empty.jsonl holds no record of a run yet: it is followed, and opens once it does.').waitFor();
  appendFileSync(empty, lines.slice(0, 30).join(''));
  await state(page, 'ready');
  await rows(page).first().waitFor();
  assert.equal(await page.getByText('holds no record of a run yet').count(), 0);
  appendFileSync(empty, lines.slice(30).join(''));
  const steps = String(summary(SAMPLE).total.steps);
  await page.waitForFunction((steps) => document.querySelector('[data-figure=steps]')?.dataset.value === steps, steps);
});

const replaced = join(folder, 'replaced.jsonl');
writeFileSync(replaced, lines.join(''));
hostTest('view --follow: a log that is replaced is read from its beginning, and its end stays said', { allow: [/^foreign request/, /404/] }, view(replaced, '--follow'), async ({ page, host }) => {
  await page.goto(host.address);
  await state(page, 'ready');
  await rows(page).first().waitFor();
  // Another run, exactly as long.
  writeFileSync(replaced, lines.join('').replaceAll('"prt_', '"prx_'));
  await page.getByText('replaced.jsonl was replaced or cut short on disk, and was read again from its beginning.').waitFor();
  // And one that is longer.
  const longer = readFileSync(OTHER, 'utf8') + lines.join('');
  writeFileSync(replaced, longer);
  const wanted = summary(replaced);
  await page.waitForFunction((steps) => document.querySelector('[data-figure=steps]')?.dataset.value === steps, String(wanted.total.steps));
  assert.deepEqual(await figures(page), figuresOf(wanted));
  rmSync(replaced);
  await page.getByText('replaced.jsonl is no longer followed: it is gone.').waitFor();
  assert.equal(await page.locator('.message').getAttribute('data-stays'), 'true', 'it stays until it is closed');
});

const deleted = join(folder, 'deleted.jsonl');
writeFileSync(deleted, lines.join(''));
hostTest('view: a log that was deleted is said to be', { allow: [/^foreign request/, /404/] }, view(deleted), async ({ page, host }) => {
  rmSync(deleted);
  await page.goto(host.address);
  const why = 'The log is gone: it was moved or deleted after `steplens view` was started.';
  const box = page.getByRole('dialog', { name: 'This link cannot be opened' });
  await box.getByText(why).waitFor();
  await box.getByRole('button', { name: 'Close', exact: true }).last().click();
  await state(page, 'empty');
  await page.getByText(why).waitFor();
});
