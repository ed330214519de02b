// Sharing: the review, each way to share, and what others see who open it.
import assert from 'node:assert/strict';
import { writeFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { accessible, browser, pageTest } from './harness.mjs';
import { detail, figures, line, list, open, rows, selected, started, state } from './page.mjs';
import { SECRETS, dialog, holdsNone, link, review, secretLog, unpacked, ways } from './share.mjs';

const LOG = { name: 'run.jsonl', text: secretLog() };

/** Opens a link as somebody else does: in a browser that knows nothing of this page. */
async function elsewhere(url, body) {
  const context = await (await browser()).newContext();
  try {
    const page = await context.newPage();
    const problems = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(url);
    await body(page, context);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
  }
}

/** Downloads what a button saves. */
async function saved(page, button) {
  const download = page.waitForEvent('download');
  await button.click();
  const path = await (await download).path();
  return { name: (await download).suggestedFilename(), bytes: readFileSync(path) };
}

pageTest('the review shows each finding with its line, and each can be left', async ({ page }) => {
  await started(page);
  await open(page, LOG);
  const box = await review(page);
  const kinds = await box.getByRole('navigation', { name: 'Kinds of findings' }).getByRole('button').allInnerTexts();
  for (const kind of ['GitHub token', 'OpenAI key', 'AWS access key', 'Password', 'E-mail address']) {
    assert.ok(kinds.some((text) => text.startsWith(kind)), `${kind} among ${kinds}`);
  }
  await box.getByText(/ findings in run\.jsonl .*all are masked/).waitFor();
  const first = box.locator('[data-finding=github-token]').first();
  assert.equal(await first.getAttribute('data-line'), '2');
  assert.equal(await first.locator('del').innerText(), SECRETS['github-token']);
  assert.equal(await first.locator('ins').innerText(), '[REDACTED:github-token]');

  // One by one, a kind at once, and back.
  await first.getByRole('checkbox').uncheck();
  await box.getByText(/1 left as it is/).waitFor();
  await box.getByRole('button', { name: /^Password \d/ }).click();
  await box.locator('[data-finding=password]').first().waitFor();
  assert.equal(await box.locator('[data-finding]:not([data-finding=password])').count(), 0);
  await box.getByRole('button', { name: 'Mask none of this kind' }).click();
  await box.getByText(/0 of \d+ masked/).waitFor();
  await box.getByRole('button', { name: 'Undo' }).click();
  await box.getByText(/1 left as it is/).waitFor();

  // The preview is what leaves.
  await box.getByRole('button', { name: 'Preview' }).click();
  const text = box.getByLabel('The text that leaves');
  await text.getByText('[REDACTED:openai-key]').first().waitFor();
  const shown = await text.innerText();
  assert.ok(shown.includes(SECRETS['github-token']), 'what is left stands there');
  assert.ok(!shown.includes(SECRETS['openai-key']));
  await box.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction((secret) => !document.querySelector('.share-text').textContent.includes(secret), SECRETS['github-token']);
  assert.ok(await box.getByRole('button', { name: 'Undo' }).isDisabled());
});

pageTest('nothing found is said, with what was looked for', async ({ page }) => {
  await started(page);
  await open(page, { name: 'clean.jsonl', text: '{"type":"text","sessionID":"s","part":{"id":"p","text":"hello"}}\n' });
  const box = await review(page);
  await box.getByText('Nothing was found').waitFor();
  await box.getByText(/GitHub token, .*Hugging Face token/).waitFor();
  await box.getByText(/is not found: a password that was typed into a prompt/).waitFor();
});

pageTest('a link with the run inside shows the same run at the same event', async ({ page }) => {
  await started(page);
  await open(page, LOG);
  await line(page, 5).click();
  await detail(page).getByRole('tabpanel').first().waitFor();
  const here = await figures(page);
  await review(page);
  await ways(page);
  const url = await link(page);
  assert.match(await page.locator('.share-fit').innerText(), /^[\d,]+ characters: fits (anywhere|most chats)\.$/);
  assert.equal(await page.locator('.share-fit').getAttribute('data-length'), String(url.length));
  holdsNone('the link', url);
  const log = unpacked(url);
  holdsNone('the log in the link', log);
  assert.equal(log.toString().trim().split('\n').every((line) => JSON.parse(line)), true);
  await elsewhere(url, async (page) => {
    await state(page, 'ready');
    await selected(page).waitFor();
    assert.equal(await selected(page).getAttribute('data-line'), '5');
    assert.deepEqual(await figures(page), here);
    assert.match(await page.title(), /^run\.jsonl/);
    await detail(page).getByRole('tab', { name: 'Output' }).click();
    assert.match(await detail(page).innerText(), /\[REDACTED:url-password\]/);
    holdsNone('the page', await page.content());
  });
});

pageTest('a sealed link opens by its password only', async ({ page }) => {
  await started(page);
  await open(page, LOG);
  await line(page, 3).click();
  const here = await figures(page);
  const box = await review(page);
  await ways(page);
  await link(page);
  await box.getByLabel('Seal it with a password').check();
  await box.getByText('Type a password below').waitFor();
  await box.getByLabel('Password', { exact: true }).fill('open – sesame');
  await page.waitForFunction(() => document.querySelector('#share-link')?.value.includes('zp='));
  const url = await link(page);
  assert.ok(!url.includes('z='.padStart(3, '&')), 'the run is not in it unsealed');
  holdsNone('the sealed link', url);
  holdsNone('its bytes', Buffer.from(new URLSearchParams(new URL(url).hash.slice(1)).get('zp'), 'base64url'));
  await elsewhere(url, async (page) => {
    const ask = page.getByRole('dialog', { name: 'This run is sealed with a password' });
    // Left, the page says what is in its address.
    await ask.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('A sealed run is in this link.').waitFor();
    await page.getByRole('button', { name: 'Enter the password' }).click();
    await ask.getByLabel('Password').fill('sesame');
    // The dialog stays while the password is tried, and what was typed stays in it.
    await page.evaluate(() => {
      window.said = [];
      new MutationObserver(() => window.said.push(document.querySelector('dialog .primary')?.textContent ?? 'no dialog')).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await page.keyboard.press('Enter');
    await ask.getByText('This password does not open the link').waitFor();
    assert.deepEqual([...new Set(await page.evaluate(() => window.said))], ['Opening …', 'Open']);
    assert.equal(await ask.getByLabel('Password').inputValue(), 'sesame');
    await accessible(page);
    await ask.getByLabel('Password').fill('open – sesame');
    await ask.getByRole('button', { name: 'Open' }).click();
    await state(page, 'ready');
    await selected(page).waitFor();
    assert.equal(await selected(page).getAttribute('data-line'), '3');
    assert.deepEqual(await figures(page), here);
  });
});

pageTest('a password opens however its letters are composed, and a weak one is said to be', async ({ page }) => {
  await started(page);
  await open(page, LOG);
  const box = await review(page);
  await ways(page);
  await link(page);
  await box.getByLabel('Seal it with a password').check();
  const password = box.getByLabel('Password', { exact: true });
  await password.fill('x');
  await box.getByText('Weak: it is so short that it can be found by trying.').waitFor();
  await page.waitForFunction(() => document.querySelector('#share-link')?.value.includes('zp='));
  const weak = await link(page);
  // An é of two signs here, of one there.
  await password.fill('cafe\u0301 sans fin');
  await page.waitForFunction((weak) => ![undefined, weak].includes(document.querySelector('#share-link')?.value), weak);
  assert.equal(await box.getByText('Weak:').count(), 0);
  const url = await link(page);
  await elsewhere(url, async (page) => {
    await page.getByRole('dialog').getByLabel('Password').fill('caf\u00e9 sans fin');
    await page.keyboard.press('Enter');
    await state(page, 'ready');
  });
});

pageTest('only the address of a page stands before a link', async ({ page }) => {
  await started(page);
  await open(page, LOG);
  const box = await review(page);
  await ways(page);
  await link(page);
  for (const address of ['javascript:alert(1)', '']) {
    await box.getByLabel('Page that opens it').fill(address);
    await page.keyboard.press('Tab');
    await box.getByRole('alert').getByText('This is no address of a page').waitFor();
    assert.equal(await page.locator('#share-link').count(), 0);
  }
  await box.getByLabel('Page that opens it').fill('https://viewer.example/x/');
  await page.keyboard.press('Tab');
  assert.match(await link(page), /^https:\/\/viewer\.example\/x\/#v=1&z=/);
  assert.equal(await box.getByRole('alert').count(), 0);
});

pageTest('files that are saved are not named after a log whose name holds a secret', async ({ page }) => {
  await started(page);
  await open(page, { name: `run ${SECRETS['github-token']}.jsonl`, text: LOG.text });
  const box = await review(page);
  await ways(page);
  await box.getByRole('button', { name: /^Files/ }).click();
  await box.getByText("The log's own name holds something that is masked, and does not go along.").waitFor();
  const log = await saved(page, box.getByRole('button', { name: /^Save log-1\.redacted\.jsonl/ }));
  assert.equal(log.name, 'log-1.redacted.jsonl');
  await box.getByRole('button', { name: 'Save log-1.html' }).waitFor();
  holdsNone('the dialog', await box.innerHTML());
});

pageTest('a link that is too long is made shorter, and says what it lacks', async ({ page }) => {
  // Texts that nothing packs.
  const noise = (n) => Array.from({ length: 1500 }, (_, i) => (Math.imul(i + 1, 2654435761 + n) >>> 0).toString(36)).join(' ');
  const text = secretLog(Array.from({ length: 8 }, (_, n) => noise(n)));
  await started(page);
  await open(page, { name: 'long.jsonl', text });
  await page.getByRole('button', { name: /^command/ }).click();
  await page.waitForFunction(() => document.querySelectorAll('#events .row[data-line]').length === 5);
  await line(page, 7).click();
  const here = await figures(page);
  const box = await review(page);
  await ways(page);
  await link(page);
  await box.getByText('too long to be relied on').waitFor();
  assert.equal(await page.locator('.share-fit').getAttribute('data-fit'), 'TooLong');
  await box.getByLabel('Long outputs and other texts').selectOption({ label: 'cut to 1.02 kB' });
  await box.getByText('8 texts are cut').waitFor();
  const cut = await link(page);
  assert.ok(cut.length < 32_000);
  await box.getByLabel('Long outputs and other texts').selectOption('whole');
  await box.getByLabel(/^Only the selected events: 5 of 15/).check();
  await page.waitForFunction(() => document.querySelector('.share-fit')?.dataset.fit === 'Anywhere');
  const few = await link(page);
  holdsNone('the link', unpacked(few));
  await elsewhere(few, async (page) => {
    await state(page, 'ready');
    await page.getByText('This link holds only a part of the run: 5 of 15 events.').waitFor();
    await selected(page).waitFor();
    await page.getByRole('button', { name: /^All/ }).click();
    assert.equal(await rows(page).count(), 5);
    const there = await figures(page);
    for (const name of ['tokens.total', 'cost.reported', 'steps']) assert.equal(there[name], here[name], name);
    assert.match(await detail(page).innerText(), /git log/);
  });
  await elsewhere(cut, async (page) => {
    await state(page, 'ready');
    await page.getByText('This link holds only a part of the run: 8 long texts were cut.').waitFor();
    assert.equal(await rows(page).count(), 5);
  });
});

pageTest('what is looked for does not go along where it is secret', async ({ page }) => {
  await started(page);
  await open(page, LOG);
  await page.getByRole('searchbox', { name: 'Search events' }).fill(SECRETS['openai-key']);
  await page.locator('mark').first().waitFor();
  const box = await review(page);
  await ways(page);
  const url = await link(page);
  await box.getByText('The search does not go along').waitFor();
  holdsNone('the link', url);
});

pageTest('what is left by the user stays, all else is masked', async ({ page }) => {
  await started(page);
  await open(page, LOG);
  const box = await review(page);
  await box.getByRole('button', { name: /^E-mail address/ }).click();
  await box.getByRole('button', { name: 'Mask none of this kind' }).click();
  await box.getByText('0 of 1 masked').waitFor();
  await ways(page);
  const log = unpacked(await link(page));
  assert.ok(log.includes(SECRETS.email));
  holdsNone('the log', log, Object.entries(SECRETS).filter(([kind]) => kind !== 'email'));
});

pageTest('the redacted log is saved, and is the same run', async ({ page }) => {
  await started(page);
  await open(page, [LOG, { name: 'other.jsonl', text: LOG.text.replaceAll('ses_5ecre7s', 'ses_0ther') }]);
  const here = await figures(page);
  const box = await review(page);
  await ways(page);
  await box.getByRole('button', { name: /^Files/ }).click();
  const one = await saved(page, box.getByRole('button', { name: /^Save run\.redacted\.jsonl/ }));
  const two = await saved(page, box.getByRole('button', { name: /^Save other\.redacted\.jsonl/ }));
  assert.deepEqual([one.name, two.name], ['run.redacted.jsonl', 'other.redacted.jsonl']);
  holdsNone('the saved log', one.bytes);
  holdsNone('the other', two.bytes);
  await page.keyboard.press('Escape');
  await open(page, [one, two].map(({ name, bytes }) => ({ name, text: bytes.toString() })));
  assert.deepEqual(await figures(page), here);
});

pageTest('a packed log is reviewed unpacked, UTF-16 as such', async ({ page }) => {
  const { gzipSync } = await import('node:zlib');
  const folder = mkdtempSync(join(tmpdir(), 'steplens-'));
  const packed = join(folder, 'run.jsonl.gz');
  writeFileSync(packed, gzipSync(LOG.text));
  const wide = join(folder, 'wide.jsonl');
  writeFileSync(wide, Buffer.from(`\ufeff${LOG.text}`, 'utf16le'));
  for (const [path, decode] of [[packed, (bytes) => bytes.toString()], [wide, (bytes) => bytes.toString('utf16le')]]) {
    await page.reload();
    await started(page);
    await open(page, path);
    await review(page);
    await ways(page);
    const log = decode(unpacked(await link(page)));
    holdsNone('the log', log);
    assert.equal(log.match(/\[REDACTED:github-token\]/g).length, 3);
    await page.keyboard.press('Escape');
  }
});

pageTest('one HTML file opens from disk, with no network, at the same event', async ({ page }) => {
  await started(page);
  await open(page, [LOG, { name: 'other.jsonl', text: LOG.text.replaceAll('ses_5ecre7s', 'ses_0ther') }]);
  await line(page, 5).first().click();
  await detail(page).getByRole('tabpanel').first().waitFor();
  const here = await figures(page);
  const box = await review(page);
  await ways(page);
  await box.getByRole('button', { name: /^Files/ }).click();
  const file = await saved(page, box.getByRole('button', { name: 'Save run-and-1-more.html' }));
  assert.equal(file.name, 'run-and-1-more.html');
  await box.getByText(/^run-and-1-more\.html is saved: /).waitFor();
  holdsNone('the HTML file', file.bytes);
  const blocks = [...file.bytes.toString().matchAll(/<script[^>]*data-log[^>]*>([^<]*)<\/script>/g)];
  assert.equal(blocks.length, 2);
  for (const [, base64] of blocks) {
    const log = gunzipSync(Buffer.from(base64, 'base64'));
    holdsNone('a log in the HTML file', log);
    assert.match(log.toString(), /\[REDACTED:github-token\]/);
  }
  const path = join(mkdtempSync(join(tmpdir(), 'steplens-')), 'run.html');
  writeFileSync(path, file.bytes);
  await elsewhere(pathToFileURL(path).href, async (page) => {
    await state(page, 'ready');
    await selected(page).waitFor();
    assert.equal(await selected(page).getAttribute('data-line'), '5');
    assert.deepEqual(await figures(page), here);
  });
});

for (const colorScheme of ['light', 'dark']) {
  pageTest(`axe: the share dialog, ${colorScheme}`, { context: { colorScheme, viewport: { width: 1280, height: 860 } } }, async ({ page }) => {
    await started(page);
    await open(page, LOG);
    await line(page, 5).click();
    const box = await review(page);
    await box.locator('[data-finding]').first().waitFor();
    await box.locator('[data-finding]').nth(1).getByRole('checkbox').uncheck();
    await box.getByText(/left as it is/).waitFor();
    await accessible(page);
    await box.getByRole('button', { name: 'Preview' }).click();
    await box.getByText('[REDACTED:openai-key]').first().waitFor();
    await accessible(page);
    await ways(page);
    await link(page);
    await box.getByLabel('Seal it with a password').check();
    await accessible(page);
    await box.getByRole('button', { name: /^Link to a hosted log/ }).click();
    await box.getByLabel('Address of the log').fill('ftp://x');
    await box.getByRole('alert').waitFor();
    await accessible(page);
    await box.getByRole('button', { name: /^Files/ }).click();
    await accessible(page);
  });
}

pageTest('the keyboard opens the dialog, and leads back', async ({ page }) => {
  await started(page);
  await page.keyboard.press('s');
  assert.equal(await dialog(page).count(), 0, 'there is nothing to share');
  await open(page, LOG);
  await rows(page).first().waitFor();
  await page.keyboard.press('s');
  await dialog(page).waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  assert.equal(await list(page).count(), 1);
});
