// The log of a watched agent that is not saved does not give way to another without a word.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { accessible, dropFiles, fixture, pageTest } from './harness.mjs';
import { state } from './page.mjs';
import { agent } from './sse.mjs';
import { bar, connect } from './watched.mjs';

const S = 'ses_5c0ffee0dd1eAbCdEfGhIjKlMn';
const CREATED = { id: 'evt_1', type: 'session.created', properties: { sessionID: S, info: { id: S, title: 'Live', version: '7.7.9', time: { created: 1781000000010, updated: 1781000000010 } } } };
const ASK = { id: 'evt_2', type: 'permission.asked', properties: { id: 'per_1', sessionID: S, permission: 'bash', patterns: ['ls'], always: [], metadata: { command: 'ls' } } };
const ALLOW = { allow: [/^foreign request: \w+ http:\/\/127\.0\.0\.1:\d+\/(event|permission|question|suggestion|session|global)/, /Failed to load resource|net::ERR|^status 404/] };
const OTHER = fixture('step_stream/agent_manager_tasks.jsonl');

const dialog = (page) => page.getByRole('dialog', { name: 'The watched log is not saved' });

pageTest('another log is opened only once the user says what becomes of the watched one', ALLOW, async ({ page }) => {
  const server = await agent({ origin: new URL(page.url()).origin });
  try {
    await connect(page, server);
    await bar(page).waitFor();
    server.send(CREATED, ASK);
    await bar(page).getByText('3 events').waitFor();
    await bar(page).locator('[data-ask=per_1]').getByText('The request names nothing that it would allow.').waitFor();
    // Seen from another tab of the browser.
    assert.match(await page.title(), /^\(1\) live-127\.0\.0\.1-\d+\.jsonl – Steplens$/);

    await dropFiles(page.locator('body'), [OTHER]);
    await dialog(page).getByText(`3 events came from ${server.url}, and they are saved nowhere.`).waitFor();
    await dialog(page).getByText('To be opened: agent_manager_tasks.jsonl').waitFor();
    await accessible(page);
    await dialog(page).getByRole('button', { name: 'Keep watching' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await bar(page).getByText(`Live from ${server.url}`).waitFor();

    await dropFiles(page.locator('body'), [OTHER]);
    const download = page.waitForEvent('download');
    await dialog(page).getByRole('button', { name: 'Save it and open' }).click();
    const saved = readFileSync(await (await download).path()).toString().trim().split('\n').map((line) => JSON.parse(line));
    assert.deepEqual(saved.slice(1), [CREATED, ASK]);
    await page.waitForFunction(() => document.title === 'agent_manager_tasks.jsonl – Steplens');
    await state(page, 'ready');
    assert.equal(await bar(page).count(), 0);
  } finally {
    await server.close();
  }
});

pageTest('a log that was saved gives way at once, and a closed tab asks before it is not', ALLOW, async ({ page }) => {
  const server = await agent({ origin: new URL(page.url()).origin });
  try {
    await connect(page, server);
    await bar(page).waitFor();
    server.send(CREATED);
    await bar(page).getByText('2 events').waitFor();
    await page.locator('.bar').getByText('2 lines').first().waitFor();
    const asks = () => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
    assert.equal(await asks(), true);
    const download = page.waitForEvent('download');
    await bar(page).getByRole('button', { name: 'Save log' }).click();
    await download;
    await page.waitForFunction(() => window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
    await dropFiles(page.locator('body'), [OTHER]);
    await page.waitForFunction(() => document.title === 'agent_manager_tasks.jsonl – Steplens');
  } finally {
    await server.close();
  }
});
