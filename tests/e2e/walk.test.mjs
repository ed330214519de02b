// The three uses that the page is made for, each walked twice: by keyboard alone, and by mouse alone. Nothing here reaches
// into the page: what is pressed is what has the focus, what is clicked is what is seen.
import assert from 'node:assert/strict';
import { browser, dropFiles, fixture, pageTest } from './harness.mjs';
import { detail, figures, fragment, line, list, open, selected, started, state } from './page.mjs';
import { SECRETS, dialog, holdsNone, secretLog } from './share.mjs';

const RUN = fixture('step_stream/kilo_run_all_tools.jsonl');

/** Presses Tab until an element with this role and name has the focus: so many presses at most. */
async function tabTo(page, role, name, most = 60) {
  const wanted = page.getByRole(role, { name });
  for (let n = 0; n < most; n += 1) {
    if (await wanted.evaluateAll((all) => all.some((element) => element === document.activeElement))) return;
    await page.keyboard.press('Tab');
  }
  const at = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120));
  assert.fail(`Tab never comes to the ${role} ${name}; it is at ${at}`);
}

/** What anyone wants to know of a run, in the order in which they ask. */
async function sawTheRun(page) {
  await page.locator('[data-verdict=completed]').first().waitFor();
  assert.equal(await page.locator('[data-figure=calls]').first().getAttribute('data-value'), '15');
  assert.equal(await page.locator('[data-figure="calls.failed"]').first().getAttribute('data-value'), '1');
}

/** The failed call of that run: the tests of the project, which the log calls completed. */
async function sawTheFailure(page) {
  await selected(page).and(page.locator('[data-kind=command]')).waitFor();
  await detail(page).getByText('green but failed').first().waitFor();
  await detail(page).getByText('FAILED').first().waitFor();
}

pageTest('inspecting a run, by keyboard alone', async ({ page }) => {
  // Asked for well before the key: a chooser that the browser was not yet told to hand over never comes.
  const chooser = page.waitForEvent('filechooser');
  await started(page);
  await tabTo(page, 'button', 'Open files');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(RUN);
  await state(page, 'ready');
  await sawTheRun(page);
  await page.keyboard.press('n');
  await sawTheFailure(page);
  // What took the time: the ledger, its longest tool first.
  await page.keyboard.press('2');
  await page.getByRole('tab', { name: /^Tools/, selected: true }).waitFor();
  await tabTo(page, 'button', /^Total/);
  await page.keyboard.press('Enter');
  await page.getByRole('rowheader', { name: /bash/ }).first().waitFor();
  // What it cost.
  await page.keyboard.press('3');
  await page.getByRole('tab', { name: /^Tokens/, selected: true }).waitFor();
  await page.locator('[data-figure="cost.reported"]').first().waitFor();
  // Back to the failure, and to nothing.
  await page.keyboard.press('1');
  await sawTheFailure(page);
  await page.keyboard.press('Escape');
  await selected(page).waitFor({ state: 'detached' });
});

pageTest('inspecting a run, by mouse alone', async ({ page }) => {
  await started(page);
  await dropFiles(page.getByRole('region', { name: 'Drop a run log' }), [RUN]);
  await state(page, 'ready');
  await sawTheRun(page);
  await page.getByRole('toolbar', { name: 'Filters' }).getByRole('button', { name: /^failed 1/ }).click();
  await list(page).locator('.row[data-kind=command]').click();
  await sawTheFailure(page);
  await page.getByRole('tab', { name: /^Tools/ }).click();
  await page.getByRole('rowheader', { name: /bash/ }).first().waitFor();
  await page.getByRole('tab', { name: /^Tokens/ }).click();
  await page.locator('[data-figure="cost.reported"]').first().waitFor();
  await page.getByRole('tab', { name: /^Timeline/ }).click();
  await page.getByRole('toolbar', { name: 'Filters' }).getByRole('button', { name: /^All 19/ }).click();
  await line(page, 2).waitFor();
});

for (const hand of ['keyboard', 'mouse']) {
  pageTest(`sharing a place in a run by the address bar, by ${hand} alone`, async ({ page, context }) => {
    await started(page);
    await open(page, RUN);
    if (hand === 'keyboard') {
      await page.keyboard.press('n');
    } else {
      await list(page).locator('.row[data-kind=command]').click();
    }
    await sawTheFailure(page);
    await page.waitForFunction(() => location.hash.includes('e=17.'));
    const link = page.url();
    assert.equal(fragment(page).v, '1');
    // Whoever gets the link has the log too, and opens it in a tab of their own.
    const other = await context.newPage();
    await other.goto(link);
    await other.getByText('This link names a place in a log').waitFor();
    if (hand === 'keyboard') {
      const chooser = other.waitForEvent('filechooser');
      await started(other);
      await other.bringToFront();
      await tabTo(other, 'button', 'Open files');
      await other.keyboard.press('Enter');
      await (await chooser).setFiles(RUN);
    } else {
      await dropFiles(other.getByRole('region', { name: 'Drop a run log' }), [RUN]);
    }
    await state(other, 'ready');
    await sawTheFailure(other);
    assert.equal(other.url(), link);
  });
}

const LOG = { name: 'run.jsonl', text: secretLog() };
const PASSWORD = 'open – sesame';

/** Opens a link in a browser that knows nothing of this page, as whoever gets it does. */
async function opened(url, body) {
  const context = await (await browser()).newContext();
  try {
    const page = await context.newPage();
    await page.goto(url);
    await body(page);
  } finally {
    await context.close();
  }
}

for (const hand of ['keyboard', 'mouse']) {
  const permissions = ['clipboard-read', 'clipboard-write'];
  pageTest(`sharing a run by the dialog, by ${hand} alone`, { context: { permissions } }, async ({ page }) => {
    const box = dialog(page);
    const press = async (role, name) => {
      if (hand === 'mouse') return box.getByRole(role, { name }).first().click();
      await tabTo(page, role, name);
      await page.keyboard.press(role === 'checkbox' ? 'Space' : 'Enter');
    };
    await started(page);
    await open(page, LOG);
    if (hand === 'keyboard') {
      await page.keyboard.press('n');
    } else {
      await line(page, 5).click();
    }
    await selected(page).and(page.locator('[data-line="5"]')).waitFor();
    const here = await figures(page);

    // What should not leave: all is masked, and one finding is left as it is.
    if (hand === 'keyboard') {
      await page.keyboard.press('s');
    } else {
      await page.getByRole('button', { name: 'Share', exact: true }).click();
    }
    await box.getByText(/all are masked/).waitFor();
    await press('checkbox', /^Mask: E-mail address/);
    await box.getByText(/1 left as it is/).waitFor();
    await press('button', 'Continue');

    // The link, sealed; its password is typed, and the link copied.
    await page.locator('#share-link').waitFor();
    // The button that was pressed is gone: what the keyboard does next goes on from here.
    if (hand === 'keyboard') await box.getByRole('button', { name: '2 Share' }).and(page.locator(':focus')).waitFor();
    await press('checkbox', 'Seal it with a password');
    const field = box.getByRole('textbox', { name: 'Password', exact: true });
    if (hand === 'mouse') await field.click();
    else await page.keyboard.press('Tab');
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.type(PASSWORD);
    await page.waitForFunction(() => document.querySelector('#share-link')?.value.includes('zp='));
    await press('button', /^Copy$/);
    await box.getByText('Copied').first().waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    holdsNone('the link', link);
    // Back to the run, where it was left.
    if (hand === 'keyboard') await page.keyboard.press('Escape');
    else await box.getByRole('button', { name: 'Close' }).click();
    await box.waitFor({ state: 'detached' });
    await selected(page).and(page.locator('[data-line="5"]')).waitFor();

    await opened(link, async (other) => {
      const ask = other.getByRole('dialog', { name: 'This run is sealed with a password' });
      await ask.waitFor();
      // The field has the focus: nothing has to be looked for.
      if (hand === 'mouse') await ask.getByRole('textbox', { name: 'Password' }).click();
      await other.keyboard.type(PASSWORD);
      if (hand === 'mouse') await ask.getByRole('button', { name: 'Open' }).click();
      else await other.keyboard.press('Enter');
      await state(other, 'ready');
      await selected(other).and(other.locator('[data-line="5"]')).waitFor();
      assert.deepEqual(await figures(other), here);
      // What was left is there, what was masked is not.
      if (hand === 'keyboard') {
        for (let n = 0; n < 2; n += 1) await other.keyboard.press('j');
      } else {
        await line(other, 7).click();
      }
      await selected(other).and(other.locator('[data-line="7"]')).waitFor();
      await detail(other).getByText(SECRETS.email).first().waitFor();
      const masked = Object.entries(SECRETS).filter(([kind]) => kind !== 'email');
      holdsNone('the page', await other.content(), masked);
    });
  });
}

const RULES = 'id = "mine"\nversion = 1\n\n[[rule]]\nid = "mine.fetch"\ntools = ["webfetch"]\nevent = "read"\nfields.path = ["url"]\nrequire = ["path"]\n';

/** Line 24 is a call of a tool that no rule knows. */
const UNMAPPED = 24;

/** Why that call became unknown: the pane says which rule was looked for, and the raw line is there. */
async function sawWhy(page) {
  await detail(page).getByText('no rule for webfetch').first().waitFor();
}

pageTest('debugging a call that was mapped wrongly, by keyboard alone', async ({ page }) => {
  await started(page);
  await open(page, RUN);
  // The filter, its chip, the event.
  await page.keyboard.press('f');
  await tabTo(page, 'button', /^unknown 3/);
  await page.keyboard.press('Space');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await selected(page).and(page.locator(`[data-line="${UNMAPPED}"]`)).waitFor();
  await page.keyboard.press('Enter');
  await tabTo(page, 'tab', /^(Event|Input|Output|Raw|Why)$/);
  for (let n = 0; n < 5 && !(await detail(page).getByRole('tab', { name: 'Why', selected: true }).count()); n += 1) {
    await page.keyboard.press('ArrowRight');
  }
  await detail(page).getByRole('tab', { name: 'Why', selected: true }).waitFor();
  await sawWhy(page);
  // What if the rule were another: the lab maps the log again, and says what it changes.
  await page.keyboard.press('Escape');
  await page.keyboard.press('5');
  await page.getByRole('tab', { name: 'Mapping', selected: true }).waitFor();
  await tabTo(page, 'textbox', 'Rules (TOML)');
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(RULES);
  await page.locator('[data-changed="1"]').waitFor();
  await page.getByText('1 unknown → read').waitFor();
});

pageTest('debugging a call that was mapped wrongly, by mouse alone', async ({ page }) => {
  await started(page);
  await open(page, RUN);
  await page.getByRole('toolbar', { name: 'Filters' }).getByRole('button', { name: /^unknown 3/ }).click();
  await line(page, UNMAPPED).click();
  await detail(page).getByRole('tab', { name: 'Why' }).click();
  await sawWhy(page);
  await detail(page).getByRole('tab', { name: 'Raw' }).click();
  await detail(page).getByText('webfetch').first().waitFor();
  await page.getByRole('tab', { name: 'Mapping' }).click();
  await page.getByRole('button', { name: 'Lay this rule over, for webfetch' }).click();
  await page.locator('[data-changed="1"]').waitFor();
  await page.getByText('1 unknown → read').waitFor();
});
