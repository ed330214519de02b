// Files that come together or one after the other, and files among them that are no logs.
import assert from 'node:assert/strict';
import { accessible, dropFiles, fixture, pageTest } from './harness.mjs';
import { detail, figures, figuresOf, line, open, openSample, state, summary, tab } from './page.mjs';

const LOG = fixture('step_stream/case_green_but_failed.jsonl');
const OTHER = fixture('step_stream/case_bash_table.jsonl');
const MERGED = ['export/run_cut.jsonl', 'export/parent.json', 'export/child.json'].map(fixture);
const WRONG = { name: 'notes.txt', text: 'just notes\n' };

const settled = (page, title) =>
  page.waitForFunction((title) => document.title === `${title} – Steplens` && document.documentElement.dataset.state === 'ready', title);

/** Picks files with the button "Add files". */
async function add(page, files) {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Add files' }).click(),
  ]);
  await chooser.setFiles(files);
}

pageTest('a wrong file never takes the place of an open log', async ({ page }) => {
  await openSample(page);
  const before = await figures(page);
  await line(page, 19).click();
  await dropFiles(page.locator('body'), [WRONG]);
  const dialog = page.getByRole('dialog', { name: 'notes.txt is no log that Steplens reads' });
  await dialog.getByText('What was open stays open.').waitFor();
  assert.match(await dialog.getByLabel('First bytes').textContent(), /just notes/);
  await accessible(page);
  await dialog.getByRole('button', { name: 'Keep the open log' }).click();
  await settled(page, 'sample.jsonl');
  assert.deepEqual(await figures(page), before);
  // Its lines are still there to be read.
  await detail(page).getByRole('tab', { name: 'Raw' }).click();
  await detail(page).getByText('cargo test --test limits').first().waitFor();

  await dropFiles(page.locator('body'), [WRONG, { name: 'empty.jsonl', text: '' }]);
  const both = page.getByRole('dialog', { name: 'None of these 2 files is a log' });
  await both.getByText('the file is empty').waitFor();
  await both.getByRole('button', { name: 'Show its lines instead' }).click();
  await settled(page, 'notes.txt + 1');
  assert.equal(await page.getByRole('dialog').count(), 0);
});

pageTest('what is no log beside one that is is left out, and said to be', async ({ page }) => {
  const database = { name: 'kilo.db', text: 'SQLite format 3\0\x10\0' };
  // Before the page has started nobody hears a drop.
  await page.locator('html[data-state]').waitFor({ state: 'attached' });
  await dropFiles(page.locator('body'), [WRONG, LOG, database]);
  await settled(page, 'case_green_but_failed.jsonl');
  await page.getByRole('status').getByText('notes.txt and kilo.db were left out. The Files tab says why.').waitFor();
  assert.deepEqual(await figures(page), figuresOf(summary(LOG)));
  await tab(page, 'Files');
  const panel = page.getByRole('tabpanel', { name: /Files/ });
  await panel.getByText('Left out: 2 files that are no logs').waitFor();
  await panel.getByText('this is an SQLite database, which is not read').waitFor();
  assert.equal(await panel.getByRole('table').first().locator('tbody tr').count(), 1);
  await accessible(page);
});

pageTest('files that come one after the other are as if they had come together', async ({ page }) => {
  const wanted = figuresOf(summary(...MERGED));
  for (const order of [MERGED, [...MERGED].reverse()]) {
    const [first, ...others] = order;
    await open(page, first);
    let name = first.split('/').pop();
    for (const [n, file] of others.entries()) {
      await add(page, file);
      await settled(page, `${name} + ${n + 1}`);
    }
    assert.deepEqual(await figures(page), wanted);
  }
});

pageTest('what is dropped on a loaded page is opened instead, or added', async ({ page }) => {
  await open(page, LOG);
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['x'], 'x'));
    return data;
  });
  await page.locator('body').dispatchEvent('dragenter', { dataTransfer: transfer });
  await page.locator('body').dispatchEvent('dragover', { dataTransfer: transfer });
  await page.getByText('Add to this run').waitFor();
  await dropFiles(page.locator('[data-drop=add]'), [OTHER]);
  await settled(page, 'case_green_but_failed.jsonl + 1');
  assert.deepEqual(await figures(page), figuresOf(summary(LOG, OTHER)));
  assert.equal(await page.locator('.drop-veil').count(), 0);

  await page.locator('body').dispatchEvent('dragover', { dataTransfer: transfer });
  await dropFiles(page.locator('[data-drop=open]'), [OTHER]);
  await settled(page, 'case_bash_table.jsonl');
});

pageTest('a wrong file that is added is refused, and adding goes on', async ({ page }) => {
  await open(page, LOG);
  await add(page, [{ name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<!doctype html><title>x</title>') }]);
  const dialog = page.getByRole('dialog', { name: 'page.html is no log that Steplens reads' });
  await dialog.getByText('This is a web page (HTML), which is not read').waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Show its lines instead' }).count(), 0);
  await dialog.getByRole('button', { name: 'Keep the open log' }).click();
  await add(page, OTHER);
  await settled(page, 'case_green_but_failed.jsonl + 1');
  assert.deepEqual(await figures(page), figuresOf(summary(LOG, OTHER)));
});

pageTest('two files of one name are told apart', async ({ page }) => {
  await open(page, LOG);
  await add(page, LOG);
  await settled(page, 'case_green_but_failed.jsonl + 1');
  await tab(page, 'Files');
  const names = await page.getByRole('tabpanel', { name: /Files/ }).getByRole('table').first().locator('tbody th').allTextContents();
  assert.deepEqual(names, ['case_green_but_failed.jsonl', 'case_green_but_failed.jsonl (2)']);
  assert.equal((await figures(page)).calls, summary(LOG).total.calls);
  await state(page, 'ready');
});
