// How a session stands while its agent is watched: nothing is cut off as long as more may come.
import assert from 'node:assert/strict';
import { accessible, pageTest } from './harness.mjs';
import { agent } from './sse.mjs';
import { T, bar, connect, event, id } from './watched.mjs';

const S = 'ses_5c0ffee0dd1eAbCdEfGhIjKlMn';
const M = id('msg', 20);
const CREATED = event(10, 'session.created', { sessionID: S, info: { id: S, title: 'Live', version: '7.7.9', time: { created: T + 10, updated: T + 10 } } });
const STARTED = event(30, 'message.part.updated', { sessionID: S, part: { id: id('prt', 30), sessionID: S, messageID: M, type: 'step-start' } });
const QUESTION = event(40, 'question.asked', {
  id: 'que_1', sessionID: S,
  questions: [{ header: 'Pick', question: 'Which?', options: [{ label: 'Fast', description: 'Skips the slow tests' }, { label: 'All' }] }],
});
const ANSWERED = event(90, 'question.replied', { sessionID: S, requestID: 'que_1', answers: [['All']] });
const ALLOW = { allow: [/^foreign request: \w+ http:\/\/127\.0\.0\.1:\d+\/(event|permission|question|suggestion|session|global)/, /Failed to load resource|net::ERR|^status 40[134]/] };

const chip = (page, state) => page.locator(`.bar [data-verdict=${state}]`);

pageTest('a watched session runs or waits; only one that is watched no longer is cut off', ALLOW, async ({ page }) => {
  const server = await agent({ origin: new URL(page.url()).origin });
  try {
    await connect(page, server);
    await bar(page).waitFor();

    server.send(CREATED, STARTED);
    await chip(page, 'running').filter({ hasText: 'Running' }).waitFor();
    await accessible(page);

    server.send(QUESTION);
    await chip(page, 'waiting').filter({ hasText: 'Waiting' }).waitFor();
    const asked = page.locator('#events [data-kind=ask]');
    await asked.getByText('waits for an answer').waitFor();
    // What an option means stands under it, in the bar and in the pane.
    await bar(page).getByText('Skips the slow tests').waitFor();
    await asked.click();
    const pane = page.getByRole('region', { name: 'Event detail' });
    await pane.getByText('Skips the slow tests').waitFor();
    await pane.locator('.detail-facts').getByText('waits for an answer').waitFor();

    server.send(ANSWERED);
    await chip(page, 'running').waitFor();
    await bar(page).getByRole('button', { name: 'Stop watching' }).click();
    await chip(page, 'cut').filter({ hasText: 'Cut off' }).waitFor();
    assert.equal(await chip(page, 'running').count(), 0);
  } finally {
    await server.close();
  }
});

pageTest('a stream without an event says so, is asked for less and less often, and can be left', ALLOW, async ({ page }) => {
  const stream = (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
  const server = await agent({ origin: new URL(page.url()).origin, stream });
  try {
    await connect(page, server);
    const status = page.locator('.connect-word');
    for (const [seconds, attempt] of [[1, 1], [2, 2], [4, 3]]) {
      await status.getByText(`No event has come: the server ended the stream. Trying again in ${seconds} s (try ${attempt}).`).waitFor();
    }
    await accessible(page);
    await status.getByRole('button', { name: 'Stop' }).click();
    await status.getByText('No event has come').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    assert.deepEqual(server.seen.filter((one) => one === 'GET /event').length, 3);
  } finally {
    await server.close();
  }
});

pageTest('a silent stream is connected, and says that nothing came', ALLOW, async ({ page }) => {
  const stream = (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  const server = await agent({ origin: new URL(page.url()).origin, stream });
  try {
    await connect(page, server);
    await page.locator('.connect-word').getByText('Connected. No event has come yet.').waitFor();
  } finally {
    await server.close();
  }
});

pageTest('a server that refuses is said to', ALLOW, async ({ page }) => {
  const server = await agent({ origin: new URL(page.url()).origin, stream: (_, response) => response.writeHead(403).end() });
  try {
    await connect(page, server);
    await page.getByRole('alert').getByText('The server refuses this page (403).').waitFor();
  } finally {
    await server.close();
  }
});

pageTest('a server that sends on is said to, and nobody is asked there', ALLOW, async ({ page }) => {
  const origin = new URL(page.url()).origin;
  const other = await agent({ origin });
  const server = await agent({ origin, stream: (_, response) => response.writeHead(302, { location: `${other.url}/event` }).end() });
  try {
    await connect(page, server);
    await page.getByRole('alert').getByText('The server sends on to another address').waitFor();
    assert.deepEqual(other.seen, []);
  } finally {
    await server.close();
    await other.close();
  }
});
