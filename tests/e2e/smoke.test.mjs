// The page starts, its policy holds, and its files are what they were built as.
import assert from 'node:assert/strict';
import { ELSEWHERE, accessible, browser, dist, pageTest } from './harness.mjs';
import { started } from './page.mjs';
import { serve } from './server.mjs';

/** The worker that the page started, when it listens. */
async function worker(page) {
  return page.workers()[0] ?? page.waitForEvent('worker');
}

pageTest('starts without a word in the console', async ({ page }) => {
  await page.getByRole('heading', { name: 'Steplens', level: 1 }).waitFor();
  await started(page);
  await accessible(page);
});

pageTest('starts in a folder of a host', { base: '/some/repo/' }, async ({ page }) => {
  await started(page);
});

pageTest('page and worker can send nothing elsewhere', { allow: [/Content Security Policy/, /policy violation/] }, async ({ page, problems }) => {
  await started(page);
  const other = await serve(dist, { host: ELSEWHERE, headers: { 'access-control-allow-origin': '*' } });
  // A browser asks for the icon of a page that it shows, whenever it likes.
  const asked = () => other.hits.splice(0).filter((path) => path !== '/favicon.ico');
  try {
    // It can be reached: what follows is the policy's doing.
    const plain = await (await browser()).newPage();
    await plain.goto(other.origin + '/icon.svg').catch(() => {});
    await plain.close();
    assert.deepEqual(asked(), ['/icon.svg']);
    const send = (url) => fetch(url).then(() => 'sent', () => 'blocked');
    assert.equal(await page.evaluate(send, other.url), 'blocked');
    assert.equal(await (await worker(page)).evaluate(send, other.url), 'blocked');
    assert.deepEqual(asked(), []);
    assert.ok(problems.some((text) => text.includes('policy violation: connect-src')), problems.join('\n'));
  } finally {
    await other.close();
  }
});

const tampered = (name, body) => (/^app-.*\.wasm$/.test(name) ? Buffer.concat([body, Buffer.from([0, 1, 0])]) : body);
pageTest('refuses wasm that is not what was built', { change: tampered, allow: [/integrity/, /Failed to fetch/] }, async ({ page }) => {
  await page.getByText('Steplens could not start').waitFor();
});

const lost = (name, body) => (/^worker-.*\.js$/.test(name) ? undefined : body);
pageTest('says so when the worker is gone', { change: lost, allow: [/404/] }, async ({ page }) => {
  await page.getByText('reload the page').waitFor();
});

pageTest('says what is needed where no script runs', { context: { javaScriptEnabled: false } }, async ({ page }) => {
  await page.getByText('your browser is too old').waitFor();
});
