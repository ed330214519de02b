// `steplens view --connect`: page and stream of one origin, of a server that lets no other page read it.
import assert from 'node:assert/strict';
import { accessible, pageTest } from './harness.mjs';
import { started, state } from './page.mjs';
import { agent } from './sse.mjs';
import { view } from './view.mjs';

const S = 'ses_5c0ffee0dd1eAbCdEfGhIjKlMn';
const T = 1781000000000;
const id = (prefix, ms) => `${prefix}_${((BigInt(T + ms) * 4096n + 1n) & ((1n << 48n) - 1n)).toString(16).padStart(12, '0')}aAbBcCdDeEfFgG`;
const event = (ms, type, properties) => ({ id: id('evt', ms), type, properties: { sessionID: S, ...properties } });
const part = (ms, fields) => event(ms, 'message.part.updated', { part: { sessionID: S, messageID: 'msg_1', ...fields }, time: T + ms });
const CREATED = event(10, 'session.created', { info: { id: S, title: 'Live', version: '7.7.9', time: { created: T + 10, updated: T + 10 } } });
const BEGUN = [CREATED, part(20, { id: 'prt_1', type: 'step-start' })];
const PERMISSION = event(100, 'permission.asked', { id: 'per_1', permission: 'bash', patterns: ['rm *'], metadata: { command: 'rm -rf dist' }, always: ['rm *'] });
const ANSWERED = event(400, 'permission.replied', { requestID: 'per_1', reply: 'once' });
const input = { command: 'rm -rf dist' };
const FINISHED = [
  part(450, { id: 'prt_2', type: 'tool', tool: 'bash', callID: 'call_1', state: { status: 'completed', input, output: '', title: 'rm', metadata: { exit: 0 }, time: { start: T + 90, end: T + 450 } } }),
  part(460, { id: 'prt_3', type: 'text', text: 'Removed.', time: { start: T + 455, end: T + 460 } }),
  part(470, { id: 'prt_4', type: 'step-finish', reason: 'stop', cost: 0, tokens: { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } } }),
  event(480, 'session.idle', {}),
];

// The page is not of the tests' own site; lists that the server does not have, and the password that is wrong, are reported.
const REPORTED = { path: null, allow: [/^foreign request/, /Failed to load resource/, /^status 40[14]: http:\/\/127\.0\.0\.1:\d+\/[^/]+\/live\//] };

/** A test of the page at the address that `view --connect` prints, on a server. */
function connectTest(name, settings, body) {
  pageTest(name, REPORTED, async ({ page, requests }) => {
    const server = await agent(settings);
    const host = await view('--connect', server.url)();
    try {
      await page.goto(host.address);
      await started(page);
      await body({ page, server, host, bar: page.getByRole('region', { name: 'Live connection' }) });
      const elsewhere = requests.filter((url) => !url.startsWith(host.url) && !/^(blob|data):/.test(url));
      assert.deepEqual(elsewhere, [], 'everything comes from the one address');
    } finally {
      await host.close();
      await server.close();
    }
  });
}

const connect = (page) => page.getByRole('button', { name: 'Connect', exact: true }).click();

connectTest('view --connect: a session is seen live, its permission is answered, and the run goes on', {}, async ({ page, server, host, bar }) => {
  // The address only fills the field.
  assert.equal(await page.getByLabel('Address').inputValue(), `${host.url}live`);
  assert.deepEqual(server.seen, []);
  await accessible(page);
  await connect(page);
  await bar.getByText(`Live from ${server.url}`).waitFor();
  server.send(...BEGUN, PERMISSION);
  const asked = bar.locator('[data-ask=per_1]');
  await asked.getByText('rm -rf dist').waitFor();
  await bar.getByRole('checkbox', { name: 'Answer from here' }).check();
  await asked.getByRole('button', { name: 'Allow once' }).click();
  await bar.getByText('The answer was taken.').waitFor();
  assert.deepEqual(server.posts, [{ path: '/permission/per_1/reply', body: { reply: 'once' } }]);
  server.send(ANSWERED, ...FINISHED);
  await page.locator('#events [data-kind=ask][data-status=answered]').getByText('300 ms').waitFor();
  await page.locator('[data-verdict=completed]').first().waitFor();
  await page.locator('#events').getByText('Removed.').first().waitFor();
  assert.equal(await asked.count(), 0);
});

connectTest('view --connect: a wrong password is said to be, and the right one connects', { password: 'opencode:secret' }, async ({ page, server, host, bar }) => {
  const alert = page.getByRole('alert');
  await connect(page);
  await alert.getByText('The server wants a password').waitFor();
  await page.getByLabel(/^Password/).fill('wrong');
  await connect(page);
  await alert.getByText('The server wants a password').waitFor();
  await state(page, 'empty');
  await page.getByLabel(/^Password/).fill('secret');
  await connect(page);
  await bar.getByText(`Live from ${server.url}`).waitFor();
  server.send(...BEGUN, PERMISSION);
  await bar.getByRole('checkbox', { name: 'Answer from here' }).check();
  await bar.locator('[data-ask=per_1]').getByRole('button', { name: 'Reject' }).click();
  await bar.getByText('The rejection was taken.').waitFor();
  assert.deepEqual(server.posts, [{ path: '/permission/per_1/reply', body: { reply: 'reject' } }]);
  assert.ok(!page.url().includes('secret'), page.url());
});

connectTest('view --connect: an agent that is gone is said to be', {}, async ({ page, server, bar }) => {
  await connect(page);
  await bar.getByText(/^Live from/).waitFor();
  server.send(...BEGUN);
  await bar.getByText('3 events').waitFor();
  await server.close();
  await bar.getByText(/^Disconnected: .*Trying again in/).waitFor();
});
