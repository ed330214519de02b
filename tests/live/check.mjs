// Watches a real agent's server with the page, and answers it from there. See README.md.
//
//   node tests/live/check.mjs http://127.0.0.1:4096 [--port 4198] [--model PROVIDER/MODEL] [--ask PROMPT] [--question PROMPT]
//
// The server has to allow the page's origin: `kilo serve --cors http://127.0.0.1:4198`. With `--view STEPLENS`, a path of the
// command line, the page is that of `steplens view --connect`, and no other origin has to be allowed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '4198' },
    model: { type: 'string' },
    ask: { type: 'string', default: 'Run the shell command: rm -rf /tmp/nothing-here' },
    question: { type: 'string' },
    view: { type: 'string' },
  },
});
const server = (positionals[0] ?? process.env.SERVER ?? '').replace(/\/$/, '');
assert.ok(server, 'the address of a server is wanted');
const dist = process.env.STEPLENS_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url));
const password = process.env.KILO_SERVER_PASSWORD ?? process.env.OPENCODE_SERVER_PASSWORD ?? '';
const user = process.env.LIVE_USER ?? (process.env.KILO_SERVER_PASSWORD ? 'kilo' : 'opencode');
const said = (text) => console.log(`ok  ${text}`);

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml' };
const site = createServer(async (request, response) => {
  const path = new URL(request.url, 'http://x').pathname;
  const body = await readFile(join(dist, path === '/' ? 'index.html' : path)).catch(() => null);
  response.writeHead(body ? 200 : 404, { 'content-type': TYPES[extname(path) || '.html'] ?? 'application/octet-stream' });
  response.end(body);
});
await new Promise((resolve) => site.listen(Number(values.port), '127.0.0.1', resolve));
let address = `http://127.0.0.1:${values.port}`;
const watched = server;
// What the address field holds: behind `steplens view` its own route to the server.
let typed = server;
let viewer = null;
if (values.view) {
  const env = { ...process.env, STEPLENS_VIEWER: dist };
  viewer = spawn(values.view, ['view', '--connect', server], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  address = await new Promise((resolve, reject) => {
    viewer.stdout.once('data', (text) => resolve(String(text).trim()));
    viewer.once('exit', (code) => reject(new Error(`steplens view ended with ${code}`)));
  });
  typed = `${address.split('#')[0]}live`;
  said('steplens view --connect prints an address');
}

/** Says something to the agent's server, as its own client does. */
async function call(method, path, body) {
  const response = await fetch(server + path, {
    method,
    headers: { 'content-type': 'application/json', ...(password && { authorization: `Basic ${btoa(`${user}:${password}`)}` }) },
    body: body && JSON.stringify(body),
  });
  assert.ok(response.ok, `${method} ${path}: ${response.status}`);
  const text = await response.text();
  return text ? JSON.parse(text) : null;
}
const [providerID, modelID] = values.model?.split(/\/(.*)/s) ?? [];
const model = providerID && { model: { providerID, modelID } };
const prompt = (session, text) => call('POST', `/session/${session}/message`, { ...model, parts: [{ type: 'text', text }] });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
let page = await browser.newPage();
try {
  await page.goto(address);
  await page.locator('html[data-engine=ready]').waitFor();
  const connect = () => page.getByRole('button', { name: 'Connect', exact: true }).click();
  if (viewer) {
    assert.equal(await page.getByLabel('Address').inputValue(), typed);
  } else {
    await page.getByText('Connect to a running agent').click();
    await page.getByLabel('Address').fill(server);
  }
  if (password) {
    for (const wrong of ['', `not ${password}`]) {
      await page.getByLabel(/^Password/).fill(wrong);
      await connect();
      await page.getByRole('alert').getByText('The server wants a password').waitFor();
      // The next try has to bring its own.
      await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    }
    said('without a password, and with a wrong one, the page says that the server wants another');
    await page.getByLabel(/^Password/).fill(password);
  }
  await connect();
  const bar = page.getByRole('region', { name: 'Live connection' });
  await bar.getByText(`Live from ${watched}`).waitFor();
  said('the page is connected');

  const session = (await call('POST', '/session', { title: 'watched' })).id;
  let run = prompt(session, values.ask);
  const asked = bar.locator('[data-ask]');
  await asked.first().waitFor({ timeout: 60_000 });
  said(`a permission is asked and shown: ${(await asked.first().locator('.mono').first().textContent()).trim()}`);
  assert.equal(await asked.first().getByRole('button', { name: 'Allow once' }).count(), 0);
  await bar.getByRole('checkbox', { name: 'Answer from here' }).check();
  let answers = 0;
  let over = false;
  run = run.finally(() => (over = true));
  while (!over) {
    const id = await asked.first().getAttribute('data-ask', { timeout: 500 }).catch(() => null);
    if (!id) continue;
    await page.locator(`[data-ask="${id}"]`).getByRole('button', { name: 'Allow once' }).click();
    await page.locator(`[data-ask="${id}"]`).waitFor({ state: 'detached' });
    answers += 1;
  }
  await run;
  assert.ok(answers > 0);
  said(`${answers} answered from the page, and the run went on to its end`);
  await page.locator('#events [data-kind=ask][data-status=answered]').nth(answers - 1).waitFor();
  const waits = await page.locator('#events [data-kind=ask] .d').allTextContents();
  said(`the page shows them with their waits: ${waits.join(', ')}`);
  await page.locator('[data-verdict=completed]').first().waitFor();
  said('the page says that the run completed');

  if (values.question) {
    const run = prompt(session, values.question);
    const question = bar.locator('[data-ask^=que_]');
    await question.waitFor({ timeout: 60_000 });
    await question.getByRole('radio').or(question.getByRole('checkbox')).first().check();
    await question.getByRole('button', { name: 'Send answer' }).click();
    await run;
    await question.waitFor({ state: 'detached' });
    said('a question is answered from the page, and the run went on to its end');
  }

  const download = page.waitForEvent('download');
  await bar.getByRole('button', { name: 'Save log' }).click();
  const lines = readFileSync(await (await download).path()).toString().trim().split('\n').map((line) => JSON.parse(line));
  assert.ok(lines.length > 10);
  said(`what it saw is saved as a log of ${lines.length} lines`);

  // The page is closed while the agent waits: nobody is held up by that, and the agent's own way of answering works.
  const second = prompt(session, values.ask);
  await asked.first().waitFor({ timeout: 60_000 });
  await page.close();
  page = null;
  said('the page is closed while a permission waits');
  let replies = 0;
  const pending = setInterval(async () => {
    const open = await call('GET', '/permission').catch(() => []);
    for (const ask of open ?? []) {
      await call('POST', `/permission/${ask.id}/reply`, { reply: 'once' }).catch(() => {});
      replies += 1;
    }
  }, 300);
  await second.finally(() => clearInterval(pending));
  assert.ok(replies > 0);
  said(`answered elsewhere (${replies}), and the run went on to its end`);
} finally {
  await browser.close();
  viewer?.kill();
  site.close();
  site.closeAllConnections();
}
