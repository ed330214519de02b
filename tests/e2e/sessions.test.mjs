// The switch between sessions: a tree of a run, its children and its forks.
import assert from 'node:assert/strict';
import { accessible, fixture, pageTest } from './harness.mjs';
import { atFragment, open, summary } from './page.mjs';

const FILES = ['export/parent.json', 'export/child.json'].map(fixture);
const items = (page) => page.getByRole('tree', { name: 'Sessions' }).getByRole('treeitem');
const open_tree = (page) => page.getByRole('button', { name: /^All \d sessions/ }).click();

for (const [size, viewport] of [['wide', { width: 1440, height: 900 }], ['phone', { width: 390, height: 844 }]]) {
  pageTest(`children stand under their parent, each with its own cost: ${size}`, { context: { viewport } }, async ({ page }) => {
    await open(page, FILES);
    await open_tree(page);
    const { sessions } = summary(...FILES);
    assert.equal(sessions.length, 2);
    const [parent, child] = sessions;
    assert.equal(child.parent, parent.id);
    const row = (session) => page.locator(`[data-session="${session.id}"]`);
    assert.equal(await row(parent).getAttribute('aria-level'), '1');
    assert.equal(await row(child).getAttribute('aria-level'), '2');
    assert.equal(Number(await row(parent).getAttribute('data-own-cost')), parent.cost.reportedUsd);
    assert.equal(Number(await row(parent).getAttribute('data-children-cost')), child.cost.reportedUsd);
    assert.equal(await row(child).getAttribute('data-children-cost'), '');
    await accessible(page);
  });
}

pageTest('the tree is walked and chosen from by the keyboard', async ({ page }) => {
  await open(page, FILES);
  const [parent, child] = summary(...FILES).sessions;
  await open_tree(page);
  await items(page).first().and(page.locator(':focus')).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.locator(`[data-session="${child.id}"]:focus`).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.locator(`[data-session="${parent.id}"]:focus`).waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await atFragment(page, { f: `session:${child.id}` });
  assert.equal(await items(page).count(), 0);
});

pageTest('a fork stands under what it was made from, and is no child', async ({ page }) => {
  const files = ['export/parent.json', 'export/fork.json'].map(fixture);
  await open(page, files);
  await open_tree(page);
  const fork = summary(...files).sessions.find((session) => session.forkOf);
  assert.ok(fork.copiedSteps > 0);
  const row = page.locator(`[data-session="${fork.id}"]`);
  assert.equal(await row.getAttribute('aria-level'), '2');
  await row.getByText('fork', { exact: true }).waitFor();
  assert.equal(await page.locator(`[data-session="${fork.forkOf}"]`).getAttribute('data-children-cost'), '');
});
