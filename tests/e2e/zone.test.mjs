// Times in the chosen zone, wherever one is shown.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pageTest } from './harness.mjs';
import { detail, openSample, rows, tab } from './page.mjs';

pageTest('details, tasks and the saved transcript follow the zone', { context: { timezoneId: 'Asia/Kolkata' } }, async ({ page }) => {
  await openSample(page);
  const zone = page.getByRole('button', { name: /^Times are in/ });
  await rows(page).first().click();
  const facts = detail(page).locator('.detail-facts');
  const saved = async () => {
    await tab(page, 'Messages');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as Markdown' }).click()]);
    const text = readFileSync(await file.path(), 'utf8');
    await tab(page, 'Timeline');
    return text.split('\n')[2];
  };
  const tasks = async () => {
    await page.getByRole('button', { name: /^Tasks/ }).click();
    const text = await page.locator('.task-points .muted').first().textContent();
    await page.keyboard.press('Escape');
    return text;
  };
  const [day, time] = ['\\d{4}-\\d\\d-\\d\\d', '\\d\\d:\\d\\d:\\d\\d'];
  for (const [name, other] of [['UTC\\+05:30', 'UTC'], ['UTC', 'UTC\\+05:30']]) {
    // Between its parts a date does not break.
    await facts.filter({ hasText: new RegExp(`${day}\\s${time}\\s${name}$`) }).waitFor();
    assert.match(await page.locator('.band .big[title]').first().getAttribute('title'), new RegExp(`^${day} ${time}\\.\\d+ ${name} · `));
    assert.match(await tasks(), new RegExp(`^ · ${day} ${time}\\.\\d+ ${name} · .*${other}$`));
    assert.match(await saved(), new RegExp(`^\\*Started ${day} ${time} ${name}\\.\\*$`));
    await zone.click();
  }
});
