// What the browser tests share: `pageTest` opens the built page in a fresh browser profile, and
// fails the test if the console, the page or the network reports anything it shouldn't.
//
//   import assert from 'node:assert/strict';
//   import { accessible, dropFiles, fixture, pageTest } from './harness.mjs';
//
//   pageTest('opens a log', async ({ page }) => {
//     await page.locator('input[type=file]').setInputFiles(fixture('step_stream/ok.jsonl'));
//     await accessible(page);
//   });
//
// `cargo xtask test --only e2e` runs all; one file alone: `node --test tests/e2e/smoke.test.mjs`.
// Set by xtask, with the defaults below: CHROMIUM, STEPLENS_DIST, STEPLENS_CLI.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from './server.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const results = join(root, 'tests/e2e/results');

/** The built page's folder. */
export const dist = process.env.STEPLENS_DIST ?? join(root, 'dist');
/** The built command line. */
export const cli = process.env.STEPLENS_CLI ?? join(root, 'target/release/steplens');

/** A name for a server that is none of the page's: unlike 127.0.0.1, which the page may ask for a live run, it is no host that the policy lists. */
export const ELSEWHERE = 'elsewhere.test';
const FLAGS = [
  `--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let running;
/** The browser of this test file, started when first asked for. */
export function browser() {
  running ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  return running;
}
after(async () => (await running)?.close());

/**
 * A test with the page open. Its function gets:
 * - `page`, `context`: Playwright's
 * - `site`: the server (`url`, `origin`, `hits`)
 * - `problems`: what the console, the page and the network reported; empty, or the test fails
 * - `requests`: the URLs asked for by the page and its workers
 *
 * @param {string} name
 * @param {object} options
 * @param {string} [options.path] opened below the site, as `#v=1&…`; `null` opens nothing
 * @param {string} [options.base] where the site lies, as `/repo/`
 * @param {Function} [options.change] see `serve`
 * @param {RegExp[]} [options.allow] problems that this test provokes
 * @param {object} [options.context] for Playwright's newContext: viewport, colorScheme, offline …
 * @param {number} [options.timeout] in ms
 * @param {(opened: object) => Promise<void>} body
 */
export function pageTest(name, ...rest) {
  const body = rest.pop();
  const { path = '', base, change, allow = [], context: settings, timeout = 60_000 } = rest[0] ?? {};
  test(name, { timeout }, async () => {
    const site = await serve(dist, { base, change });
    const context = await (await browser()).newContext(settings);
    try {
      const watched = await watch(context, site);
      const page = await context.newPage();
      try {
        if (path !== null) await page.goto(site.url + path);
        await body({ page, context, site, ...watched });
      } catch (error) {
        await screenshot(page, `failed ${name}`).catch(() => {});
        if (watched.problems.length) error.message += `\nReported meanwhile:\n${watched.problems.join('\n')}`;
        throw error;
      }
      const unexpected = watched.problems.filter((text) => !allow.some((pattern) => pattern.test(text)));
      assert.deepEqual(unexpected, [], 'problems reported by the browser');
    } finally {
      await context.close();
      await site.close();
    }
  });
}

/** Collects what goes wrong and what is asked for, in all pages and workers of a context. */
async function watch(context, site) {
  const problems = [];
  const requests = [];
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      problems.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    }
  });
  context.on('weberror', (event) => problems.push(`uncaught: ${event.error().stack ?? event.error()}`));
  context.on('request', (request) => {
    const url = request.url();
    requests.push(url);
    const own = url.startsWith(`${site.origin}/`) || /^(blob|data):/.test(url);
    if (!own) problems.push(`foreign request: ${request.method()} ${url}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) problems.push(`status ${response.status()}: ${response.url()}`);
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  return { problems, requests };
}

/** The path of a file in tests/fixtures. */
export function fixture(name) {
  return join(root, 'tests/fixtures', name);
}

/**
 * Drops files on the element, as from the desktop.
 * @param {import('playwright-core').Locator} target
 * @param {(string | {name: string, text: string})[]} files paths, or contents
 */
export async function dropFiles(target, files) {
  const contents = files.map((file) =>
    typeof file === 'string'
      ? { name: basename(file), base64: readFileSync(file, 'base64') }
      : { name: file.name, base64: Buffer.from(file.text).toString('base64') },
  );
  const transfer = await target.page().evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const { name, base64 } of list) {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      data.items.add(new File([bytes], name));
    }
    return data;
  }, contents);
  for (const event of ['dragenter', 'dragover', 'drop']) {
    await target.dispatchEvent(event, { dataTransfer: transfer });
  }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Fails, with a list, if axe finds a violation of WCAG 2.2 AA or of its best practices.
 * @param {import('playwright-core').Page} page
 * @param {{include?: string, disable?: string[]}} [options] a selector; ids of rules to leave out
 */
export async function accessible(page, { include, disable = [] } = {}) {
  await page.evaluate(axeSource);
  const found = await page.evaluate(
    async ([selector, ids]) => {
      // Off by itself, as it is new in WCAG 2.2.
      const rules = { 'target-size': { enabled: true }, ...Object.fromEntries(ids.map((id) => [id, { enabled: false }])) };
      const { violations } = await globalThis.axe.run(selector ?? document, { rules });
      return violations.map(
        ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ target, html }) => `  ${target}  ${html.slice(0, 120)}`).join('\n')}`,
      );
    },
    [include, disable],
  );
  assert.deepEqual(found, [], `axe found:\n${found.join('\n')}`);
}

/** Writes tests/e2e/results/NAME.png and returns its path. */
export async function screenshot(page, name, options = {}) {
  mkdirSync(results, { recursive: true });
  const path = join(results, `${name.replace(/[^\w.-]+/g, '-')}.png`);
  await page.screenshot({ path, ...options });
  return path;
}
