// Large logs: the page stays small, rows come while the file is read, and the last one is in reach.
import assert from 'node:assert/strict';
import { pageTest } from './harness.mjs';
import { detail, list, open, rows, selected, state } from './page.mjs';

const NODES = 2_000;

const record = (type, n, part) =>
  JSON.stringify({ type, timestamp: 1767445000000 + n * 700, sessionID: 'ses_1', part: { id: `prt_${String(n).padStart(8, '0')}`, messageID: `msg_${n >> 3}`, ...part } });

/** A log of steps of eight records. */
function log(steps, filler = '') {
  const lines = [];
  for (let step = 0; step < steps; step++) {
    const n = step * 8;
    lines.push(record('step_start', n, { type: 'step-start' }));
    lines.push(record('reasoning', n + 1, { type: 'reasoning', text: `thought ${step} ${filler}` }));
    for (let call = 2; call < 7; call++) {
      const state = { status: call === 6 && step % 50 === 0 ? 'error' : 'completed', input: { command: `make part-${n + call}` }, output: filler, error: 'boom', time: { start: 1767445000000 + (n + call) * 700, end: 1767445000000 + (n + call) * 700 + 40 } };
      lines.push(record('tool_use', n + call, { type: 'tool', tool: 'bash', callID: `call_${n + call}`, state }));
    }
    lines.push(record('step_finish', n + 7, { type: 'step-finish', reason: step === steps - 1 ? 'stop' : 'tool-calls', cost: 0.001, tokens: { total: 150, input: 100, output: 50, reasoning: 0, cache: { read: 0, write: 0 } } }));
  }
  return lines.join('\n') + '\n';
}

const nodes = (page) => page.evaluate(() => document.querySelectorAll('*').length);

/** Waits until the list says that it has so many rows: it follows the end of the reading by a frame. */
const counted = (page, rows) => list(page).and(page.locator(`[aria-rowcount="${rows}"]`)).waitFor();

pageTest('100,000 rows: few nodes, all in reach', { timeout: 120_000, context: { viewport: { width: 2560, height: 1440 } } }, async ({ page }) => {
  await open(page, { name: 'large.jsonl', text: log(14_300) });
  await counted(page, 14_300 * 7);
  assert.ok((await nodes(page)) < NODES);
  await list(page).evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await rows(page).last().getByText(`make part-${14_300 * 8 - 2}`, { exact: true }).waitFor();
  assert.ok((await nodes(page)) < NODES);
  await list(page).press('k');
  await page.keyboard.press('g');
  await selected(page).getByText('thought 0').waitFor();
  await page.keyboard.press('N');
  await selected(page).getByText(`make part-${14_250 * 8 + 6}`, { exact: true }).waitFor();
  await detail(page).getByText('boom').first().waitFor();
});

pageTest('more rows than a browser has pixels for', { timeout: 180_000 }, async ({ page }) => {
  // 450,000 rows of 29 px are 13 million px: beyond 8 million the scroll bar is scaled.
  const text = Array.from({ length: 450_000 }, (_, n) => `{"type":"text","timestamp":${1767445000000 + n},"sessionID":"s","part":{"id":"p${n}","type":"text","text":"n ${n}"}}`).join('\n');
  await open(page, { name: 'tall.jsonl', text });
  await counted(page, 450_000);
  await list(page).evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await rows(page).getByText('n 449999', { exact: true }).waitFor();
  const inSight = () => list(page).evaluate((list) => {
    const frame = list.getBoundingClientRect();
    const seen = [...list.querySelectorAll('.row[data-line]')].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top >= frame.top && bottom <= frame.bottom + 1;
    });
    return seen.map((row) => Number(row.dataset.line));
  });
  assert.equal((await inSight()).at(-1), 450_000);
  // A wheel moves by as much as it says, however coarse the scroll bar.
  const [before] = await inSight();
  const box = await list(page).boundingBox();
  await page.mouse.move(box.x + 50, box.y + 50);
  await page.mouse.wheel(0, -290);
  await page.waitForFunction((before) => !document.querySelector(`.row[data-line="${before + 40}"]`), before);
  assert.ok(Math.abs((await inSight())[0] - (before - 10)) <= 1);
  for (const key of ['g', 'G', 'k', 'k']) await page.keyboard.press(key);
  await selected(page).getByText('n 449997', { exact: true }).waitFor();
  assert.ok((await inSight()).includes(449_998));
});

pageTest('rows and progress while the file is read, and Cancel', { timeout: 120_000 }, async ({ page }) => {
  // The file answers slowly: each slice waits until the test lets it go.
  await page.addInitScript(() => {
    const Native = Worker;
    globalThis.Worker = class extends Native {
      postMessage(message) {
        globalThis.opened = message.Open ?? globalThis.opened;
        super.postMessage(message);
      }
    };
  });
  await page.reload();
  await state(page, 'empty');
  const text = log(30_000, 'y'.repeat(900));
  const seen = page.evaluate(
    () =>
      new Promise((done) => {
        const seen = { rows: false, progress: false, loading: false };
        const look = () => {
          seen.loading ||= document.documentElement.dataset.state === 'loading';
          if (document.documentElement.dataset.state === 'loading') {
            seen.rows ||= document.querySelectorAll('.row[data-line]').length > 0;
            const button = [...document.querySelectorAll('.progress button')][0];
            if (button && seen.rows) {
              seen.progress = /MB of \d+ MB · .*% · \d+ MB\/s/.test(document.querySelector('.progress').textContent);
              button.click();
            }
          }
          if (seen.progress && document.documentElement.dataset.state === 'ready') done(seen);
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
  await page.locator('input[type=file]').setInputFiles({ name: 'huge.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(text.slice(0, 48_000_000)) });
  assert.deepEqual(await seen, { rows: true, progress: true, loading: true });
  await page.getByText('Reading was stopped: what is shown is the beginning of the log').waitFor();
  // What is there is a part, and says so where the end of the run is told: the rest may say anything.
  await page.locator('[data-verdict=unknown]').first().waitFor();
  await page.getByText(/reading was stopped before the end of the log/).first().waitFor();
});
