// The connection to a watched agent: what is said of its holes, its silence and its end, and the ways to connect again.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { accessible, fixture, pageTest } from './harness.mjs';
import { open, started, state } from './page.mjs';
import { agent } from './sse.mjs';
import { view } from './view.mjs';
import { T, bar, event, id } from './watched.mjs';

const S = 'ses_5c0ffee0dd1eAbCdEfGhIjKlMn';
const M = id('msg', 20);
const CREATED = event(10, 'session.created', { sessionID: S, info: { id: S, title: 'Live', version: '7.7.9', time: { created: T + 10, updated: T + 10 } } });
const text = (ms, words) => event(ms, 'message.part.updated', { sessionID: S, part: { id: id('prt', ms), sessionID: S, messageID: M, type: 'text', text: words, time: { start: T + ms, end: T + ms } } });
const BEAT = { type: 'server.heartbeat', properties: {} };
const ALLOW = { path: null, allow: [/^foreign request/, /Failed to load resource|net::ERR|blocked by CORS policy/, /^status (40[134]|50[02])/] };

const origin = (page) => new URL(page.url()).origin;
const TITLE = 'Connect to a running agent';

function liveTest(name, settings, body, options = ALLOW) {
  pageTest(name, { ...options, path: undefined }, async (all) => {
    const server = await agent({ origin: origin(all.page), ...settings });
    try {
      await body({ ...all, server });
    } finally {
      await server.close();
    }
  });
}

/** Types an address into the form that is there, and asks for its stream. */
async function type(page, address, password) {
  await page.getByLabel('Address').fill(address);
  if (password) await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

async function connect(page, server, password) {
  await started(page);
  await page.getByText(TITLE).click();
  await type(page, server.url, password);
  await bar(page).getByText(`Live from ${server.url}`).waitFor();
}

async function reconnected(page, server) {
  const again = server.listened();
  server.drop();
  await bar(page).getByRole('button', { name: 'Try now' }).click();
  await again;
}

for (const colorScheme of ['light', 'dark']) {
  liveTest(`a hole in the log is told by the bar, the limits and the findings, and by the saved log, ${colorScheme}`, { version: '7.7.9' }, async ({ page, server }) => {
    await connect(page, server);
    server.send(CREATED, text(30, 'Before.'));
    await page.locator('#events').getByText('Before.').first().waitFor();
    await reconnected(page, server);
    await bar(page).getByText('Reconnected once; what happened in between is missing.').waitFor();
    await reconnected(page, server);
    await bar(page).getByText('Reconnected 2 times; what happened in between is missing.').waitFor();
    await bar(page).getByText(`Live from ${server.url}`).waitFor();
    server.send(text(90, 'After.'));
    await page.locator('#events').getByText('After.').first().waitFor();
    await accessible(page);
    const download = page.waitForEvent('download');
    await bar(page).getByRole('button', { name: 'Save log' }).click();
    const saved = readFileSync(await (await download).path()).toString();
    await bar(page).getByRole('button', { name: 'Stop watching' }).click();
    await bar(page).getByText('Reconnected 2 times; what happened in between is missing.').waitFor();
    await page.reload();
    await open(page, { name: 'saved.jsonl', text: saved });
    await page.getByTitle('All that this log cannot tell').click();
    const limit = page.locator('li', { hasText: 'the stream broke and began anew 2 times: what happened in between is not in this log' });
    await limit.getByText(/^The findings lead to these places\./).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /\d+ findings?/ }).click();
    await page.getByText('the stream broke and began anew: what happened since line 3 is not in this log').first().waitFor();
    await accessible(page);
  }, { ...ALLOW, context: { colorScheme } });
}

liveTest('who stopped watching connects again, and the log goes on', {}, async ({ page, server }) => {
  await connect(page, server);
  server.send(CREATED, text(30, 'Before.'));
  await page.locator('#events').getByText('Before.').first().waitFor();
  await bar(page).getByRole('button', { name: 'Stop watching' }).click();
  await bar(page).getByText(`No longer watching ${server.url}`).waitFor();
  await accessible(page);
  await bar(page).getByRole('button', { name: 'Connect again' }).click();
  await bar(page).getByText(`Live from ${server.url}`).waitFor();
  server.send(text(90, 'After.'));
  await page.locator('#events').getByText('After.').first().waitFor();
  await page.locator('#events').getByText('Before.').first().waitFor();
  await bar(page).getByText('Reconnected once; what happened in between is missing.').waitFor();
  assert.equal(await bar(page).getByRole('button', { name: 'Connect again' }).count(), 0);
});

liveTest('a password that changed is asked for in the bar, and the log goes on', { password: 'kilo:old' }, async ({ page, server }) => {
  await connect(page, server, 'old');
  server.send(CREATED, text(30, 'Before.'));
  await page.locator('#events').getByText('Before.').first().waitFor();
  server.become({ password: 'kilo:new' });
  server.drop();
  await bar(page).getByText(`The connection to ${server.url} is over`).waitFor();
  await bar(page).getByRole('alert').getByText('The server wants a password, or another one: that of KILO_SERVER_PASSWORD or OPENCODE_SERVER_PASSWORD.').waitFor();
  await accessible(page);
  await bar(page).getByLabel('Password').fill('new');
  await bar(page).getByRole('button', { name: 'Connect again' }).click();
  await bar(page).getByText(`Live from ${server.url}`).waitFor();
  server.send(text(90, 'After.'));
  await page.locator('#events').getByText('After.').first().waitFor();
  await page.locator('#events').getByText('Before.').first().waitFor();
  assert.ok(!page.url().includes('new'), page.url());
});

liveTest('an agent that is gone is told at "Connect again"', {}, async ({ page, server }) => {
  await connect(page, server);
  server.send(CREATED);
  await bar(page).getByText('2 events').waitFor();
  await bar(page).getByRole('button', { name: 'Stop watching' }).click();
  await server.close();
  await bar(page).getByRole('button', { name: 'Connect again' }).click();
  await bar(page).getByRole('alert').getByText('Nothing answers at this address.').waitFor();
  await bar(page).getByRole('button', { name: 'Connect again' }).waitFor();
});

liveTest('with a log open the bar at the top leads to an agent, whose log takes its place', {}, async ({ page, server }) => {
  await open(page, fixture('step_stream/pruned_calls.jsonl'));
  await page.getByRole('button', { name: TITLE }).click();
  const dialog = page.getByRole('dialog', { name: TITLE });
  await accessible(page);
  // What fails leaves the log as it was.
  await type(page, 'http://127.0.0.1:1');
  await dialog.getByRole('alert').getByText('Nothing answers at this address.').waitFor();
  assert.match(await page.title(), /^pruned_calls\.jsonl/);
  assert.equal(await bar(page).count(), 0);
  await type(page, server.url);
  await bar(page).getByText(`Live from ${server.url}`).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.title.startsWith('live-'));
  // The same agent's log goes on; another's would take its place, which the dialog says.
  server.send(CREATED, text(30, 'Before.'));
  await page.locator('#events').getByText('Before.').first().waitFor();
  await page.getByRole('button', { name: TITLE }).click();
  await type(page, server.url);
  await bar(page).getByText('Reconnected once; what happened in between is missing.').waitFor();
  await page.locator('#events').getByText('Before.').first().waitFor();
});

liveTest("another agent's log takes the place of one that is watched only after a word", {}, async ({ page, server }) => {
  const other = await agent({ origin: origin(page) });
  try {
    await connect(page, server);
    server.send(CREATED, text(30, 'Of the first.'));
    await page.locator('#events').getByText('Of the first.').first().waitFor();
    await page.getByRole('button', { name: TITLE }).click();
    const dialog = page.getByRole('dialog', { name: TITLE });
    await type(page, other.url);
    await dialog.getByRole('alert').getByText(`What came from ${server.url} is gone from this page then. Save it first, if it is to be kept.`).waitFor();
    assert.deepEqual(other.seen, []);
    await accessible(page);
    await dialog.getByRole('button', { name: 'Connect all the same' }).click();
    await bar(page).getByText(`Live from ${other.url}`).waitFor();
    await page.locator('#events').getByText('Of the first.').first().waitFor({ state: 'detached' });
  } finally {
    await other.close();
  }
});

liveTest('on a phone the menu leads to an agent', {}, async ({ page, server }) => {
  await open(page, fixture('step_stream/pruned_calls.jsonl'));
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: TITLE }).click();
  await type(page, server.url);
  await bar(page).getByText('Connected. Nothing has happened since: ask the agent something.').waitFor();
  await accessible(page);
}, { ...ALLOW, context: { viewport: { width: 390, height: 844 } } });

liveTest('silence is told once the signs of life stay away, and no longer when something comes', {}, async ({ page, server }) => {
  await page.clock.install();
  await connect(page, server);
  server.send(CREATED);
  await bar(page).getByText('2 events').waitFor();
  await page.clock.fastForward(10_000);
  server.send(BEAT);
  await bar(page).getByText('3 events').waitFor();
  const quiet = bar(page).getByText(/^Nothing has come for \d+ s\.$/);
  await page.clock.fastForward(20_000);
  assert.equal(await quiet.count(), 0);
  await page.clock.fastForward(20_000);
  await quiet.waitFor();
  await bar(page).locator('.watch-dot.is-quiet').waitFor();
  await accessible(page);
  server.send(BEAT);
  await quiet.waitFor({ state: 'detached' });
  await bar(page).locator('.watch-dot.is-on').waitFor();
});

for (const [what, answer] of [
  ['500', [500, 'application/json', '{}']],
  ['a page', [200, 'text/html', '<h1>OpenCode</h1>']],
  ['JSON that is cut', [200, 'application/json', '[{"id":"per_1"']],
]) {
  liveTest(`a list of what is open that comes as ${what} is no list, and that is said`, { broken: { '/permission': answer }, open: { '/question': [] } }, async ({ page, server }) => {
    await connect(page, server);
    const note = bar(page).getByText('The server did not say what is open: requests from before are not known here.');
    await note.waitFor();
    assert.equal(await note.count(), 1);
  });
}

liveTest('a server that tells what is open is no reason for a word', { open: { '/permission': [], '/question': [] } }, async ({ page, server }) => {
  await connect(page, server);
  server.send(CREATED, text(30, 'Said.'));
  await page.locator('#events').getByText('Said.').first().waitFor();
  assert.equal(await bar(page).locator('.watch-notes').innerText(), '');
});

liveTest('a server of another version is told', { version: '7.7.9', open: { '/permission': [], '/question': [], '/suggestion': [] } }, async ({ page, server }) => {
  await connect(page, server);
  server.send(CREATED);
  await bar(page).getByText('2 events').waitFor();
  server.become({ version: '7.8.0' });
  await reconnected(page, server);
  await bar(page).getByText('The server was version 7.7.9 before, and is 7.8.0 now.').waitFor();
});

liveTest('addresses are taken as they are at hand', {}, async ({ page, server }) => {
  await started(page);
  await page.getByText(TITLE).click();
  await type(page, 'http://kilo:geheim@127.0.0.1:4096');
  await page.getByRole('alert').getByText('Type the password in its own field: it does not belong in an address.').waitFor();
  assert.equal(await page.getByLabel('Address').inputValue(), 'http://kilo:geheim@127.0.0.1:4096');
  await type(page, `${server.url}/event`);
  await bar(page).getByText(`Live from ${server.url}`).waitFor();
  await page.goto(page.url().split('#')[0]);
  await page.reload();
  await started(page);
  await page.getByText(TITLE).click();
  await type(page, new URL(server.url).port);
  await bar(page).getByText(`Live from ${server.url}`).waitFor();
});

liveTest('a password in a link is left out, also of the address bar', {}, async ({ page, server }) => {
  const address = page.url().split('#')[0];
  await page.goto('about:blank');
  await page.goto(`${address}#v=1&live=${encodeURIComponent(server.url.replace('//', '//kilo:geheim@'))}`);
  await started(page);
  await page.getByText('A password does not belong in an address: it was left out. Type it in its own field.').waitFor();
  assert.equal(await page.getByLabel('Address').inputValue(), server.url);
  await page.waitForFunction(() => !location.href.includes('geheim'));
  assert.deepEqual(server.seen, []);
});

pageTest('a server that keeps the page out: all commands can be copied', { ...ALLOW, path: undefined }, async ({ page }) => {
  const server = await agent();
  try {
    await page.goto(page.url().split('#')[0]);
    await started(page);
    await page.getByText(TITLE).click();
    await type(page, server.url);
    await page.getByRole('button', { name: 'Copy the steplens command' }).waitFor();
    await accessible(page);
  } finally {
    await server.close();
  }
});

pageTest('view FILE --connect: the log is open, and the agent is offered', ALLOW, async ({ page }) => {
  const server = await agent();
  const host = await view(fixture('step_stream/pruned_calls.jsonl'), '--connect', server.url.replace('http://', ''))();
  try {
    await page.goto(host.address);
    await state(page, 'ready');
    const offer = page.getByRole('region', { name: 'Running agent' });
    await offer.getByText('A running agent can be watched, too.').waitFor();
    await accessible(page);
    assert.deepEqual(server.seen, []);
    await offer.getByRole('button', { name: 'Connect …' }).click();
    assert.equal(await page.getByLabel('Address').inputValue(), `${host.url}live`);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    // The agent's own address, and no key.
    await bar(page).getByText(`Live from ${server.url}`).waitFor();
    assert.equal(await offer.count(), 0);
  } finally {
    await host.close();
    await server.close();
  }
});

pageTest('view --connect: an agent that was never there is said to be missing', ALLOW, async ({ page }) => {
  const host = await view('--connect', 'http://127.0.0.1:1')();
  try {
    await page.goto(host.address);
    await started(page);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('alert').getByText('The agent at http://127.0.0.1:1 does not answer. Is it running, and is this the port that it printed?').waitFor();
  } finally {
    await host.close();
  }
});
