// Links that bring a log: opened from nothing and in a page that shows another, damaged, foreign, hosted.
import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import { accessible, pageTest } from './harness.mjs';
import { atFragment, line, open, rows, selected, started, state } from './page.mjs';
import { secretLog } from './share.mjs';

const LOG = secretLog();
const z = (bytes) => deflateRawSync(bytes).toString('base64url');
const failed = (page) => page.getByRole('dialog', { name: 'This link cannot be opened' });

pageTest('a link brings its log, its event and its filter', { path: `#v=1&z=${z(LOG)}&n=run%20of%20CI.jsonl&tab=timeline&f=command&e=5.prt_0005` }, async ({ page }) => {
  await state(page, 'ready');
  await selected(page).waitFor();
  assert.equal(await selected(page).getAttribute('data-line'), '5');
  assert.equal(await rows(page).count(), 5);
  assert.match(await page.title(), /^run of CI\.jsonl/);
  assert.match(page.url(), /&z=/, 'a reload brings it again');
  await page.reload();
  await selected(page).waitFor();
  // Another log takes its place, in the address too.
  await open(page, { name: 'other.jsonl', text: LOG });
  await atFragment(page, { z: undefined, n: undefined, e: undefined });
});

pageTest('a link opens in a page that shows another log', async ({ page }) => {
  await started(page);
  await open(page, { name: 'first.jsonl', text: '{"type":"text","sessionID":"s","part":{"id":"p","text":"the first"}}\n' });
  await page.evaluate((hash) => (location.hash = hash), `v=1&z=${z(LOG)}&e=3&n=second.jsonl`);
  await selected(page).waitFor();
  await state(page, 'ready');
  assert.equal(await selected(page).getAttribute('data-line'), '3');
  assert.match(await page.title(), /^second\.jsonl/);
  // Back: that log is gone, and the page says so.
  await page.goBack();
  await page.getByText('This address is about a log that is no longer open').waitFor();
  await page.goForward();
  await selected(page).waitFor();
});

const whole = z(LOG);
const BROKEN = {
  'cut': [whole.slice(0, whole.length / 2), 'The link is cut: its end is missing'],
  'changed in the middle': [`${whole.slice(0, whole.length / 2)}________${whole.slice(whole.length / 2 + 8)}`, 'The link is damaged'],
  'of another program': [Buffer.from('a picture, or the like: no deflate').toString('base64url'), 'The link is not one of these, or was changed at its beginning'],
  'not ours': ['hello%20%20world!', 'The link is not one of these, or was changed: `!` at place 12'],
  'empty': ['', 'The link holds no log'],
  'nothing inside': [z(''), 'The link holds no log'],
  'a bomb': [z(Buffer.alloc(80 << 20)), 'The link holds more than 67108864 bytes'],
};
for (const [what, [value, says]] of Object.entries(BROKEN)) {
  pageTest(`a link that is ${what} says so, and the page goes on`, { path: `#v=1&z=${value}` }, async ({ page }) => {
    await failed(page).getByText(says).waitFor();
    await state(page, 'empty');
    await failed(page).getByRole('button', { name: 'Close', exact: true }).last().click();
    await open(page, { name: 'run.jsonl', text: LOG });
    await rows(page).first().waitFor();
    await atFragment(page, { z: undefined });
    // In a page that shows a log, that log stays.
    await page.evaluate((hash) => (location.hash = hash), `v=1&z=${value}`);
    await failed(page).getByText(says).waitFor();
    await page.keyboard.press('Escape');
    assert.match(await page.title(), /^run\.jsonl/);
    await line(page, 3).click();
    await atFragment(page, { z: undefined, e: '3.prt_0003' });
  });
}

pageTest('a link of 5 MB says that it is too long', async ({ page }) => {
  await started(page);
  await page.evaluate(() => (location.hash = `v=1&z=${'A'.repeat(5 << 20)}`));
  // Chromium keeps no address of that length: the page is as it was, or says what is wrong.
  if ((await page.evaluate(() => location.hash.length)) > 1000) {
    await failed(page).getByText('characters long, and no link is longer than').waitFor();
    await page.keyboard.press('Escape');
  }
  await page.evaluate(() => (location.hash = `v=1&z=${'A'.repeat(2_000_001)}`));
  await failed(page).getByText('The link is 2000001 characters long').waitFor();
  await page.keyboard.press('Escape');
  await open(page, { name: 'run.jsonl', text: LOG });
});

pageTest('what is no log in a link is said to be none', { path: `#v=1&z=${z('just some words\n'.repeat(30))}` }, async ({ page }) => {
  await state(page, 'failed');
  await page.getByText('This is not a log that Steplens reads: shared run.jsonl').waitFor();
});

for (const [what, value, says] of [
  ['of a later seal', Buffer.from([9, 0, 0, 0, 9]).toString('base64url'), 'sealed by a later version of Steplens (seal 9)'],
  ['cut', Buffer.from([1, 0, 0, 9, 0, 1, 2, 3]).toString('base64url'), 'The link is cut'],
]) {
  pageTest(`a sealed link that is ${what} says so before it asks for a password`, { path: `#v=1&zp=${value}` }, async ({ page }) => {
    await failed(page).getByText(says).waitFor();
    assert.equal(await page.getByRole('dialog').getByLabel('Password').count(), 0);
  });
}

pageTest('a link of a later version opens, and says what it does not know', { path: `#v=7&z=${z(LOG)}&zoom=3` }, async ({ page }) => {
  await state(page, 'ready');
  await page.getByText('This link holds what this version does not know: the version “7”.').waitFor();
  assert.equal(await rows(page).count(), 7);
});

pageTest('a log beside the page is fetched at once', { path: null }, async ({ page, site }) => {
  await page.route(`${site.origin}/logs/run.jsonl`, (route) => route.fulfill({ body: LOG, contentType: 'text/plain' }));
  await page.goto(`${site.url}#v=1&log=logs/run.jsonl&e=5`);
  await state(page, 'ready');
  await selected(page).waitFor();
  assert.equal(await selected(page).getAttribute('data-line'), '5');
  assert.match(await page.title(), /^run\.jsonl/);
});

pageTest('a log that is not there, and a page in its place', { path: '#v=1&log=logs/none.jsonl', allow: [/404/] }, async ({ page, site }) => {
  await failed(page).getByText('has nothing at this address (404)').waitFor();
  await accessible(page);
  await page.route('**/logs/none.jsonl', (route) => route.fulfill({ body: LOG, contentType: 'application/x-ndjson' }));
  await failed(page).getByRole('button', { name: 'Try again' }).click();
  await state(page, 'ready');
  await page.evaluate(() => (location.hash = 'v=1&log=index.html'));
  await failed(page).getByText('is a web page and no log').waitFor();
});

const RAW = 'https://raw.githubusercontent.com/o/r/main/run.jsonl';
pageTest('a log on a listed host is asked for first', { path: `#v=1&log=${encodeURIComponent(RAW)}&e=5`, allow: [/raw\.githubusercontent\.com/] }, async ({ page, requests }) => {
  await page.route(RAW, (route) => route.fulfill({ body: LOG, contentType: 'text/plain', headers: { 'access-control-allow-origin': '*' } }));
  const ask = page.getByRole('dialog', { name: 'Fetch a log from raw.githubusercontent.com?' });
  await ask.getByText(RAW).waitFor();
  await accessible(page);
  assert.ok(!requests.some((url) => url.includes('githubusercontent')), 'nothing is fetched before');
  await ask.getByRole('button', { name: 'Fetch it', exact: true }).click();
  await state(page, 'ready');
  await selected(page).waitFor();
  assert.equal(await selected(page).getAttribute('data-line'), '5');
});

pageTest('a host that lets nobody read its file', { path: `#v=1&log=${encodeURIComponent(RAW)}`, allow: [/raw\.githubusercontent\.com/, /Failed to load resource/] }, async ({ page }) => {
  await page.route(RAW, (route) => route.abort());
  await page.getByRole('button', { name: 'Fetch it', exact: true }).click();
  await failed(page).getByText('could not be reached, or does not let other pages read this file (CORS)').waitFor();
  await state(page, 'empty');
});

for (const url of ['https://evil.example/run.jsonl', 'http://raw.githubusercontent.com/o/r/main/run.jsonl', 'https://raw.githubusercontent.com.evil.example/x', 'https://u:p@raw.githubusercontent.com/x', 'javascript:alert(1)', 'data:text/plain,x', 'file:///etc/passwd']) {
  pageTest(`${url} is refused unasked`, { path: `#v=1&log=${encodeURIComponent(url)}` }, async ({ page, requests }) => {
    await failed(page).getByText(/is not among them|is no address of a log/).waitFor();
    assert.deepEqual(requests.filter((asked) => !/^(http:\/\/127|blob:)/.test(asked)), []);
  });
}
