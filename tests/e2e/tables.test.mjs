// The tools tab and the tokens and cost tab.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { pageTest } from './harness.mjs';
import { atFragment, list, openSample, rows, summary, tab } from './page.mjs';

const SAMPLE = fileURLToPath(new URL('../../web/static/sample.jsonl', import.meta.url));
const table = (page) => page.getByRole('table', { name: 'One row a tool' });
const names = (page) => table(page).locator('tbody th').evaluateAll((cells) => cells.map((cell) => cell.querySelector('button').textContent));
const row = (page, name) => table(page).locator('tbody tr', { has: page.getByRole('button', { name, exact: true }) });

pageTest('the ledger is that of the command line', async ({ page }) => {
  await openSample(page);
  await tab(page, 'Tools');
  const { tools, unmapped } = summary(SAMPLE);
  assert.deepEqual(await names(page), tools.map((tool) => tool.name));
  for (const tool of tools) {
    const cells = await row(page, tool.name).locator('td').allTextContents();
    const counts = cells.slice(1, 5).map((text) => Number(text.replaceAll(',', '')));
    assert.deepEqual(counts, [tool.calls, tool.failed, tool.greenButFailed, tool.rejected], tool.name);
  }
  for (const { tool } of unmapped) await row(page, tool).getByText('no rule').waitFor();
  const foot = await table(page).locator('tfoot td').allTextContents();
  assert.deepEqual(foot.slice(1, 5), ['25', '3', '2', '1']);
});

pageTest('columns sort both ways, unknown last', async ({ page }) => {
  await openSample(page);
  await tab(page, 'Tools');
  const head = (name) => table(page).getByRole('columnheader', { name, exact: true });
  await head('Max').getByRole('button').click();
  assert.equal(await head('Max').getAttribute('aria-sort'), 'descending');
  assert.deepEqual((await names(page)).slice(0, 2), ['bash', 'task']);
  await head('Max').getByRole('button').click();
  assert.equal(await head('Max').getAttribute('aria-sort'), 'ascending');
  assert.equal((await names(page)).at(-1), 'bash');
  await head('Tool').getByRole('button').click();
  assert.deepEqual(await names(page), [...(await names(page))].sort());
  assert.equal(await head('Max').getAttribute('aria-sort'), 'none');
});

pageTest('a tool leads to its calls', async ({ page }) => {
  await openSample(page);
  await tab(page, 'Tools');
  await row(page, 'apply_patch').getByRole('button', { name: 'apply_patch' }).click();
  await atFragment(page, { tab: undefined, f: 'tool:apply_patch' });
  await page.waitForFunction(() => document.querySelectorAll('.row[data-line]').length === 3);
  assert.deepEqual(await rows(page).evaluateAll((rows) => rows.map((row) => row.dataset.line)), ['31', '31', '31']);
  await page.getByRole('button', { name: 'no longer only apply_patch' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.row[data-line]').length > 10);
});

pageTest('steps have their tokens, and lead to the timeline', async ({ page }) => {
  await openSample(page);
  await tab(page, 'Tokens & cost');
  const steps = page.getByRole('grid', { name: 'Steps' });
  assert.equal(await steps.getAttribute('aria-rowcount'), '9');
  const fourth = steps.locator('[data-step="4"]');
  for (const text of ['3 attempts', '15,425', '12,262', '2,406', '402', '355', '$0.0230', 'tool-calls']) {
    await fourth.getByText(text, { exact: true }).waitFor();
  }
  await fourth.getByRole('button', { name: '4' }).click();
  await list(page).locator('[data-step="4"]').waitFor();
  await atFragment(page, { tab: undefined });
});

pageTest('a step that the filter hides is shown all the same', async ({ page }) => {
  await openSample(page);
  await page.getByRole('button', { name: /^skill/ }).click();
  await atFragment(page, { f: 'skill' });
  await tab(page, 'Tokens & cost');
  await page.getByRole('grid', { name: 'Steps' }).locator('[data-step="6"]').getByRole('button').click();
  await list(page).locator('[data-step="6"]').waitFor();
  await atFragment(page, { f: undefined });
});

pageTest('costs that are unknown say why', async ({ page }) => {
  await openSample(page);
  await tab(page, 'Tokens & cost');
  const panel = page.getByRole('tabpanel', { name: /Tokens/ });
  await panel.getByText('$0.1771').waitFor();
  assert.equal(await panel.getByText('Unknown: the stream names no model').count(), 2);
});
