// One HTML file: opened from disk with the network cut, in a fresh profile, it shows what the command line says of the log.
// Needs a built page as it is shipped: a release build, or `STEPLENS_SHIP=1 trunk build`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { accessible, browser, cli, dist, fixture, pageTest, screenshot } from './harness.mjs';
import { detail, figures, figuresOf, line, open, rows, selected, started, state, summary, tab } from './page.mjs';
import { SECRETS, dialog, holdsNone, review, secretLog, ways } from './share.mjs';

const SAMPLE = fileURLToPath(new URL('../../web/static/sample.jsonl', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'steplens-single-'));
after(() => rmSync(folder, { recursive: true }));

/** A file by the command line: its path. */
function exported(name, ...args) {
  const path = join(folder, name);
  const env = { ...process.env, STEPLENS_VIEWER: dist };
  execFileSync(cli, ['export', ...args, '-o', path, '--quiet'], { env });
  return path;
}

/** A test with such a file open, from disk, in a fresh profile, offline. */
function fileTest(name, make, ...rest) {
  const body = rest.pop();
  const { fragment = '', context: settings } = rest[0] ?? {};
  test(name, { timeout: 120_000 }, async () => {
    const path = typeof make === 'string' ? make : await make();
    const context = await (await browser()).newContext({ offline: true, ...settings });
    const problems = [];
    try {
      context.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) problems.push(message.text());
      });
      context.on('weberror', (event) => problems.push(String(event.error())));
      context.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(pathToFileURL(path).href)) problems.push(`request: ${url.slice(0, 200)}`);
      });
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`);
        });
      });
      const page = await context.newPage();
      try {
        await page.goto(pathToFileURL(path).href + fragment);
        await body({ page, context, path });
      } catch (error) {
        await screenshot(page, `failed ${name}`).catch(() => {});
        if (problems.length) error.message += `\nReported meanwhile:\n${problems.join('\n')}`;
        throw error;
      }
      assert.deepEqual(problems, []);
    } finally {
      await context.close();
    }
  });
}

/** Saves a file by the share dialog: its path. */
async function shared(page, name) {
  await review(page);
  await ways(page);
  await dialog(page).getByRole('button', { name: /^Files/ }).click();
  const download = page.waitForEvent('download');
  await dialog(page).getByRole('button', { name: /^Save .*\.html/ }).click();
  const path = join(folder, name);
  await (await download).saveAs(path);
  await dialog(page).getByText(/is saved: /).waitFor();
  return path;
}

/** The logs in a file, unpacked. */
function logsIn(path) {
  const blocks = readFileSync(path, 'utf8').matchAll(/<script type="application\/octet-stream" data-log="([^"]*)">([^<]*)</g);
  return [...blocks].map(([, name, data]) => [name, gunzipSync(Buffer.from(data, 'base64'))]);
}

for (const [what, files] of Object.entries({
  sample: [SAMPLE],
  'an export and its run': [fixture('export/parent.json'), fixture('export/run_cut.jsonl')],
  'bytes that are no UTF-8, and the like': [fixture('step_stream/case_bad_lines.jsonl')],
})) {
  fileTest(`from the command line: ${what}`, () => exported(`${what}.html`, ...files), async ({ page }) => {
    await state(page, 'ready');
    await rows(page).first().waitFor();
    assert.deepEqual(await figures(page), figuresOf(summary(...files)));
  });
}

fileTest('a packed log with an odd name', async () => {
  const log = join(folder, '<script>"&\'.jsonl.gz');
  writeFileSync(log, gzipSync(readFileSync(SAMPLE)));
  return exported('odd.html', log);
}, async ({ page }) => {
  await state(page, 'ready');
  assert.equal(await page.title(), '<script>"&\'.jsonl.gz – Steplens');
  assert.deepEqual(await figures(page), figuresOf(summary(SAMPLE)));
});

fileTest('opens at the event that it was made for', () => exported('line.html', SAMPLE, '--line', '19'), async ({ page }) => {
  await state(page, 'ready');
  await selected(page).waitFor();
  assert.equal(await selected(page).getAttribute('data-line'), '19');
  await detail(page).getByText('cargo test --test limits').first().waitFor();
});

fileTest('the address counts more', () => exported('address.html', SAMPLE, '--line', '19'), { fragment: '#v=1&tab=tools' }, async ({ page }) => {
  await state(page, 'ready');
  assert.equal(await page.getByRole('tab', { name: 'Tools' }).getAttribute('aria-selected'), 'true');
  assert.equal(await selected(page).count(), 0);
});

fileTest('every tab, a search, and another log', () => exported('tabs.html', SAMPLE), async ({ page }) => {
  await state(page, 'ready');
  for (const name of ['Tools', 'Tokens & cost', 'Files', 'Mapping', 'Messages', 'Timeline']) await tab(page, name);
  await page.getByRole('searchbox', { name: 'Search events' }).fill('retry-after');
  await page.getByText(/^\d+ hits?$|of \d+ hits?$/).first().waitFor();
  await rows(page).first().click();
  await detail(page).getByRole('tab', { name: 'Raw' }).click();
});

fileTest('without outputs and secrets it is still the same run', () => exported('less.html', SAMPLE, '--no-outputs', '--redact'), async ({ page, path }) => {
  await state(page, 'ready');
  const { durationMs, calls, steps } = figuresOf(summary(SAMPLE));
  const shown = await figures(page);
  assert.deepEqual([shown.durationMs, shown.calls, shown.steps], [durationMs, calls, steps]);
  await page.goto(`${pathToFileURL(path).href}#v=1&e=12`);
  await detail(page).getByRole('tab', { name: 'Output' }).click();
  await detail(page).getByText('[output left out: 123 bytes]').waitFor();
});

for (const colorScheme of ['light', 'dark']) {
  fileTest(`axe: one file, ${colorScheme}`, () => exported(`axe-${colorScheme}.html`, SAMPLE), { context: { colorScheme, bypassCSP: true } }, async ({ page }) => {
    await state(page, 'ready');
    await rows(page).first().waitFor();
    await accessible(page);
  });
}

pageTest('from the page: what is masked is not in it, and it opens at the same event', async ({ page }) => {
  const log = join(folder, 'secret.jsonl');
  writeFileSync(log, secretLog());
  await started(page);
  await open(page, [log, SAMPLE]);
  await line(page, 5).first().click();
  await detail(page).waitFor();
  const path = await shared(page, 'shared.html');
  await accessible(page);
  assert.deepEqual(logsIn(path).map(([name]) => name), ['secret.jsonl', 'sample.jsonl']);
  holdsNone('the file', readFileSync(path));
  for (const [name, log] of logsIn(path)) holdsNone(name, log);
  assert.match(readFileSync(path, 'utf8'), /data-start="v=1&#38;e=secret\.jsonl:5\.prt_0005"/);
  made = { path, figures: figuresOf(summary(log, SAMPLE)) };
});

let made;
fileTest('what the page made opens from disk, and makes another', () => made.path, async ({ page, path }) => {
  await state(page, 'ready');
  assert.deepEqual(await figures(page), made.figures);
  await selected(page).waitFor();
  assert.equal(await selected(page).getAttribute('data-line'), '5');
  await detail(page).getByText('[REDACTED:').first().waitFor();
  const again = await shared(page, 'again.html');
  assert.deepEqual(logsIn(again), logsIn(path));
  // The same viewer, to the last byte: what a page wrote is the template of the next.
  const without = (path) => readFileSync(path, 'utf8').replace(/<script type="application\/octet-stream" data-.*?<\/script>\n/gs, '');
  assert.equal(without(again), without(path));
  assert.equal(without(again).trim(), readFileSync(join(dist, 'single.html'), 'utf8').trim());
  made = { ...made, again };
});

fileTest('and so does that', () => made.again, async ({ page }) => {
  await state(page, 'ready');
  assert.deepEqual(await figures(page), made.figures);
  assert.ok(!(await page.content()).includes(SECRETS.password));
});

test('its size is the viewer and the log, compressed', () => {
  const viewer = statSync(join(dist, 'single.html')).size;
  const size = statSync(exported('size.html', SAMPLE)).size;
  const packed = (gzipSync(readFileSync(SAMPLE), { level: 9 }).length * 4) / 3;
  assert.ok(Math.abs(size - viewer - packed) < 400, `${size} = ${viewer} + ${packed}`);
});
