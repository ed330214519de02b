// A hit that lies deep in a very long output is brought into sight, in the window that shows all of it.
import assert from 'node:assert/strict';
import { pageTest } from './harness.mjs';
import { open, started } from './page.mjs';

const output = Array.from({ length: 4000 }, (_, n) => (n === 3210 ? 'here lies the needle' : `line ${n} of an output that goes on and on`)).join('\n');
const LOG = JSON.stringify({
  type: 'tool_use', timestamp: 1767445000000, sessionID: 'ses_1',
  part: { id: 'prt_1', messageID: 'msg_1', type: 'tool', callID: 'c1', tool: 'bash', state: { status: 'completed', input: { command: 'make' }, output, metadata: { exit: 0 } } },
});

pageTest('a hit deep in a long output is scrolled to', async ({ page }) => {
  await started(page);
  await open(page, { name: 'long.jsonl', text: `${LOG}\n` });
  await page.getByRole('searchbox', { name: 'Search events' }).fill('the needle');
  await page.keyboard.press('Enter');
  const hit = page.locator('#whole-text').getByText('here lies the needle');
  await hit.waitFor();
  const [seen, frame] = [await hit.boundingBox(), await page.locator('#whole-text').boundingBox()];
  assert.ok(seen.y >= frame.y && seen.y + seen.height <= frame.y + frame.height, 'the line lies within the window');
});
