// The page and the command line never disagree: every figure, for every fixture.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fixture, pageTest } from './harness.mjs';
import { figures, figuresOf, open, openSample, summary, tab } from './page.mjs';

// What is no log to the built-in tables has its tests elsewhere.
const OTHER = ['aep', 'rules'];
const folders = readdirSync(fixture('.'), { withFileTypes: true }).filter((entry) => entry.isDirectory() && !OTHER.includes(entry.name));
/** How the runs ended: where they ended differently, the worst of them. Subagents are no runs. */
function worst(sessions) {
  const ends = sessions.filter((session) => !session.parent).map((session) => session.verdict.state);
  const rank = { failed: 0, stopped: 1, cut: 1, unknown: 2, completed: 3 };
  return new Set(ends).size < 2 ? sessions[0]?.verdict.state : ends.sort((a, b) => rank[a] - rank[b])[0];
}

for (const { name: folder } of folders) {
  const files = readdirSync(fixture(folder)).filter((name) => /\.(jsonl?|log|txt\.sse)$/.test(name));
  if (files.length === 0) continue;
  pageTest(`figures equal those of the command line: ${folder}`, { timeout: 300_000 }, async ({ page }) => {
    const wrong = [];
    for (const name of files) {
      const path = fixture(`${folder}/${name}`);
      const said = summary(path);
      const isRead = said.files[0].format !== null;
      try {
        await open(page, path, { expect: isRead ? 'ready' : 'failed' });
      } catch (error) {
        wrong.push(`${name}: ${error.message}`);
      }
      if (!isRead) continue;
      const found = await figures(page);
      const verdict = await page.locator('[data-verdict]').evaluateAll(([first]) => first?.dataset.verdict);
      const wanted = { ...figuresOf(said), verdict: worst(said.sessions) };
      try {
        assert.deepEqual({ ...found, verdict }, wanted);
      } catch (error) {
        wrong.push(`${name}: ${error.message}`);
      }
    }
    assert.deepEqual(wrong, [], wrong.join('\n'));
  });
}

pageTest('figures are the same on every tab', async ({ page }) => {
  await openSample(page);
  const wanted = await figures(page);
  assert.equal(wanted['tokens.total'], 122492);
  assert.equal(wanted['cost.reported'], 0.1770582);
  assert.equal(wanted['cost.comparable'], null);
  assert.equal(wanted['calls.failed'], 3);
  assert.equal(wanted['calls.rejected'], 1);
  for (const name of ['Tools', 'Tokens & cost']) {
    await tab(page, name);
    assert.deepEqual(await figures(page), wanted);
  }
});

pageTest('unknown is never zero', async ({ page }) => {
  const record = { type: 'text', timestamp: 1767445000000, sessionID: 'ses_1', part: { id: 'prt_1', type: 'text', text: 'hello' } };
  await open(page, { name: 'bare.jsonl', text: `${JSON.stringify(record)}\n` });
  const found = await figures(page);
  for (const name of ['tokens.total', 'tokens.output', 'cost.reported', 'cost.comparable', 'cost.list']) {
    assert.equal(found[name], null, name);
  }
  assert.equal(found.calls, 0);
});
