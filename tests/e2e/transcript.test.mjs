// The transcript, and the story of a file.
import assert from 'node:assert/strict';
import { accessible, pageTest } from './harness.mjs';
import { detail, openSample, selected, tab } from './page.mjs';

for (const colorScheme of ['light', 'dark']) {
  pageTest(`the transcript of the sample, ${colorScheme}`, { context: { colorScheme } }, async ({ page }) => {
    await openSample(page);
    await tab(page, 'Messages');
    const said = page.getByRole('group', { name: 'Transcript' });
    await said.getByText('A client over its limit now gets').waitFor();
    assert.deepEqual(await said.locator('.said-agent strong').allTextContents(), ['429', '503']);
    assert.equal(await said.locator('.said-thought[open]').count(), 0);
    await accessible(page, { include: '#panel-messages' });
    await said.getByRole('button', { name: 'line 19' }).click();
    await selected(page).getByText('cargo test --test limits').waitFor();
    await detail(page).getByRole('tab', { name: 'Output', selected: true }).waitFor();
  });

  pageTest(`the edits of a file are folded, ${colorScheme}`, { context: { colorScheme } }, async ({ page }) => {
    await openSample(page);
    await tab(page, 'Files');
    await page.getByRole('searchbox', { name: 'Filter files by name' }).fill('error.rs');
    await page.getByRole('button', { name: '/home/dev/tollgate/src/http/error.rs' }).click();
    await page.getByText('Taken for the same file: src/http/error.rs').waitFor();
    // The table says so too, and what was asked for is in sight.
    const short = page.locator('#panel-files tr', { has: page.getByRole('button', { name: 'src/http/error.rs', exact: true }) });
    await short.getByText('taken for /home/dev/tollgate/src/http/error.rs').waitFor();
    await page.waitForFunction(() => document.querySelector('#story-name').getBoundingClientRect().top < innerHeight - 40);
    await page.getByRole('heading', { name: /^Part 1/ }).waitFor();
    await accessible(page, { include: '#panel-files' });
  });
}
