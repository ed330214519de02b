// Nothing for axe to find on any view, in both themes, wide and narrow.
import assert from 'node:assert/strict';
import { accessible, fixture, pageTest } from './harness.mjs';
import { detail, line, open, openSample, rows, started, state, tab } from './page.mjs';

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** The views, each with the way to it. */
const VIEWS = {
  'empty page': async () => {},
  'help': async (page) => {
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  },
  'paste': async (page) => {
    await page.getByRole('button', { name: 'Paste' }).click();
    await page.getByRole('dialog', { name: 'Paste a run log' }).waitFor();
  },
  'timeline': openSample,
  'filtered to nothing': async (page) => {
    await openSample(page);
    await page.getByRole('button', { name: /^skill/ }).click();
    await page.getByRole('button', { name: /^rejected/ }).click();
    await page.getByRole('button', { name: 'Clear filters' }).waitFor();
  },
  'search': async (page) => {
    await openSample(page);
    await page.getByRole('searchbox', { name: 'Search events' }).fill('limit');
    await page.locator('mark').first().waitFor();
  },
  'tools': async (page) => {
    await openSample(page);
    await tab(page, 'Tools');
  },
  'tokens and cost': async (page) => {
    await openSample(page);
    await tab(page, 'Tokens & cost');
    await page.getByRole('grid', { name: 'Steps' }).locator('[data-step="1"]').waitFor();
  },
  'files': async (page) => {
    await openSample(page);
    await tab(page, 'Files');
  },
  'several sessions': async (page) => {
    await open(page, fixture('step_stream/two_sessions_interleaved.jsonl'));
    await rows(page).first().waitFor();
  },
  'not a log': async (page) => {
    await open(page, { name: 'notes.txt', text: 'not a log\n' }, { expect: 'failed' });
  },
};
for (const name of ['Event', 'Input', 'Output', 'Raw', 'Why']) {
  VIEWS[`detail: ${name}`] = async (page) => {
    await openSample(page);
    await line(page, 19).click();
    await detail(page).getByRole('tab', { name }).click();
    await detail(page).getByRole('tabpanel', { name }).waitFor();
  };
}
for (const name of ['Files', 'Dialect', 'Verdict', 'Cost', 'What this log cannot tell', 'Findings and diagnostics']) {
  VIEWS[`panel: ${name}`] = async (page) => {
    await openSample(page);
    const buttons = page.locator('.pop-button:visible');
    for (let n = 0; n < (await buttons.count()); n++) {
      await buttons.nth(n).click();
      if (await page.getByRole('dialog', { name, exact: true }).isVisible()) return;
      await page.keyboard.press('Escape');
    }
    throw new Error(`no button opens ${name}`);
  };
}

for (const colorScheme of ['light', 'dark']) {
  for (const [size, viewport] of Object.entries({ wide: WIDE, phone: PHONE })) {
    pageTest(`axe: every view, ${colorScheme}, ${size}`, { context: { colorScheme, viewport }, timeout: 240_000 }, async ({ page, site }) => {
      const found = [];
      for (const [name, go] of Object.entries(VIEWS)) {
        await page.goto('about:blank');
        await page.goto(site.url);
        await started(page);
        await state(page, 'empty');
        await go(page);
        await accessible(page).catch((error) => found.push(`${name}: ${error.message.split('\n+ actual')[0]}`));
      }
      assert.deepEqual(found, [], found.join('\n'));
    });
  }
}
