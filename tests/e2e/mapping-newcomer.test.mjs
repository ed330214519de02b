// What a newcomer to the mapping lab met: what leaves by a copy button, typing that throws nobody out, suggestions that
// take nothing away, rules of links, files and memory side by side, and where laid-over rules are seen.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessible, cli, dropFiles, fixture, pageTest } from './harness.mjs';
import { fragment, open, rows, started, state, tab } from './page.mjs';

const call = (tool, input, n) =>
  JSON.stringify({
    type: 'tool_use', timestamp: 1767445000000 + n, sessionID: 'ses_1',
    part: { id: `prt_${n}`, messageID: 'msg_1', type: 'tool', callID: `c${n}`, tool, state: { status: 'completed', input, output: 'x' } },
  });
const LOG = [
  call('read', { filePath: 'a.rs', offset: 3, limit: 2 }, 1),
  call('read', { target_file: 'b.rs' }, 2),
  call('read', { doc_path: 'c.rs', target: 1 }, 3),
  call('webfetch', { url: 'https://example.org' }, 4),
  call('mcp_jira_create_issue', { project: 'APP', labels: ['bug'] }, 5),
].join('\n');
const FILE = { name: 'run.jsonl', text: `${LOG}\n` };
const rules = (id, tool) => `id = "${id}"\nversion = 1\n\n[[rule]]\nid = "${id}.a"\ntools = ["${tool}"]\nevent = "read"\nfields.path = ["url"]\nrequire = ["path"]\n`;
const ACME = readFileSync(fixture('rules/acme.toml'), 'utf8');
const ACME_LOG = { name: 'acme.jsonl', text: readFileSync(fixture('rules/acme.jsonl'), 'utf8') };
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

const editor = (page) => page.getByRole('textbox', { name: 'Rules (TOML)' });
const lines = (page) => page.getByRole('textbox', { name: 'Lines of a log' });
const chip = (page) => page.locator('[data-rules]');
const changed = (page, n) => page.locator(`[data-changed="${n}"]`);
const unknown = (page, name) => page.locator(`[data-unknown="${name}"]`);
const remembered = (page) => page.evaluate(() => localStorage.getItem('steplens.rules'));
const hasFocus = (page) => editor(page).evaluate((area) => document.activeElement === area);

async function openMapping(page, file = FILE) {
  await started(page);
  await open(page, file);
  await tab(page, 'Mapping');
  await page.getByRole('heading', { name: /^Coverage/ }).waitFor();
}

async function copied(page, name) {
  const before = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name, exact: true }).click();
  await page.waitForFunction(async (before) => (await navigator.clipboard.readText()) !== before, before);
  return page.evaluate(() => navigator.clipboard.readText());
}

pageTest('no secret and no home leaves by a copy button, reasons and rules included', { context: clipboard }, async ({ page }) => {
  const key = `sk-proj-${'Ab3dEf6h'.repeat(5)}`;
  await started(page);
  await page.getByRole('button', { name: 'Mapping lab' }).click();
  const command = `curl -H "Authorization: Bearer ${key}" https://api.example.com`;
  await lines(page).fill(call('run_in_terminal', { cmd: command, cwd: '/home/me/app' }, 1));
  await editor(page).fill(`# seen in /home/me/app with ${key}\nid = "mine"\nversion = 1\n[[rule]]\nid = "mine.t"\ntools = ["run_in_terminal"]\nevent = "command"\nfields.command = ["cmd"]\nfields.workingDirectory = ["cwd"]\n`);
  await page.locator('[data-tried="1"]').getByText('"rule": "mine.t"').waitFor();
  const issue = await copied(page, 'Copy as issue');
  assert.match(issue, /### Why[^]*command is `curl -H "Authorization: Bearer \[REDACTED:/);
  for (const text of [issue, await copied(page, 'Copy as fixture')]) {
    assert.ok(!text.includes(key) && !text.includes('/home/me'), text);
  }
  await page.getByRole('button', { name: 'Copy a link with these rules' }).click();
  await page.getByText(/it holds the rules, with \d secrets? masked, and no log/).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.goto('about:blank');
  await page.goto(link);
  await started(page);
  const text = await editor(page).inputValue();
  assert.ok(text.includes('fields.command = ["cmd"]') && !text.includes(key) && !text.includes('/home/me'), text);
});

pageTest('a fixture holds the rules that it needs', { context: clipboard }, async ({ page }) => {
  await openMapping(page);
  await editor(page).fill(rules('mine', 'webfetch'));
  await changed(page, 1).waitFor();
  await lines(page).fill(LOG.split('\n')[3]);
  await page.locator('[data-tried="1"]').getByText('"rule": "mine.a"').waitFor();
  const folder = mkdtempSync(join(tmpdir(), 'steplens-'));
  try {
    execFileSync('sh', ['-c', await copied(page, 'Copy as fixture')], { cwd: folder });
    const out = execFileSync(cli, ['map-test', 'mapping'], { cwd: folder, encoding: 'utf8' });
    assert.match(out, /1 fixture: 1 as expected, 0 not\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

pageTest('rules that come to read a refused log leave the editor and its focus', async ({ page }) => {
  await started(page);
  await open(page, ACME_LOG, { expect: 'failed' });
  await page.getByRole('button', { name: 'Mapping lab' }).click();
  await editor(page).fill(ACME);
  await page.getByText('6 records are now read by these rules.').waitFor();
  await editor(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('# j k t 1');
  assert.ok(await hasFocus(page));
  assert.equal(await editor(page).inputValue(), `${ACME}# j k t 1`);
  await accessible(page);
  await page.getByRole('button', { name: 'Show the run' }).click();
  await state(page, 'ready');
  await page.waitForFunction(() => document.querySelectorAll('.row[data-line]').length === 8);
  assert.match(await chip(page).textContent(), /rules: acme/);
  assert.equal(await page.getByRole('button', { name: 'Dialect' }).count(), 0);
});

pageTest('rules under which nothing is read leave the last mapping, the editor and its focus', async ({ page }) => {
  await started(page);
  await open(page, ACME_LOG, { expect: 'failed' });
  await dropFiles(page.locator('body'), [{ name: 'acme.toml', text: ACME }]);
  await state(page, 'ready');
  await tab(page, 'Mapping');
  await editor(page).focus();
  await editor(page).fill(ACME.replace('type = ["/kind"]', 'type = ["/kin"]'));
  await page.getByText('no record is read under these rules; the mapping before is shown').waitFor();
  await page.keyboard.press('j');
  assert.ok(await hasFocus(page));
  await page.getByRole('heading', { name: /^Coverage/ }).waitFor();
  await editor(page).fill(ACME);
  await page.getByText('no record is read under these rules').waitFor({ state: 'detached' });
});

pageTest('a suggestion for a tool that is known takes nothing away, and the second edits the first', async ({ page }) => {
  await openMapping(page);
  await unknown(page, 'read').getByText('"@path", "target_file"').waitFor();
  await unknown(page, 'read').getByRole('button', { name: /^Lay this rule over/ }).click();
  await changed(page, 1).waitFor();
  assert.deepEqual(await page.locator('.moves li').allTextContents(), ['1 unknown → read']);
  await unknown(page, 'read').getByText('"target_file", "doc_path"').waitFor();
  await unknown(page, 'read').getByRole('button', { name: /^Lay this rule over/ }).click();
  await changed(page, 2).waitFor();
  const text = await editor(page).inputValue();
  assert.equal(text.match(/\[\[rule\]\]/g).length, 1, text);
  assert.match(text, /fields\.path = \["@path", "target_file", "doc_path"\]/);
  const skeleton = unknown(page, 'mcp_jira_create_issue');
  await skeleton.getByText('No guess: its name and the keys of its input do not agree on an event.').first().waitFor();
  await skeleton.getByRole('button', { name: 'Put this skeleton into the editor' }).click();
  assert.match(await editor(page).inputValue(), /# tools = \["mcp_jira_create_issue"\]/);
  await changed(page, 2).waitFor();
});

pageTest('rules of a link leave the remembered ones, stay in the address, and follow edits there', { context: clipboard }, async ({ page, context, site }) => {
  await openMapping(page);
  await editor(page).fill(rules('linked', 'webfetch'));
  await changed(page, 1).waitFor();
  await page.getByRole('button', { name: 'Copy a link with these rules' }).click();
  await page.getByText('The link is copied').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await editor(page).fill(rules('kept', 'webfetch'));
  await page.getByRole('checkbox', { name: 'Remember in this browser' }).check();
  await page.waitForFunction(() => localStorage.getItem('steplens.rules')?.includes('kept.a'));

  const other = await context.newPage();
  await other.goto(link);
  await started(other);
  await other.getByText('Your rules (linked) will be laid over the log that you open.').waitFor();
  await other.getByText('These rules came with the link, for this tab').waitFor();
  assert.equal(await other.getByRole('checkbox', { name: 'Remember in this browser' }).isChecked(), false);
  assert.ok((await remembered(other)).includes('kept.a'));
  await openMapping(other);
  assert.match(fragment(other).rules ?? '', /./);
  await other.reload();
  await started(other);
  assert.equal(await editor(other).inputValue(), rules('linked', 'webfetch'));
  const before = fragment(other).rules;
  await editor(other).fill(rules('edited', 'webfetch'));
  await other.waitForFunction((before) => !location.hash.includes(before) && location.hash.includes('rules='), before);
  await other.reload();
  await started(other);
  assert.equal(await editor(other).inputValue(), rules('edited', 'webfetch'));
  assert.ok((await remembered(other)).includes('kept.a'));
  await page.goto('about:blank');
  await page.goto(site.url);
  await started(page);
  await page.getByText('Your rules (kept) will be laid over the log that you open.').waitFor();
});

pageTest('a table that comes along with a log is laid over it; rules are seen on every tab', async ({ page }) => {
  await started(page);
  await dropFiles(page.locator('body'), [{ name: 'team.toml', text: rules('team', 'webfetch') }, FILE]);
  await state(page, 'ready');
  await chip(page).getByText('team').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.row[data-kind=read]').length === 2);
  assert.equal(await page.getByText('left out').count(), 0);
  await tab(page, 'Tools');
  await chip(page).click();
  await changed(page, 1).waitFor();
  await accessible(page);
});

pageTest('rules without a log are said on the empty page, broken ones too', async ({ page }) => {
  await started(page);
  await dropFiles(page.locator('body'), [{ name: 'team.toml', text: rules('team', 'webfetch') }]);
  await page.getByText('Your rules (team) will be laid over the log that you open.').waitFor();
  await page.getByRole('checkbox', { name: 'Remember in this browser' }).check();
  await editor(page).fill(rules('team', 'webfetch').replace('"read"', '"reed"'));
  await page.getByText('Your rules (team) cannot be used, see below.').waitFor();
  await page.reload();
  await started(page);
  await page.getByText('Your rules (team) cannot be used, see below.').waitFor();
  await page.getByRole('alert').getByText('`reed` is no event of a call').waitFor();
  await accessible(page);
});

pageTest('reset is undone by one button; a log is no file of rules; the numbers go with the lines', async ({ page }) => {
  await openMapping(page);
  const long = `${rules('mine', 'webfetch')}${'# more\n'.repeat(60)}`;
  await editor(page).fill(long);
  await changed(page, 1).waitFor();
  await page.getByRole('button', { name: 'Reset' }).click();
  assert.equal(await editor(page).inputValue(), '');
  await page.getByRole('button', { name: 'Undo reset' }).click();
  assert.equal(await editor(page).inputValue(), long);
  await changed(page, 1).waitFor();
  await page.locator('input[accept=".toml"]').setInputFiles({ name: 'run.jsonl', mimeType: 'text/plain', buffer: Buffer.from(FILE.text) });
  await page.getByText('run.jsonl is no table of rules').waitFor();
  assert.equal(await editor(page).inputValue(), long);
  await editor(page).focus();
  await page.keyboard.press('Control+End');
  const at = await page.evaluate(() => {
    const area = document.querySelector('#lab-rules');
    const number = [...document.querySelectorAll('.lab-numbers span')].at(-1).getBoundingClientRect();
    return { inner: area.scrollTop, off: Math.abs(number.bottom + 6 - area.getBoundingClientRect().bottom) };
  });
  assert.equal(at.inner, 0);
  assert.ok(at.off < 18, JSON.stringify(at));
});

pageTest('a line alone is read by the dialect of the open log', async ({ page }) => {
  await openMapping(page, { name: 'kilo-run.jsonl', text: FILE.text });
  await lines(page).fill(call('task', { name: 'x' }, 9));
  await page.getByText('by the kilo table').waitFor();
  await page.locator('[data-tried="1"]').getByText('"rule": "kilo.task"').waitFor();
});
