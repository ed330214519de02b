// Measures the built page in Chromium and prints `NAME VALUE` lines for `cargo xtask bench`.
//
//   node xtask/src/bench/browser.mjs DIST LOG     (CHROMIUM: the browser's program)
//
// Both sides are measured in the same browser, one after the other, on the same file: the page, and a worker in plain
// JavaScript that reads the file (`read`) or reads it and makes the same totals (`reference`).
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { serve } from '../../../tests/e2e/server.mjs';

const [dist, log] = process.argv.slice(2);
const say = (name, value) => console.log(`${name} ${value}`);
const REPEATS = 3;
const least = async (run) => {
  const all = [];
  for (let i = 0; i < REPEATS; i++) all.push(await run());
  return all.reduce((best, now) => (now.total < best.total ? now : best));
};

// ---- download

const download = { all: 0 };
for (const name of readdirSync(dist)) {
  const path = join(dist, name);
  // Fetched only where somebody makes a file of it.
  if (name === 'single.html') continue;
  if (!/\.(js|wasm|css|html|svg|bin|json)$/.test(name) || !statSync(path).isFile()) continue;
  const packed = gzipSync(readFileSync(path), { level: 9 }).length;
  const part = /^(app|worker)-.*\.(js|wasm)$/.exec(name);
  const kind = part ? `${part[1]}.${part[2]}` : name.split('.').at(-1);
  download[kind] = (download[kind] ?? 0) + packed;
  download.all += packed;
}
for (const [kind, size] of Object.entries(download)) say(`download.${kind}`, size);

// ---- plain JavaScript

const REFERENCE = `
const SLICE = 4 << 20, IN_FLIGHT = 4;
async function* slices(file) {
  const reads = [];
  let at = 0;
  const ask = () => { if (at < file.size) { reads.push(file.slice(at, at + SLICE).arrayBuffer()); at += SLICE; } };
  for (let i = 0; i < IN_FLIGHT; i++) ask();
  while (reads.length) { const bytes = await reads.shift(); ask(); yield bytes; }
}
async function read(file) {
  let bytes = 0;
  for await (const slice of slices(file)) bytes += slice.byteLength;
  return bytes;
}
async function reference(file) {
  const decoder = new TextDecoder();
  const totals = { records: 0, types: {}, calls: 0, failed: 0, tools: {}, input: 0, output: 0, reasoning: 0, cost: 0 };
  const take = (line) => {
    if (!line) return;
    const { type, part } = JSON.parse(line);
    totals.records++;
    totals.types[type] = (totals.types[type] ?? 0) + 1;
    if (type === 'tool_use') {
      totals.calls++;
      totals.tools[part.tool] = (totals.tools[part.tool] ?? 0) + 1;
      if (part.state.status === 'error') totals.failed++;
    } else if (type === 'step_finish') {
      totals.input += part.tokens.input;
      totals.output += part.tokens.output;
      totals.reasoning += part.tokens.reasoning;
      totals.cost += part.cost;
    }
  };
  let rest = '';
  for await (const slice of slices(file)) {
    const lines = (rest + decoder.decode(slice, { stream: true })).split('\\n');
    rest = lines.pop();
    lines.forEach(take);
  }
  take(rest);
  return totals.records;
}
onmessage = async ({ data: [what, file] }) => {
  const start = performance.now();
  const result = await { read, reference }[what](file);
  postMessage([performance.now() - start, result]);
};`;
const HTML = `<!doctype html><title>reference</title><input type="file"><script>
globalThis.run = (what) => new Promise((done) => {
  const worker = new Worker('reference.js');
  worker.onmessage = ({ data: [total, result] }) => { worker.terminate(); done({ total, result }); };
  worker.postMessage([what, document.querySelector('input').files[0]]);
});</script>`;
const plain = createServer((request, response) => {
  const isScript = request.url.endsWith('.js');
  response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
  response.end(isScript ? REFERENCE : HTML);
});
await new Promise((done) => plain.listen(0, '127.0.0.1', done));

const site = await serve(dist);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-dev-shm-usage'] });
say('browser', browser.version());

// The files of both pages are the same; its reads come from the system's cache after the first.
{
  const page = await (await browser.newContext()).newPage();
  await page.goto(`http://127.0.0.1:${plain.address().port}/`);
  await page.locator('input').setInputFiles(log);
  const read = await least(() => page.evaluate(() => globalThis.run('read')));
  say('read.ms', read.total.toFixed(1));
  const reference = await least(() => page.evaluate(() => globalThis.run('reference')));
  say('reference.ms', reference.total.toFixed(1));
  say('reference.records', reference.result);
  await page.context().close();
}

// ---- the page

/** In the page before all else: marks of time, long tasks, nodes; and a way to the worker's memory. */
function watch() {
  const seen = (globalThis.seen = { marks: {}, tasks: [], nodes: 0 });
  new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map(({ startTime, duration }) => [startTime, duration]))).observe({ type: 'longtask' });
  const Plain = Blob;
  globalThis.Blob = class extends Plain {
    constructor(parts, options) {
      const text = String(parts?.[0] ?? '');
      super(text.startsWith('import init from') ? [text.replace('await init(', 'globalThis.wasm = await init(')] : parts, options);
    }
  };
  addEventListener('change', (event) => event.target.type === 'file' && (seen.marks.open = performance.now()), true);
  const look = () => {
    seen.nodes = Math.max(seen.nodes, document.getElementsByTagName('*').length);
    if (!seen.marks.rows && document.querySelector('.row[data-line]')) seen.marks.rows = performance.now();
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  new MutationObserver(() => {
    const { state } = document.documentElement.dataset;
    seen.marks[state] ??= performance.now();
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-state'] });
}

async function opened(scroll) {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.addInitScript(watch);
  await page.goto(site.url);
  await page.locator('html[data-engine=ready]').waitFor();
  await page.locator('input[type=file]').first().setInputFiles(log);
  if (scroll) {
    // Up and down while it is read.
    await page.evaluate(async () => {
      for (let n = 0; document.documentElement.dataset.state !== 'ready'; n++) {
        const list = document.querySelector('#events');
        list?.scrollTo(0, n % 2 ? list.scrollHeight : list.scrollHeight / 3);
        await new Promise(requestAnimationFrame);
      }
    });
  }
  await page.locator('html[data-state=ready]').waitFor({ timeout: 600_000 });
  return page;
}

const total = async () => {
  const page = await opened(false);
  const { marks, tasks } = await page.evaluate(() => globalThis.seen);
  await page.context().close();
  return { total: marks.ready - marks.open, rows: marks.rows - marks.open, task: longest(tasks) };
};
const longest = (tasks) => tasks.reduce((most, [, duration]) => Math.max(most, duration), 0);

const load = await least(total);
say('load.ms', load.total.toFixed(1));
say('rows.ms', load.rows.toFixed(1));

const page = await opened(true);
const tasksSince = async (what) => {
  const tasks = await page.evaluate(() => globalThis.seen.tasks.splice(0));
  say(`task.${what}.ms`, longest(tasks).toFixed(0));
};
await tasksSince('load');
const rows = Number(await page.locator('#events').getAttribute('aria-rowcount'));
say('rows', rows);
// A window's height after the other would take minutes: 400 stations from the first row to the last.
await page.evaluate(async () => {
  const list = document.querySelector('#events');
  for (let n = 0; n <= 400; n++) {
    list.scrollTo(0, ((list.scrollHeight - list.clientHeight) * n) / 400);
    await new Promise(requestAnimationFrame);
  }
});
await tasksSince('scroll');
for (const key of ['G', 'g', 'n', 'n', 'N', 'j', 'k']) {
  await page.keyboard.press(key);
  await page.waitForTimeout(120);
}
await tasksSince('jump');
const chips = page.locator('#chips button[aria-pressed]:not(:disabled)');
for (let n = 0; n < Math.min(4, await chips.count()); n++) {
  await chips.nth(n).click();
  await page.waitForTimeout(200);
  await chips.nth(n).click();
  await page.waitForTimeout(200);
}
await tasksSince('filter');

// ---- the lab: from the edit to what it changed, the pause after the last key (350 ms) among it
await page.getByRole('tab', { name: /^Mapping/ }).click();
await page.locator('.lab-editor textarea').first().waitFor();
await tasksSince('other');
const edit = (text) =>
  page.evaluate(async (text) => {
    const area = document.querySelector('.lab-editor textarea');
    const shown = () => document.querySelector('[data-changed]');
    const before = shown();
    before?.setAttribute('data-stale', '');
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(area, text);
    area.dispatchEvent(new Event('input', { bubbles: true }));
    const start = performance.now();
    // Another figure than before, or none: the texts that are edited in give each another one.
    const was = before?.dataset.changed;
    while ((text && !shown()) || shown()?.dataset.changed === was) await new Promise((done) => setTimeout(done));
    return { total: performance.now() - start };
  }, text);
const overlay = (tool) => `id = "bench"\nversion = 1\n[[rule]]\nid = "bench.one"\ntools = ["${tool}"]\nevent = "consumed"\n`;
const tools = ['bash', 'read', 'edit'];
const again = await least(() => edit(overlay(tools.shift())));
say('again.ms', again.total.toFixed(1));
await edit('');
await tasksSince('again');
await page.getByRole('tab', { name: /^Timeline/ }).click();

// ---- search: a text that is nowhere, so that nothing ends it early
const search = async (text) =>
  page.evaluate(async (text) => {
    const box = document.querySelector('#search');
    const said = () => document.querySelector('.found [role=status]')?.textContent ?? '';
    const until = async (test) => {
      while (!test(said())) await new Promise((done) => setTimeout(done));
      return performance.now();
    };
    box.value = text;
    box.dispatchEvent(new Event('input', { bubbles: true }));
    const start = performance.now();
    const first = await until((said) => said.includes('Searching') || said.includes(`“${text}”`));
    const end = await until((said) => said.includes(`“${text}”`));
    return { total: end - start, first: first - start };
  }, text);
let count = 0;
const rare = await least(() => search(`zq unheard of ${count++}`));
say('search.rare.ms', rare.total.toFixed(1));
const common = await least(() => search(`expected \`;\` error: expected \`;\` ${['fn', 'let', 'if'][count++ % 3]}`));
say('search.common.ms', common.total.toFixed(1));
await tasksSince('search');
say('nodes', await page.evaluate(() => globalThis.seen.nodes));
const memory = await Promise.all(page.workers().map((worker) => worker.evaluate(() => globalThis.wasm?.memory.buffer.byteLength ?? 0)));
say('memory.bytes', Math.max(0, ...memory));

await browser.close();
await site.close();
plain.close();
