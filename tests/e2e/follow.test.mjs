// Logs that are still written: followed, read again, offered again. The files are the browser's own (OPFS), whose handles
// are those of a disk's files but for the permission.
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { accessible, pageTest } from './harness.mjs';
import { detail, figures, line, list, open, openSample, rows, started, state } from './page.mjs';

const STEP = [
  { type: 'step_start', timestamp: 1753800000000, sessionID: 'ses_1', part: { id: 'prt_1', messageID: 'msg_1', type: 'step-start' } },
  { type: 'text', timestamp: 1753800001000, sessionID: 'ses_1', part: { id: 'prt_2', messageID: 'msg_1', type: 'text', text: 'the first words' } },
];
const FINISH = {
  type: 'step_finish',
  timestamp: 1753800002000,
  sessionID: 'ses_1',
  part: { id: 'prt_3', messageID: 'msg_1', type: 'step-finish', reason: 'stop', cost: 0.25, tokens: { input: 100, output: 20, reasoning: 0, cache: { read: 0, write: 0 } } },
};
const lines = (...records) => records.map((record) => JSON.stringify(record) + '\n').join('');

/** Writes a file of the browser's own, from text or bytes: from a place on, or anew. */
async function write(page, name, text, at) {
  await page.evaluate(
    async ([name, text, at]) => {
      const root = await navigator.storage.getDirectory();
      const handle = await root.getFileHandle(name, { create: true });
      const stream = await handle.createWritable({ keepExistingData: at !== null });
      const size = (await handle.getFile()).size;
      const data = typeof text === 'string' ? text : Uint8Array.from(text);
      await stream.write({ type: 'write', position: at === null ? 0 : size, data });
      await stream.close();
    },
    [name, text, at ?? null],
  );
}
const append = (page, name, text) => write(page, name, text, 'end');

/** Drops files of the browser's own, with their handles; one of no handle, where its name begins with `loose`. */
async function drop(page, ...names) {
  await page.locator('html[data-state]').waitFor({ state: 'attached' });
  await page.evaluate(async (names) => {
    const root = await navigator.storage.getDirectory();
    const handles = await Promise.all(names.map((name) => root.getFileHandle(name)));
    const data = new DataTransfer();
    for (const handle of handles) data.items.add(await handle.getFile());
    // The items of a drop are asked in their order, each once.
    const all = handles.map((handle) => (handle.name.startsWith('loose') ? null : handle));
    DataTransferItem.prototype.getAsFileSystemHandle = () => Promise.resolve(all.shift());
    DataTransferItem.prototype.webkitGetAsEntry = () => null;
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, names);
  await page.waitForFunction((name) => document.title.startsWith(name), names[0]);
  await state(page, 'ready');
}

const follow = (page) => page.getByRole('button', { name: 'Follow', exact: true });
const following = (page) => page.getByRole('button', { name: 'Following', exact: true });
const verdict = (page) => page.locator('[data-verdict]').first();
const figure = (page, name, value) => page.locator(`[data-figure="${name}"][data-value="${value}"]`).first().waitFor();

pageTest('a log is followed while it is written: rows, totals and verdict come with its lines', async ({ page }) => {
  await write(page, 'live.jsonl', lines(...STEP));
  await drop(page, 'live.jsonl');
  assert.equal(await verdict(page).getAttribute('data-verdict'), 'cut');
  assert.equal(await rows(page).count(), 1);
  await line(page, 2).click();
  await follow(page).click();
  await following(page).waitFor();

  // A line that is not whole yet waits.
  const finish = lines(FINISH);
  await append(page, 'live.jsonl', finish.slice(0, 60));
  await page.locator('.live[title*="60 B of a line that is not whole yet"]').waitFor();
  assert.equal(await verdict(page).getAttribute('data-verdict'), 'cut');
  assert.equal((await figures(page))['tokens.total'], null);
  await append(page, 'live.jsonl', finish.slice(60));
  await page.locator('[data-verdict=completed]').first().waitFor();
  await figure(page, 'tokens.total', '120');
  assert.equal((await figures(page))['cost.reported'], 0.25);

  // What is selected stays, and can be read although the file changed.
  assert.equal(await list(page).locator('[aria-selected=true]').getAttribute('data-line'), '2');
  await detail(page).getByRole('tab', { name: 'Raw' }).click();
  await detail(page).getByText('the first words').first().waitFor();
  await accessible(page);

  await following(page).click();
  await follow(page).waitFor();
  await append(page, 'live.jsonl', lines(STEP[1]));
  assert.equal(await rows(page).count(), 1);
});

/** A record of another session, at other times: neither the same run nor a fork of it. */
const of = (session, record) => ({
  ...record,
  timestamp: record.timestamp + session.charCodeAt(0),
  sessionID: session,
  part: { ...record.part, id: `${session}_${record.part.id}`, messageID: `msg_${session}` },
});

pageTest('each of several files is followed by its own handle, in whatever order they grow', async ({ page }) => {
  for (const name of ['a', 'b', 'loose']) await write(page, `${name}.jsonl`, lines(...STEP.map((record) => of(name, record))));
  await drop(page, 'a.jsonl', 'b.jsonl', 'loose.jsonl');
  await figure(page, 'steps', '3');
  assert.match(await follow(page).getAttribute('title'), /: a\.jsonl, b\.jsonl$/);
  await follow(page).click();
  await following(page).waitFor();
  assert.match(await following(page).getAttribute('title'), /Not followed: loose\.jsonl\./);
  // The first, then the second, then the first again.
  await append(page, 'a.jsonl', lines(of('a', FINISH)));
  await figure(page, 'tokens.total', '120');
  await append(page, 'b.jsonl', lines(of('b', FINISH)));
  await figure(page, 'tokens.total', '240');
  await append(page, 'a.jsonl', lines(of('a', { ...STEP[1], part: { ...STEP[1].part, id: 'prt_4', text: 'and more' } })));
  await list(page).getByText('and more').waitFor();
  assert.equal(await rows(page).count(), 4);
  await figure(page, 'cost.reported', '0.5');
  // Both at once.
  const later = (id, text) => ({ ...STEP[1], part: { ...STEP[1].part, id, text } });
  await append(page, 'b.jsonl', lines(of('b', later('prt_5', 'the last of b'))));
  await append(page, 'a.jsonl', lines(of('a', later('prt_6', 'the last of a'))));
  await list(page).getByText('the last of a').waitFor();
  await list(page).getByText('the last of b').waitFor();
  assert.equal(await rows(page).count(), 6);
  await accessible(page);
});

pageTest('a followed file that is gone is said to be, and so is one that can only be read with it', async ({ page }) => {
  for (const name of ['a', 'b']) await write(page, `${name}.jsonl`, lines(...STEP.map((record) => of(name, record))));
  await drop(page, 'a.jsonl', 'b.jsonl');
  await follow(page).click();
  await following(page).waitFor();
  const remove = (name) => page.evaluate(async (name) => (await navigator.storage.getDirectory()).removeEntry(name), name);
  await remove('a.jsonl');
  await page.getByText(/a\.jsonl is no longer followed: it cannot be read any more/).first().waitFor();
  // The last one is read on behind what was read of it.
  await append(page, 'b.jsonl', lines(of('b', FINISH)));
  await figure(page, 'tokens.total', '120');
  assert.match(await following(page).getAttribute('title'), /as it is written: b\.jsonl\. Not followed: a\.jsonl\./);
  // Written anew, it has to be read with the other.
  await write(page, 'b.jsonl', lines(of('b', STEP[1])));
  await page.getByText(/b\.jsonl is no longer followed: a\.jsonl has to be read with it, and cannot be read any more/).first().waitFor();
  assert.equal(await rows(page).count(), 2);
  await page.getByRole('button', { name: 'Reload' }).waitFor();
  await accessible(page);
});

pageTest('a packed file among others is read whole when it grows, and none of the others is lost', async ({ page }) => {
  const packed = (...records) => [...gzipSync(lines(...records))];
  await write(page, 'a.jsonl', lines(...STEP.map((record) => of('a', record))));
  await write(page, 'b.jsonl.gz', packed(...STEP.map((record) => of('b', record))));
  await drop(page, 'a.jsonl', 'b.jsonl.gz');
  await figure(page, 'steps', '2');
  await line(page, 2).first().click();
  await follow(page).click();
  await write(page, 'b.jsonl.gz', packed(...[...STEP, FINISH].map((record) => of('b', record))));
  await figure(page, 'tokens.total', '120');
  assert.equal(await rows(page).count(), 2);
  // Both are still followed, and what was looked at still is.
  await following(page).waitFor();
  await append(page, 'a.jsonl', lines(of('a', FINISH)));
  await figure(page, 'tokens.total', '240');
  await write(page, 'b.jsonl.gz', packed(...[...STEP, FINISH, { ...STEP[1], part: { ...STEP[1].part, id: 'prt_4', text: 'packed and more' } }].map((record) => of('b', record))));
  await list(page).getByText('packed and more').waitFor();
  assert.equal(await rows(page).count(), 3);
  assert.equal(await list(page).locator('[aria-selected=true]').getAttribute('data-line'), '2');
});

pageTest('many rows come while the list stands at its end: it stays there', async ({ page }) => {
  const text = (n) => ({ ...STEP[1], timestamp: 1753800001000 + n, part: { ...STEP[1].part, id: `prt_t${n}`, text: `text ${n}` } });
  const some = (from, to) => lines(...Array.from({ length: to - from }, (_, n) => text(from + n)));
  await write(page, 'long.jsonl', lines(STEP[0]) + some(0, 200));
  await drop(page, 'long.jsonl');
  await follow(page).click();
  await line(page, 201).waitFor();
  await append(page, 'long.jsonl', some(200, 260));
  await line(page, 261).waitFor();
  // Who looks at another place stays there.
  await list(page).evaluate((list) => list.scrollTo(0, 0));
  await line(page, 2).waitFor();
  await append(page, 'long.jsonl', some(260, 300));
  await page.getByRole('tab', { name: /^Timeline\s*300/ }).waitFor();
  await line(page, 2).waitFor();
});

pageTest('a log that is emptied stays on screen; one that is written anew takes its place', async ({ page }) => {
  await write(page, 'again.jsonl', lines(...STEP, FINISH));
  await drop(page, 'again.jsonl');
  await follow(page).click();
  await write(page, 'again.jsonl', '');
  await page.getByRole('status').getByText(/again\.jsonl was emptied or replaced/).waitFor();
  assert.equal(await rows(page).count(), 1);
  const other = { ...STEP[1], part: { ...STEP[1].part, id: 'prt_9', text: 'quite other words' } };
  await append(page, 'again.jsonl', lines(STEP[0], other, { ...STEP[1], part: { ...STEP[1].part, id: 'prt_8' } }));
  await page.getByRole('status').getByText(/again\.jsonl was replaced or cut short/).waitFor();
  await list(page).getByText('quite other words').waitFor();
  assert.equal(await rows(page).count(), 2);
  assert.equal(await verdict(page).getAttribute('data-verdict'), 'cut');
});

pageTest('a last line that was cut when the log was opened is whole when it is followed', async ({ page }) => {
  const text = lines(...STEP, FINISH);
  await write(page, 'cut.jsonl', text.slice(0, -40));
  await drop(page, 'cut.jsonl');
  assert.equal(await verdict(page).getAttribute('data-verdict'), 'cut');
  await append(page, 'cut.jsonl', text.slice(-40));
  await follow(page).click();
  await page.locator('[data-verdict=completed]').first().waitFor();
  await figure(page, 'tokens.total', '120');
  assert.equal(await list(page).locator('[data-kind=unknown]').count(), 0);
});

pageTest('a file that changed is said to have: what is on screen stays, and Reload reads it again', async ({ page }) => {
  // On disk: a browser lets nobody read on in a file that was written since it was chosen.
  const path = join(mkdtempSync(join(tmpdir(), 'steplens-')), 'stale.jsonl');
  writeFileSync(path, lines(...STEP));
  await started(page);
  await page.locator('input[type=file]').first().setInputFiles(path);
  await line(page, 2).waitFor();
  appendFileSync(path, lines(FINISH));
  await line(page, 2).click();
  await page.getByText(/stale\.jsonl could not be read \(NotReadableError\)/).first().waitFor();
  assert.equal(await rows(page).count(), 1);
  await accessible(page);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Reload' }).first().click();
  // The page was not told where the file is.
  await (await chooser).setFiles(path);
  await page.locator('[data-verdict=completed]').first().waitFor();
  await figure(page, 'tokens.total', '120');
  // The event that was looked at still is.
  await detail(page).getByText('the first words').first().waitFor();
  assert.equal(await list(page).locator('[aria-selected=true]').getAttribute('data-line'), '2');
  assert.equal(await page.getByRole('button', { name: 'Reload' }).count(), 0);
});

pageTest('the log that was opened last is offered after the page was loaded again, until it is forgotten', async ({ page }) => {
  await write(page, 'last.jsonl', lines(...STEP, FINISH));
  await drop(page, 'last.jsonl');
  await line(page, 2).click();
  await detail(page).getByText('the first words').first().waitFor();
  // Kept by then: the database answers in order.
  await page.waitForFunction(async () => {
    if (!(await indexedDB.databases()).some((base) => base.name === 'steplens')) return false;
    const open = indexedDB.open('steplens', 1);
    const base = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
    if (!base.objectStoreNames.contains('handles')) return false;
    const got = base.transaction('handles').objectStore('handles').get('last');
    const handle = await new Promise((resolve) => { got.onsuccess = () => resolve(got.result); });
    base.close();
    return handle?.name === 'last.jsonl';
  });
  await page.reload();
  const again = page.getByRole('button', { name: 'Open last.jsonl again' });
  await again.waitFor();
  await accessible(page);
  await again.click();
  await state(page, 'ready');
  // The address still names the event.
  await detail(page).getByText('the first words').first().waitFor();
  await follow(page).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Forget last.jsonl' }).click();
  await page.reload();
  await started(page);
  assert.equal(await again.count(), 0);
});

pageTest('what is no file on disk is neither followed nor read again', async ({ page }) => {
  await openSample(page);
  assert.equal(await follow(page).count() + await page.getByRole('button', { name: 'Reload' }).count(), 0);
});

pageTest('a file without a handle is asked for when it is to be followed', async ({ page }) => {
  const text = lines(...STEP);
  await write(page, 'picked.jsonl', text);
  await open(page, { name: 'picked.jsonl', text });
  await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    window.showOpenFilePicker = async () => [await root.getFileHandle('picked.jsonl')];
  });
  await follow(page).click();
  await following(page).waitFor();
  await append(page, 'picked.jsonl', lines(FINISH));
  await page.locator('[data-verdict=completed]').first().waitFor();
});

pageTest('a browser that gives no handles offers to read the file again', async ({ page }) => {
  await page.evaluate(() => { delete window.showOpenFilePicker; });
  await open(page, { name: 'plain.jsonl', text: lines(...STEP) });
  assert.equal(await follow(page).count(), 0);
  await page.getByRole('button', { name: 'Reload' }).click();
  await state(page, 'ready');
  await line(page, 2).waitFor();
});
