// What the detail pane makes of outputs: terminal colours, differences, Markdown, trees, lines of files, pictures.
import assert from 'node:assert/strict';
import { accessible, pageTest } from './harness.mjs';
import { detail, line, open } from './page.mjs';

const ESC = '\x1b';
const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
const DIFF = '--- a/src/a.rs\n+++ b/src/a.rs\n@@ -8,4 +8,5 @@ impl A {\n     fn a() {\n-        let limit = 20;\n+        let limit = 60;\n+        let burst = 5;\n     }\n }\n';
const MARKDOWN = `# Result

It **works**: [docs](https://example.org/a), [x](javascript:alert(1)), <b>no</b>.

- [x] done
- open

| file | lines |
|:-----|------:|
| a.rs | 12 |

\`\`\`rust
fn main() {}
\`\`\`

![shot](https://example.org/x.png)`;

const call = (n, tool, input, state) => ({
  type: 'tool_use',
  part: { id: `prt_${n}`, type: 'tool', tool, callID: `c${n}`, state: { status: 'completed', input, time: { start: 1785403000000 + n * 1000, end: 1785403000100 + n * 1000 }, ...state } },
});
const RECORDS = [
  { type: 'text', part: { id: 'prt_1', type: 'text', text: MARKDOWN } },
  call(2, 'bash', { command: 'make' }, { output: `${ESC}[1;31merror${ESC}[0m: no\n10%\r100%\n${ESC}]8;;https://evil.example${ESC}\\link${ESC}]8;;${ESC}\\ \u202etxt.exe\u200b\n`, metadata: { exit: 0 } }),
  call(3, 'edit', { filePath: '/p/src/a.rs', oldString: '20', newString: '60' }, { output: 'Edit applied.', metadata: { diff: DIFF.replaceAll(/[ab]\/src/g, '/p/src') } }),
  call(4, 'apply_patch', { patchText: '*** Begin Patch\n*** Add File: b.txt\n+one\n*** Update File: c.txt\n@@\n-let a = 1;\n+let a = 2;\n*** End Patch' }, { output: 'Done.' }),
  call(5, 'bash', { command: 'git diff' }, { output: `diff --git a/src/a.rs b/src/a.rs\n${DIFF}`, metadata: { exit: 0 } }),
  call(6, 'read', { filePath: '/p/src/a.rs' }, { output: '<path>/p/src/a.rs</path>\n<content>\n8: fn a() {\n9: }\n10: \n</content>' }),
  call(7, 'webfetch', { url: 'https://x.y' }, { output: '{"n": 12345678901234567890.10, "list": [1, {"deep": true}], "s": "a\\nb"}' }),
  call(8, 'read', { filePath: '/p/pixel.png' }, { output: 'Image read', attachments: [{ type: 'file', mime: 'image/png', url: PIXEL }] }),
  call(9, 'edit', { filePath: '/p/d.rs', oldString: 'old', newString: 'new' }, { status: 'error', error: 'oldString not found' }),
  call(10, 'write', { filePath: '/p/long.txt', content: Array.from({ length: 20_000 }, (_, n) => `row ${n}`).join('\n') }, { output: 'Wrote.', metadata: { exists: false } }),
];
const LOG = {
  name: 'rendering.jsonl',
  text: RECORDS.map((record, n) => JSON.stringify({ ...record, timestamp: 1785403000500 + n * 1000, sessionID: 'ses_1' })).join('\n') + '\n',
};

/** Numbers, signs and texts of a difference. */
const differences = async (within) => {
  await within.waitFor();
  return within.locator('.dl').evaluateAll((lines) =>
    lines.map((line) => (line.querySelector('.dt') ? [...line.children].map((cell) => cell.textContent).join('|') : line.textContent.trim())),
  );
};

async function look(page, number) {
  await open(page, LOG);
  await line(page, number).first().click();
  await detail(page).getByRole('tabpanel').waitFor();
}

pageTest('Markdown: elements of its own, dead links, no picture fetched', async ({ page, requests }) => {
  await look(page, 1);
  const md = detail(page).locator('.md');
  await md.getByRole('heading', { name: 'Result', level: 3 }).waitFor();
  assert.equal(await md.locator('strong').textContent(), 'works');
  const links = await md.locator('a').evaluateAll((links) => links.map((a) => [a.href, a.rel, a.target]));
  assert.deepEqual(links, [
    ['https://example.org/a', 'noopener noreferrer nofollow', '_blank'],
    ['https://example.org/x.png', 'noopener noreferrer nofollow', '_blank'],
  ]);
  assert.equal(await md.locator('.md-dead').textContent(), 'x');
  assert.match(await md.textContent(), /<b>no<\/b>/);
  assert.equal(await md.getByRole('img', { name: 'done' }).count(), 1);
  assert.deepEqual(await md.locator('tr').allTextContents(), ['filelines', 'a.rs12']);
  assert.equal(await md.locator('pre').textContent(), 'fn main() {}');
  assert.equal(await page.locator('#detail img').count(), 0);
  await detail(page).getByRole('button', { name: 'As text' }).click();
  assert.equal(await detail(page).locator('pre').textContent(), MARKDOWN);
  assert.ok(requests.every((url) => !url.includes('example.org')));
});

pageTest('terminal output: colours, overwritten lines, links as text, what cannot be seen', async ({ page }) => {
  await look(page, 2);
  const output = detail(page).locator('pre');
  assert.equal(await output.textContent(), 'error: no\n100%\nlink U+202Etxt.exeU+200B\n');
  const error = output.locator('.a-bold.a-ink');
  assert.equal(await error.textContent(), 'error');
  const colour = () => error.evaluate((element) => getComputedStyle(element).color);
  const light = await colour();
  await page.keyboard.press('t');
  assert.notEqual(await colour(), light);
  assert.equal(await output.locator('.unseeable').first().getAttribute('title'), 'right-to-left override');
});

pageTest('an edit: lines with numbers and signs, and the words that changed', async ({ page }) => {
  await look(page, 3);
  const changes = detail(page).getByRole('group', { name: 'Changes' });
  assert.deepEqual(await differences(changes), [
    '/p/src/a.rs +2 −1',
    '⋯ line 8 impl A {',
    '8|8| |    fn a() {',
    '9||−|        let limit = 20;',
    '|9|+|        let limit = 60;',
    '|10|+|        let burst = 5;',
    '10|11| |    }',
    '11|12| |}',
  ]);
  assert.deepEqual(await changes.locator('.word').allTextContents(), ['20', '60']);
});

pageTest('a patch without line numbers says whose word it is', async ({ page }) => {
  await look(page, 4);
  await detail(page).getByText('As the model asked for it: the log does not say what the harness changed.').waitFor();
  const changes = detail(page).getByRole('group', { name: 'Changes' });
  assert.deepEqual(await differences(changes), ['b.txt new file +1 −0', '|1|+|one', 'c.txt +1 −1', '⋯ somewhere in the file', '||−|let a = 1;', '||+|let a = 2;']);
});

pageTest('the output of git diff is a difference, and text when asked for', async ({ page }) => {
  await look(page, 5);
  const changes = detail(page).getByRole('group', { name: 'Changes' });
  assert.equal((await differences(changes))[0], 'src/a.rs +2 −1');
  await detail(page).getByRole('button', { name: 'As text' }).click();
  assert.equal(await detail(page).locator('pre').textContent(), RECORDS[4].part.state.output);
});

pageTest('a file that was read has the numbers of its lines', async ({ page }) => {
  await look(page, 6);
  await detail(page).locator('.nl').first().waitFor();
  const numbers = await detail(page).locator('.nl').evaluateAll((lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent.trim())));
  assert.deepEqual(numbers, [['', '<path>/p/src/a.rs</path>'], ['', '<content>'], ['8', 'fn a() {'], ['9', '}'], ['10', ''], ['', '</content>']]);
});

pageTest('JSON is a tree: folded by keys, numbers as they are written, paths and values copied', { context: { permissions: ['clipboard-read', 'clipboard-write'] } }, async ({ page }) => {
  await look(page, 7);
  const tree = detail(page).getByRole('tree', { name: 'The output as a tree' });
  const items = () => tree.getByRole('treeitem').allTextContents();
  await tree.getByRole('treeitem').first().waitFor();
  assert.deepEqual(await items(), ['▾{ 3 keys }', 'n: 12345678901234567890.10', '▾list: [ 2 entries ]', '0 1', '▾1 { 1 key }', 'deep: true', 's: "a\\nb"']);
  await tree.focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
  await tree.getByRole('treeitem', { name: 'list', expanded: false }).waitFor();
  assert.equal((await items()).length, 4);
  await page.keyboard.press('ArrowRight');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'p']) await page.keyboard.press(key);
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) === '.list[1].deep');
  await page.keyboard.press('Home');
  await page.keyboard.press('c');
  await page.waitForFunction(async (text) => (await navigator.clipboard.readText()) === text, RECORDS[6].part.state.output);
});

pageTest('a picture is shown on a click, from the bytes of the log', async ({ page }) => {
  await look(page, 8);
  await detail(page).getByText('image/png · 68 B · 1 × 1').waitFor();
  assert.equal(await page.locator('#detail img').count(), 0);
  await detail(page).getByRole('button', { name: 'Show picture' }).click();
  const picture = detail(page).getByRole('img', { name: 'Picture of the log, image/png · 68 B · 1 × 1' });
  await page.waitForFunction(() => document.querySelector('#detail img').naturalWidth === 1);
  assert.equal(await picture.getAttribute('src'), PIXEL);
});

pageTest('an edit that failed was asked for, and not done', async ({ page }) => {
  await look(page, 9);
  assert.equal(await detail(page).locator('pre').textContent(), 'oldString not found');
  assert.equal(await detail(page).getByRole('group', { name: 'Changes' }).count(), 0);
  await detail(page).getByRole('tab', { name: 'Input' }).click();
  await detail(page).getByText('Asked for, and not done').waitFor();
});

pageTest('a long difference is shown in part, then in a window', async ({ page }) => {
  await look(page, 10);
  const changes = () => detail(page).getByRole('group', { name: 'Changes' });
  await changes().waitFor();
  assert.equal(await changes().locator('.dl').count(), 200);
  await detail(page).getByRole('button', { name: 'Show all (20,001 lines)' }).click();
  await changes().evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await changes().getByText('row 19999', { exact: true }).waitFor();
  assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 1_500);
});

for (const colorScheme of ['light', 'dark']) {
  pageTest(`axe: every way to show an output, ${colorScheme}`, { context: { colorScheme }, timeout: 180_000 }, async ({ page }) => {
    await open(page, LOG);
    const found = [];
    for (let number = 1; number <= RECORDS.length; number++) {
      await line(page, number).first().click();
      // Its own tabs, not those of the event before.
      await detail(page).locator('.detail-facts').filter({ hasText: new RegExp(`line\\s${number}\\s·\\sbyte`) }).waitFor();
      for (const name of ['Input', 'Output']) {
        const tab = detail(page).getByRole('tab', { name });
        if (await tab.isDisabled()) continue;
        await tab.click();
        await accessible(page, { include: '#detail' }).catch((error) => found.push(`${number} ${name}: ${error.message.split('\n+ actual')[0]}`));
      }
    }
    assert.deepEqual(found, [], found.join('\n'));
  });
}
