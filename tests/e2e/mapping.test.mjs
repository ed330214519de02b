// The mapping tab and the lab: unknowns and rules, what a user's rules change, and what is taken away.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessible, cli, dropFiles, fixture, pageTest } from './harness.mjs';
import { atFragment, detail, line, list, open, openSample, rows, started, state, tab } from './page.mjs';

const call = (tool, input, n) =>
  JSON.stringify({
    type: 'tool_use', timestamp: 1767445000000 + n, sessionID: 'ses_1',
    part: { id: `prt_${n}`, messageID: 'msg_1', type: 'tool', callID: `c${n}`, tool, state: { status: 'completed', input, output: 'x' } },
  });
const LOG = [
  call('webfetch', { url: 'https://example.org' }, 1),
  call('webfetch', { url: 'https://example.com' }, 2),
  call('mcp_fs_search', { needle: 1, search_term: 'todo' }, 3),
  call('read', { target_file: 'a.rs' }, 4),
  JSON.stringify({ type: 'text', sessionID: 'ses_1', part: { id: 'prt_5', text: 'Done.', tone: 'warm' } }),
].join('\n');
const FILE = { name: 'run.jsonl', text: `${LOG}\n` };
const RULES = 'id = "mine"\nversion = 1\n\n[[rule]]\nid = "mine.fetch"\ntools = ["web*"]\nevent = "read"\nfields.path = ["url"]\nrequire = ["path"]\n';

const editor = (page) => page.getByRole('textbox', { name: 'Rules (TOML)' });
const unknown = (page, name) => page.locator(`[data-unknown="${name}"]`);
const rule = (page, id) => page.locator(`[data-rule="${id}"]`);
const changed = (page, n) => page.locator(`[data-changed="${n}"]`);
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

async function openMapping(page, file = FILE) {
  await started(page);
  await open(page, file);
  await tab(page, 'Mapping');
  await page.getByRole('heading', { name: /^Coverage/ }).waitFor();
}

pageTest('coverage, unknowns by reason, rules by use, and drift', async ({ page }) => {
  await openMapping(page);
  const figure = (name) => page.locator(`[data-figure="records.${name}"]`).getAttribute('data-value');
  assert.deepEqual([await figure('mapped'), await figure('unknown'), await figure('consumed')], ['1', '4', '0']);
  assert.deepEqual(await page.locator('.unknown-head').allTextContents(), [
    'toolwebfetchno rule× 2', 'toolmcp_fs_searchno rule× 1', 'toolreadno path in its input× 1',
  ]);
  assert.match(await rule(page, 'opencode.read').locator('summary').textContent(), /1 call · 1 unknown$/);
  assert.match(await rule(page, 'opencode.bash').locator('summary').textContent(), /never$/);
  await page.getByText('text part.tone').waitFor();
  await unknown(page, 'mcp_fs_search').getByRole('button', { name: 'Try the first line, of mcp_fs_search' }).click();
  await page.locator('[data-tried="1"]').waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Lines of a log' }).inputValue(), LOG.split('\n')[2]);
  await unknown(page, 'mcp_fs_search').getByRole('button', { name: '3', exact: true }).click();
  await atFragment(page, { tab: undefined, e: '3.prt_3' });
});

pageTest('a suggested rule is laid over by one click, and the timeline shows what changed', async ({ page }) => {
  await openMapping(page);
  await unknown(page, 'webfetch').getByRole('button', { name: 'Lay this rule over, for webfetch' }).click();
  await changed(page, 2).waitFor();
  assert.match(await editor(page).inputValue(), /^id = "mine"\nversion = 1\n\n\[\[rule\]\]\nid = "extensions.webfetch"\n/);
  assert.deepEqual(await page.locator('.moves li').allTextContents(), ['2 unknown → read']);
  await unknown(page, 'webfetch').waitFor({ state: 'detached' });
  await unknown(page, 'mcp_fs_search').getByRole('button', { name: /^Lay this rule over/ }).click();
  await changed(page, 3).waitFor();
  await unknown(page, 'read').getByRole('button', { name: /^Lay this rule over/ }).click();
  await changed(page, 4).waitFor();
  await page.getByText('Every type and every tool of this log is known.').waitFor();
  await page.getByRole('button', { name: 'Show the changed events' }).click();
  await page.getByText('Only 4 events that your rules changed.').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.row[data-line]').length === 4);
  assert.deepEqual(await rows(page).evaluateAll((all) => all.map((row) => row.dataset.kind)), ['read', 'read', 'search', 'read']);
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.row[data-line]').length === 5);
});

pageTest('the selected event stays the selected line, whatever the rules make of it', async ({ page }) => {
  await started(page);
  await open(page, FILE);
  await line(page, 3).click();
  await detail(page).getByText('no rule for mcp_fs_search').first().waitFor();
  await tab(page, 'Mapping');
  // The first line gives no event any more, so that every event has another number.
  await editor(page).fill('id = "mine"\nversion = 1\n[[rule]]\nid = "mine.none"\ntools = ["webfetch"]\nevent = "consumed"\n');
  await changed(page, 2).waitFor();
  await tab(page, 'Timeline');
  await atFragment(page, { e: '3.prt_3' });
  await detail(page).getByRole('heading', { name: /mcp_fs_search/ }).waitFor();
  assert.equal(await list(page).locator('[aria-selected=true]').getAttribute('data-line'), '3');
});

pageTest('a fault is shown at its line, and the mapping before it stays', async ({ page }) => {
  await openMapping(page);
  await editor(page).fill(RULES);
  await changed(page, 2).waitFor();
  await editor(page).fill(RULES.replace('"read"', '"reed"'));
  const fault = page.getByRole('alert');
  await fault.getByText('`reed` is no event of a call; allowed: `consumed`').waitFor();
  assert.equal(await page.locator('.lab-numbers .is-wrong').textContent(), '7');
  assert.equal(await editor(page).getAttribute('aria-invalid'), 'true');
  await fault.getByRole('button', { name: 'line 7, column 9' }).click();
  const at = await editor(page).evaluate((area) => area.value.slice(area.selectionStart).split('\n')[0]);
  assert.equal(at, '"reed"');
  await unknown(page, 'webfetch').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Reset' }).click();
  await unknown(page, 'webfetch').waitFor();
  assert.equal(await editor(page).inputValue(), '');
});

pageTest('a dropped table is laid over; rules are downloaded, linked and remembered', { context: { ...clipboard, acceptDownloads: true } }, async ({ page, context, site }) => {
  await openMapping(page);
  await dropFiles(page.locator('body'), [{ name: 'team.toml', text: RULES }]);
  await changed(page, 2).waitFor();
  assert.equal(await editor(page).inputValue(), RULES);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download', exact: true }).click()]);
  assert.equal(download.suggestedFilename(), 'rules.toml');
  assert.equal(readFileSync(await download.path(), 'utf8'), RULES);
  await page.getByRole('button', { name: 'Copy a link with these rules' }).click();
  await page.getByText('The link is copied').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await context.newPage();
  await other.goto(link);
  await openMapping(other);
  await changed(other, 2).waitFor();
  assert.equal(await editor(other).inputValue(), RULES);
  // Nothing is kept unless it is asked for.
  await page.goto(site.url);
  await page.reload();
  await openMapping(page);
  assert.equal(await editor(page).inputValue(), '');
  await editor(page).fill(RULES);
  await page.getByRole('checkbox', { name: 'Remember in this browser' }).check();
  await changed(page, 2).waitFor();
  await page.reload();
  await openMapping(page);
  await changed(page, 2).waitFor();
  await page.getByRole('checkbox', { name: 'Remember in this browser' }).uncheck();
  assert.equal(await page.evaluate(() => localStorage.getItem('steplens.rules')), null);
});

pageTest('a line is mapped alone on the empty page, and leaves as a fixture that map-test passes', { context: clipboard }, async ({ page }) => {
  await started(page);
  await page.getByRole('button', { name: 'Mapping lab' }).click();
  await page.getByRole('textbox', { name: 'Lines of a log' }).fill(call('webfetch', { url: 'https://example.org' }, 1));
  const becomes = page.locator('[data-tried="1"] pre');
  await becomes.getByText('"type": "unknown"').waitFor();
  await page.getByText('none of the 8 rules of the opencode table reads').waitFor();
  await editor(page).fill(RULES);
  await becomes.getByText('"rule": "mine.fetch"').waitFor();
  await page.getByRole('button', { name: 'Copy as fixture' }).click();
  await page.getByRole('button', { name: 'Copied' }).first().waitFor();
  const script = await page.evaluate(() => navigator.clipboard.readText());
  const folder = mkdtempSync(join(tmpdir(), 'steplens-'));
  try {
    execFileSync('sh', ['-c', script], { cwd: folder });
    writeFileSync(join(folder, 'mapping/rules.toml'), RULES);
    const out = execFileSync(cli, ['map-test', 'mapping'], { cwd: folder, encoding: 'utf8' });
    assert.match(out, /ok {4}fixture\.jsonl {2}1 event\n1 fixture: 1 as expected, 0 not\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
  await page.getByRole('button', { name: 'Copy as issue' }).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('### The line'));
  const issue = await page.evaluate(() => navigator.clipboard.readText());
  for (const head of ['### What it becomes', '### What was expected', '### Why', '### Rules', 'Steplens 0.']) assert.ok(issue.includes(head), head);
});

pageTest('secrets do not leave with a fixture', { context: clipboard }, async ({ page }) => {
  await started(page);
  await page.getByRole('button', { name: 'Mapping lab' }).click();
  const key = `ghp_${'A1b2C3d4'.repeat(4)}e5F6`;
  await page.getByRole('textbox', { name: 'Lines of a log' }).fill(call('webfetch', { url: `https://example.org/?x=${key}` }, 1));
  await page.getByText('1 secret is masked in the fixture and the issue').waitFor();
  await page.getByRole('button', { name: 'Copy as fixture' }).click();
  await page.getByRole('button', { name: 'Copied' }).first().waitFor();
  const script = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(!script.includes(key) && script.includes('webfetch'));
});

pageTest('the stream of another harness is read by rules alone', async ({ page }) => {
  const log = { name: 'acme.jsonl', text: readFileSync(fixture('rules/acme.jsonl'), 'utf8') };
  await started(page);
  await open(page, log, { expect: 'failed' });
  await dropFiles(page.locator('body'), [{ name: 'acme.toml', text: readFileSync(fixture('rules/acme.toml'), 'utf8') }]);
  await state(page, 'ready');
  await page.waitForFunction(() => document.querySelectorAll('.row[data-line]').length === 8);
  const kinds = await rows(page).evaluateAll((all) => all.map((row) => row.dataset.kind));
  assert.deepEqual(kinds, ['agent', 'read', 'search', 'write', 'write', 'unknown', 'error', 'unknown']);
});

pageTest('reasons lead to their place in the line, and to the text of the rule', async ({ page }) => {
  await started(page);
  await open(page, { name: 'run.jsonl', text: `${call('read', { path: '', filePath: 'a.rs' }, 1)}\n` });
  await line(page, 1).click();
  await detail(page).getByRole('tab', { name: 'Why' }).click();
  const keys = detail(page).getByRole('list', { name: 'Looked for, in this order' }).first();
  assert.deepEqual((await keys.locator('li').allTextContents()).slice(0, 3), ['pathempty', 'file_pathnot there', 'filePathhit']);
  await keys.getByRole('button', { name: 'filePath', exact: true }).click();
  assert.equal(await detail(page).locator('mark').textContent(), '"a.rs"');
  await detail(page).getByRole('button', { name: 'the text of opencode.read' }).first().click();
  await atFragment(page, { tab: 'mapping' });
  await rule(page, 'opencode.read').getByText('fields.lineCount').waitFor();
});

for (const theme of ['light', 'dark']) {
  for (const size of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    pageTest(`nothing for axe to find, ${theme}, ${size.width}`, { context: { colorScheme: theme, viewport: size } }, async ({ page }) => {
      await openMapping(page);
      await editor(page).fill(RULES);
      await changed(page, 2).waitFor();
      await page.getByRole('textbox', { name: 'Lines of a log' }).fill(LOG.split('\n')[0]);
      await page.locator('[data-tried="1"]').waitFor();
      await accessible(page);
      await editor(page).fill('id = 1');
      await page.getByRole('alert').waitFor();
      await accessible(page);
    });
  }
}
