// The pane about one event: its tabs, exact copies, and texts that are very long.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pageTest } from './harness.mjs';
import { detail, line, open, openSample } from './page.mjs';

const SAMPLE = readFileSync(new URL('../../web/static/sample.jsonl', import.meta.url), 'utf8').split('\n');
const CLIPBOARD = { context: { permissions: ['clipboard-read', 'clipboard-write'] } };

const show = (page, name) => detail(page).getByRole('tab', { name }).click();

async function copied(page, name) {
  await detail(page).getByRole('button', { name }).click();
  await detail(page).getByText('Copied', { exact: true }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

pageTest('the tabs say what is in the record', CLIPBOARD, async ({ page }) => {
  await openSample(page);
  await line(page, 19).click();
  const { state } = JSON.parse(SAMPLE[18]).part;
  const output = detail(page).locator('pre');
  await detail(page).getByText('shown as a terminal shows it, copied as it is').waitFor();
  assert.ok(!(await output.textContent()).includes('\x1b'));
  assert.match(await output.textContent(), /over_the_limit_is_429 \.\.\. FAILED/);
  assert.equal(await copied(page, 'Copy output'), state.output);
  await show(page, 'Raw');
  assert.equal(await copied(page, 'Copy line'), SAMPLE[18]);
  assert.deepEqual(JSON.parse(await output.textContent()), JSON.parse(SAMPLE[18]));
  await detail(page).getByRole('button', { name: 'As it is' }).click();
  assert.equal(await output.textContent(), SAMPLE[18]);
  await show(page, 'Input');
  await detail(page).getByText('180000', { exact: true }).waitFor();
  assert.deepEqual(JSON.parse(await copied(page, 'Copy input')), state.input);
  await show(page, 'Event');
  const event = JSON.parse(await copied(page, 'Copy JSON'));
  assert.equal(event.type, 'command');
  assert.equal(event.exitCode, 101);
  assert.equal(event.isSuccess, true);
  assert.equal(event.outcome, 'failed');
});

pageTest('why: three facts, and the decisions down to the outcome', async ({ page }) => {
  await openSample(page);
  await line(page, 19).click();
  await show(page, 'Why');
  const facts = await detail(page).locator('.facts div').evaluateAll((facts) => facts.map((fact) => fact.innerText.split('\n').filter(Boolean)));
  assert.deepEqual(facts, [['the harness says', 'completed'], ['exit code', '101'], ['error text', 'none']]);
  const last = detail(page).locator('.why li').last();
  assert.match(await last.textContent(), /outcome failed/);
  assert.match(await last.getAttribute('class'), /attention/);
});

pageTest('an event that lacks a tab shows another one', async ({ page }) => {
  await openSample(page);
  await line(page, 19).click();
  await show(page, 'Input');
  await line(page, 2).click();
  await detail(page).getByRole('tab', { name: 'Output', selected: true }).waitFor();
  assert.equal(await detail(page).getByRole('tab', { name: 'Input' }).isDisabled(), true);
});

pageTest('arrow keys go through the tabs', async ({ page }) => {
  await openSample(page);
  await line(page, 19).click();
  await detail(page).getByRole('tab', { name: 'Output' }).focus();
  await page.keyboard.press('ArrowRight');
  await detail(page).getByRole('tab', { name: 'Raw', selected: true }).waitFor();
  await page.keyboard.press('End');
  await detail(page).getByRole('tab', { name: 'Why', selected: true }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Why');
});

pageTest('a very long output is shown in part, then whole', { ...CLIPBOARD, timeout: 90_000 }, async ({ page }) => {
  const output = `${'ä'.repeat(3)}${'x'.repeat(79)}\n`.repeat(60_000);
  const part = { id: 'prt_1', type: 'tool', tool: 'bash', callID: 'call_1', state: { status: 'completed', input: { command: 'yes' }, output, time: { start: 1, end: 2 } } };
  const text = `${JSON.stringify({ type: 'tool_use', timestamp: 1767445000000, sessionID: 'ses_1', part })}\n`;
  await open(page, { name: 'long.jsonl', text });
  await line(page, 1).click();
  const shown = detail(page).locator('pre').first();
  await detail(page).getByText('The first 43.1 kB are shown').waitFor();
  assert.ok((await shown.textContent()).length <= 50_000);
  await detail(page).getByRole('button', { name: /Show all \(5\.1\d MB\)/ }).click();
  await detail(page).getByText('All 60,001 lines are here.').waitFor();
  const whole = detail(page).getByRole('group', { name: 'Output' });
  await whole.evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await whole.getByText('60000', { exact: true }).waitFor();
  // What is seen of it costs what is seen of it.
  assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 1_500);
  assert.equal((await copied(page, 'Copy output')).length, output.length);
});

pageTest('long names and lines never widen the page', async ({ page }) => {
  const long = 'x'.repeat(100_000);
  const part = (id, tool, input, more = {}) => ({
    id, type: 'tool', tool, callID: id, state: { status: 'completed', input, output: long, title: long, time: { start: 1, end: 2 }, ...more },
  });
  const records = [
    part('prt_1', 'bash', { command: `echo ${long}` }),
    part('prt_2', 'read', { filePath: `/${'d/'.repeat(3000)}${long}` }),
    part(`prt_3`, `tool_${long}`, { [long]: long }),
    part('prt_4', 'read', { filePath: 'a.rs' }, { status: 'error', error: long }),
  ];
  const text = records.map((part) => JSON.stringify({ type: 'tool_use', timestamp: 1767445000000, sessionID: long, part })).join('\n');
  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    await page.setViewportSize(viewport);
    await open(page, { name: `${'n'.repeat(200)}-${viewport.width}.jsonl`, text });
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight);
    assert.ok(await fits());
    await line(page, 3).click();
    for (const name of ['Event', 'Input', 'Raw', 'Why', 'Output']) {
      await show(page, name);
      assert.ok(await fits(), name);
    }
  }
});
