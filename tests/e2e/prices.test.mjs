// What steps are priced as, and by which prices; packed logs. Every figure is that of the command line.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { cli, pageTest } from './harness.mjs';
import { atFragment, figures, figuresOf, open, openSample, summary, tab } from './page.mjs';

const SAMPLE = fileURLToPath(new URL('../../web/static/sample.jsonl', import.meta.url));
const MODEL = 'anthropic/claude-sonnet-4.5';
const said = (...args) => figuresOf(JSON.parse(execFileSync(cli, ['summary', SAMPLE, '--json', ...args])));

/** A zstd frame (RFC 8878) of raw blocks. */
function zstdFrame(bytes) {
  const frame = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), Buffer.alloc(4)];
  frame[1].writeUInt32LE(bytes.length);
  for (let at = 0; at < bytes.length; at += 65536) {
    const block = bytes.subarray(at, at + 65536);
    const head = Buffer.alloc(3);
    head.writeUIntLE(block.length * 8 + (at + block.length === bytes.length ? 1 : 0), 0, 3);
    frame.push(head, block);
  }
  return Buffer.concat(frame);
}

/** Waits until the page shows this comparable cost. */
const shows = (page, usd) =>
  page.waitForFunction(
    (usd) => [...document.querySelectorAll('[data-figure="cost.comparable"]')].every((e) => (e.dataset.value === '' ? null : Number(e.dataset.value)) === usd),
    usd,
  );

pageTest('a model is picked, and goes with the address', async ({ page }) => {
  await openSample(page);
  await tab(page, 'Tokens & cost');
  const wanted = said('--model', MODEL);
  assert.notEqual(wanted['cost.comparable'], null);
  const box = page.getByRole('combobox', { name: 'Model to price as' });
  await box.fill('sonnet-4.5');
  await page.locator(`#models option[value="${MODEL}"]`).waitFor({ state: 'attached' });
  await box.fill(MODEL);
  await box.press('Enter');
  await atFragment(page, { m: MODEL });
  await shows(page, wanted['cost.comparable']);
  assert.deepEqual(await figures(page), wanted);
  await page.getByRole('button', { name: 'By the log' }).click();
  await shows(page, null);
});

pageTest('another price table is taken by its file, and given back', { path: `#v=1&m=${MODEL}` }, async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'steplens-'));
  try {
    const path = join(folder, 'openrouter.json');
    writeFileSync(path, JSON.stringify({ data: [{ id: MODEL, pricing: { prompt: '0.000001', completion: '0.000002', input_cache_read: '0.0000005' } }] }));
    await openSample(page);
    await tab(page, 'Tokens & cost');
    const before = await figures(page);
    const pick = page.getByLabel('Load a price table');
    await pick.setInputFiles(path);
    const wanted = said('--model', MODEL, '--prices', path);
    await shows(page, wanted['cost.comparable']);
    assert.deepEqual(await figures(page), wanted);
    assert.notEqual(wanted['cost.comparable'], before['cost.comparable']);
    // It is still said, and given back, after the tab was left.
    await tab(page, 'Timeline');
    await tab(page, 'Tokens & cost');
    await page.getByRole('button', { name: 'Not openrouter.json' }).click();
    await shows(page, before['cost.comparable']);
    await pick.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('[1]') });
    await page.getByRole('alert').getByText('x.json is no price table').waitFor();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

pageTest('prices are typed by hand, for any model, and said to be the reader\'s own', async ({ page }) => {
  await openSample(page);
  await tab(page, 'Tokens & cost');
  await page.getByText('Enter prices by hand').click();
  const field = (name) => page.getByRole('textbox', { name: `${name} price, dollars per million tokens` });
  await field('Input').fill('3,50');
  await page.getByRole('button', { name: 'Use my prices' }).click();
  await page.getByRole('alert').getByText('the input price `3,50` is no amount').waitFor();
  await field('Input').fill('3');
  await field('Output').fill('$15');
  await field('Cache read').fill('0.30');
  await page.getByRole('button', { name: 'Use my prices' }).click();
  await page.getByText('Your prices: input $3 · output $15 · cache read $0.30 · cache write –, per million tokens').waitFor();
  const { tokens } = summary(SAMPLE).total;
  const usd = (tokens.uncachedInput * 3 + tokens.cachedInput * 0.3 + (tokens.output + tokens.reasoning) * 15) / 1e6;
  const found = (await figures(page))['cost.comparable'];
  assert.ok(Math.abs(found - usd) < 1e-9, `${found} is not ${usd}`);
  await page.getByRole('button', { name: 'Not my prices' }).click();
  await shows(page, null);
});

pageTest('prices that were typed stay when the reader dies and is started again', { allow: [/boom/] }, async ({ page }) => {
  await openSample(page);
  await tab(page, 'Tokens & cost');
  await page.getByText('Enter prices by hand').click();
  await page.getByRole('textbox', { name: 'Input price, dollars per million tokens' }).fill('3');
  await page.getByRole('textbox', { name: 'Output price, dollars per million tokens' }).fill('15');
  await page.getByRole('textbox', { name: 'Cache read price, dollars per million tokens' }).fill('0.3');
  await page.getByRole('button', { name: 'Use my prices' }).click();
  await page.getByText(/Your prices: input \$3/).waitFor();
  const before = (await figures(page))['cost.comparable'];
  await page.workers()[0].evaluate(() => setTimeout(() => { throw new Error('boom'); }));
  await page.getByText('The reader stopped and was started again').waitFor();
  await page.getByText(/Your prices: input \$3/).waitFor();
  await page.locator(`[data-figure="cost.comparable"][data-value="${before}"]`).first().waitFor();
});

pageTest('packed logs are read: members and frames behind each other', async ({ page }) => {
  const text = readFileSync(SAMPLE);
  const half = text.indexOf('\n', text.length / 2) + 1;
  const parts = [text.subarray(0, half), text.subarray(half)];
  const folder = mkdtempSync(join(tmpdir(), 'steplens-'));
  try {
    for (const [name, pack] of [['run.jsonl.gz', gzipSync], ['run.jsonl.zst', zstdFrame]]) {
      const path = join(folder, name);
      writeFileSync(path, Buffer.concat(parts.map((part) => pack(part))));
      await open(page, path);
      assert.deepEqual(await figures(page), figuresOf(summary(path)), name);
      assert.equal((await figures(page)).calls, summary(SAMPLE).total.calls);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
