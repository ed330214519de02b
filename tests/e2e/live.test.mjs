// A running agent, watched: a fake server of either kind, connections that break, and servers that keep the page out.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { accessible, pageTest } from './harness.mjs';
import { started, state } from './page.mjs';
import { agent } from './sse.mjs';

const S = 'ses_5c0ffee0dd1eAbCdEfGhIjKlMn';
const T = 1781000000000;
const id = (prefix, ms) => `${prefix}_${((BigInt(T + ms) * 4096n + 1n) & ((1n << 48n) - 1n)).toString(16).padStart(12, '0')}aAbBcCdDeEfFgG`;
const event = (ms, type, properties) => ({ id: id('evt', ms), type, properties });
const CREATED = event(10, 'session.created', { sessionID: S, info: { id: S, title: 'Live', version: '7.7.9', time: { created: T + 10, updated: T + 10 } } });
const PERMISSION = event(100, 'permission.asked', { id: 'per_1', sessionID: S, permission: 'bash', patterns: ['rm *'], metadata: { command: 'rm -rf dist' }, always: ['rm *'] });
const ANSWERED = event(400, 'permission.replied', { sessionID: S, requestID: 'per_1', reply: 'once' });
const QUESTION = event(500, 'question.asked', { id: 'que_1', sessionID: S, questions: [{ header: 'Pick', question: 'Which?', options: [{ label: 'A' }, { label: 'B' }], multiple: true }] });

// Requests to the agent's own routes are what these tests are about; and the browser itself reports what failed.
const TO_AGENT = /^foreign request: \w+ http:\/\/127\.0\.0\.1:\d+\/(event|permission|question|suggestion|session|global)/;
const REPORTED = { allow: [TO_AGENT, /CORS|Failed to load resource|net::ERR|^status 40[14]/] };

const origin = (page) => new URL(page.url()).origin;
const bar = (page) => page.getByRole('region', { name: 'Live connection' });

/** Connects by what a user types. */
async function connect(page, server, { user, password } = {}) {
  await started(page);
  const section = page.locator('details.connect');
  if (!(await section.evaluate((details) => details.open))) await page.getByText('Connect to a running agent').click();
  await page.getByLabel('Address').fill(server);
  if (user) await page.getByLabel('User').fill(user);
  if (password) await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

pageTest('a session is shown as it happens, and a permission and a question are answered', REPORTED, async ({ page }) => {
  const server = await agent({ origin: origin(page) });
  try {
    await connect(page, server.url);
    await bar(page).getByText(`Live from ${server.url}`).waitFor();
    server.send(CREATED, PERMISSION);
    const asked = bar(page).locator('[data-ask=per_1]');
    await asked.getByText('rm -rf dist').waitFor();
    // Nothing can be sent before the user switched it on.
    assert.equal(await asked.getByRole('button').count(), 0);
    await accessible(page);
    await bar(page).getByRole('checkbox', { name: 'Answer from here' }).check();
    await asked.getByRole('button', { name: 'Allow once' }).click();
    await bar(page).getByText('The answer was taken.').waitFor();
    assert.deepEqual(server.posts, [{ path: '/permission/per_1/reply', body: { reply: 'once' } }]);
    server.send(ANSWERED);
    await page.locator('#events [data-kind=ask][data-status=answered]').getByText('300 ms').waitFor();
    assert.equal(await asked.count(), 0);

    server.send(QUESTION);
    const question = bar(page).locator('[data-ask=que_1]');
    await question.getByRole('checkbox', { name: 'B' }).check();
    await question.getByLabel('Own answer').fill('C "too"');
    await accessible(page);
    await question.getByRole('button', { name: 'Send answer' }).click();
    await question.getByText('The answer was taken.').waitFor();
    assert.deepEqual(server.posts[1], { path: '/question/que_1/reply', body: { answers: [['B', 'C "too"']] } });

    const download = page.waitForEvent('download');
    await bar(page).getByRole('button', { name: 'Save log' }).click();
    const saved = readFileSync(await (await download).path()).toString().trim().split('\n').map((line) => JSON.parse(line));
    // The event without an id has no time but the one at which it came.
    assert.equal(saved[0].event.type, 'server.connected');
    assert.deepEqual(saved.slice(1), [CREATED, PERMISSION, ANSWERED, QUESTION]);
    await bar(page).getByRole('button', { name: 'Stop watching' }).click();
    await bar(page).getByText(`No longer watching ${server.url}`).waitFor();
  } finally {
    await server.close();
  }
});

pageTest('an older server takes the answer by its own route', REPORTED, async ({ page }) => {
  const server = await agent({ origin: origin(page), surface: 'old' });
  try {
    await connect(page, server.url);
    await bar(page).waitFor();
    const ask = { id: 'per_9', type: 'write', title: 'Create a.txt', sessionID: S, messageID: 'm', metadata: {}, time: { created: T + 50 } };
    server.send(CREATED, { type: 'permission.updated', properties: ask });
    await bar(page).getByRole('checkbox', { name: 'Answer from here' }).check();
    await bar(page).locator('[data-ask=per_9]').getByRole('button', { name: 'Reject' }).click();
    await bar(page).getByText('The rejection was taken.').waitFor();
    assert.deepEqual(server.posts, [{ path: `/session/${S}/permissions/per_9`, body: { response: 'reject' } }]);
  } finally {
    await server.close();
  }
});

pageTest('a stream that breaks is asked for again, and what came stays', REPORTED, async ({ page }) => {
  const server = await agent({ origin: origin(page) });
  try {
    await connect(page, server.url);
    await bar(page).waitFor();
    server.send(CREATED);
    await page.getByRole('button', { name: 'All 1' }).or(bar(page)).first().waitFor();
    const again = server.listened();
    server.drop();
    await bar(page).getByText(/Disconnected: the stream broke\. Trying again in 1 s/).waitFor();
    await again;
    await bar(page).getByText(`Live from ${server.url}`).waitFor();
    server.send(PERMISSION);
    await bar(page).locator('[data-ask=per_1]').waitFor();
  } finally {
    await server.close();
  }
});

pageTest('what was open before the page connected is shown, told apart, and answered', REPORTED, async ({ page }) => {
  const listed = { ...PERMISSION.properties, id: id('per', 40) };
  const missed = { ...QUESTION.properties, id: id('que', 60) };
  const open = { '/permission': [listed], '/question': [missed] };
  const server = await agent({ origin: origin(page), open });
  try {
    await connect(page, server.url);
    const asked = bar(page).locator(`[data-ask=${listed.id}]`);
    await asked.getByText(/Was open when the page connected: asked .*10:13:20\.040 UTC.* \(derived from the request's id\)\./).waitFor();
    const row = page.locator('#events [data-kind=ask]').filter({ hasText: 'rm -rf dist' });
    await row.getByText('open when connected').waitFor();
    await accessible(page);
    // Its event comes all the same: it is one request, and no longer one without an event.
    server.send(CREATED, event(41, 'permission.asked', listed));
    await asked.getByText(/Was open/).waitFor({ state: 'detached' });
    assert.equal(await page.locator('#events [data-kind=ask]').count(), 2);
    // The stream breaks; meanwhile the question is answered elsewhere.
    open['/question'] = [];
    const again = server.listened();
    server.drop();
    await page.getByRole('button', { name: 'Try now' }).click();
    await again;
    await bar(page).locator(`[data-ask=${missed.id}]`).waitFor({ state: 'detached' });
    await page.locator('#events [data-kind=ask]').getByText('the stream broke: its answer was missed').waitFor();
    await bar(page).getByRole('checkbox', { name: 'Answer from here' }).check();
    await asked.getByRole('button', { name: 'Always allow' }).click();
    await bar(page).getByText('The answer was taken.').waitFor();
    assert.deepEqual(server.posts, [{ path: `/permission/${listed.id}/reply`, body: { reply: 'always' } }]);
    server.send(event(1040, 'permission.replied', { sessionID: S, requestID: listed.id, reply: 'always' }));
    await page.locator('#events [data-kind=ask][data-status=answered]').getByText('999 ms').waitFor();
  } finally {
    await server.close();
  }
});

pageTest('a server that does not list what is open changes nothing', REPORTED, async ({ page }) => {
  const server = await agent({ origin: origin(page) });
  try {
    await connect(page, server.url);
    await bar(page).waitFor();
    server.send(CREATED, PERMISSION);
    await bar(page).locator('[data-ask=per_1]').waitFor();
    const again = server.listened();
    server.drop();
    await page.getByRole('button', { name: 'Try now' }).click();
    await again;
    // Nobody can tell whether it is still open: it stays, and says so.
    await bar(page).locator('[data-ask=per_1]').getByText('The stream broke since: it may have been answered.').waitFor();
    await bar(page).getByText('4 events').waitFor();
    assert.deepEqual([...new Set(server.seen)].sort(), ['GET /event', 'GET /global/health', 'GET /permission', 'GET /question']);
  } finally {
    await server.close();
  }
});

pageTest('a suggestion waits while its session is idle, and is taken up', REPORTED, async ({ page }) => {
  const offered = { sessionID: S, blocking: false, tool: { messageID: 'msg_1', callID: 'call_9' } };
  const shown = event(600, 'suggestion.shown', { ...offered, id: 'sug_1', text: 'Review the changes?', actions: [{ label: 'Review', prompt: '/review' }, { label: 'Commit', prompt: '/commit' }] });
  const listed = { ...offered, id: id('sug', 70), text: 'Tidy up?', actions: [{ label: 'Tidy', prompt: 'tidy' }] };
  const server = await agent({ origin: origin(page), version: '7.7.9', open: { '/permission': [], '/question': [], '/suggestion': [listed] } });
  try {
    await connect(page, server.url);
    await bar(page).locator(`[data-ask=${listed.id}]`).getByText(/Was open when the page connected/).waitFor();
    server.send(CREATED, shown, event(601, 'session.idle', { sessionID: S }));
    const asked = bar(page).locator('[data-ask=sug_1]');
    await asked.getByText('Offers: Review · Commit').waitFor();
    await bar(page).getByRole('checkbox', { name: 'Answer from here' }).check();
    await accessible(page);
    await asked.getByRole('button', { name: 'Commit' }).click();
    await bar(page).getByText('The answer was taken.').waitFor();
    server.send(event(1000, 'suggestion.accepted', { sessionID: S, requestID: 'sug_1', index: 1, action: shown.properties.actions[1] }));
    const row = page.locator('#events [data-kind=ask][data-status=answered]');
    await row.getByText('accepted: Commit').waitFor();
    await row.getByText('400 ms').waitFor();
    await bar(page).locator(`[data-ask=${listed.id}]`).getByRole('button', { name: 'Dismiss' }).click();
    await bar(page).getByText('It was dismissed.').waitFor();
    assert.deepEqual(server.posts, [
      { path: '/suggestion/sug_1/accept', body: { index: 1 } },
      { path: `/suggestion/${listed.id}/dismiss`, body: {} },
    ]);
  } finally {
    await server.close();
  }
});

pageTest('a server that keeps the page out: the page says how to start it', REPORTED, async ({ page }) => {
  const server = await agent();
  try {
    await connect(page, server.url);
    const problem = page.getByRole('alert');
    await problem.getByText(`kilo serve --port ${new URL(server.url).port} --cors ${origin(page)}`).waitFor();
    await problem.getByText(`steplens view --connect ${server.url}`).waitFor();
    await accessible(page);
    await state(page, 'empty');
  } finally {
    await server.close();
  }
});

pageTest('a password goes in a header, and a wrong one is said to be', REPORTED, async ({ page }) => {
  const server = await agent({ origin: origin(page), password: 'kilo:secret' });
  try {
    await connect(page, server.url, { password: 'wrong' });
    await page.getByRole('alert').getByText('The server wants a password').waitFor();
    // Without a name both harnesses' own are tried.
    await connect(page, server.url, { password: 'secret' });
    await bar(page).getByText(`Live from ${server.url}`).waitFor();
    assert.ok(!page.url().includes('secret'), page.url());
  } finally {
    await server.close();
  }
});

pageTest('an address in a link fills the field and connects to nothing', async ({ page }) => {
  const server = await agent({ origin: origin(page) });
  try {
    await page.goto(`${page.url().split('#')[0]}#v=1&live=${encodeURIComponent(server.url)}`);
    await page.reload();
    await started(page);
    assert.equal(await page.getByLabel('Address').inputValue(), server.url);
    await page.getByLabel('Address').fill('http://example.com');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('alert').getByText('The page connects to this machine only').waitFor();
    assert.deepEqual(server.seen, []);
  } finally {
    await server.close();
  }
});
