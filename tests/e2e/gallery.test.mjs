// The gallery of development builds: every part and state draws, says nothing on the console, and can be read in both
// themes. Shipped builds have none.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, dist, pageTest } from './harness.mjs';

const KINDS = ['agent', 'user', 'reasoning', 'command', 'read', 'write', 'search', 'list', 'skill', 'orchestration', 'error', 'unknown'];
// The page shows parts of a page several times: these rules are about pages that have each once.
const ONCE = ['landmark-no-duplicate-banner', 'landmark-no-duplicate-main', 'landmark-unique', 'landmark-banner-is-top-level', 'landmark-main-is-top-level', 'duplicate-id-aria', 'region', 'heading-order'];

if (existsSync(join(dist, 'gallery.html'))) {
  for (const colorScheme of ['light', 'dark']) {
    pageTest(`the gallery shows every kind, outcome and state (${colorScheme})`, { path: 'gallery.html', context: { colorScheme }, timeout: 120_000 }, async ({ page }) => {
      await page.getByRole('heading', { name: 'Small parts' }).waitFor();
      for (const kind of KINDS) assert.ok((await page.locator(`.row[data-kind="${kind}"]`).count()) > 0, `a row of kind ${kind}`);
      const verdicts = await page.locator('[data-verdict]').evaluateAll((all) => all.map((chip) => chip.dataset.verdict));
      assert.deepEqual([...new Set(verdicts)].sort(), ['completed', 'cut', 'failed', 'stopped', 'unknown']);
      assert.ok((await page.getByRole('region', { name: 'Event detail' }).count()) > 15, 'a pane for each kind and outcome');
      await accessible(page, { disable: ONCE });
    });
  }
} else {
  test('a shipped page has no gallery', () => {
    assert.equal(existsSync(join(dist, 'gallery.css')), false);
  });
}
