// A log that tries everything: nothing of it runs, nothing leaves, and every view of it goes on working.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ELSEWHERE, dist, fixture, pageTest } from './harness.mjs';
import { detail, list, open, rows, selected, started, state, tab } from './page.mjs';
import { serve } from './server.mjs';
import { link, review, ways } from './share.mjs';

const EVIL = 'https://evil.example';
/** Each would tell on itself: it sets `pwned`, asks a foreign host for something, or opens a dialog. */
const ATTACKS = [
  `<script>window.pwned=1;fetch('${EVIL}/s')</script>`,
  `</script><script src="${EVIL}/x.js"></script>`,
  `<img src=x onerror="window.pwned=1;alert(1)"><img src="${EVIL}/i.png">`,
  `"><svg onload="window.pwned=1"><image href="${EVIL}/svg.png"/><use href="${EVIL}/u.svg#a"/></svg>`,
  `<iframe src="javascript:parent.pwned=1"></iframe><object data="${EVIL}/o"></object><embed src="${EVIL}/e">`,
  `<style>@import "${EVIL}/c.css";body{background:url(${EVIL}/b.png)}</style><link rel=stylesheet href="${EVIL}/l.css">`,
  `<base href="${EVIL}/"><meta http-equiv=refresh content="0;url=${EVIL}/r"><form action="${EVIL}/f"><button autofocus onfocus="pwned=1">`,
  `[click](javascript:window.pwned=1) [data](data:text/html,<script>pwned=1</script>) [vb](vbscript:pwned) [x](  JaVaScRiPt:pwned=1)`,
  `![pic](${EVIL}/md.png) ![p](data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="pwned=1"><image href="${EVIL}/in.png"/></svg>`).toString('base64')})`,
  `[a]: javascript:pwned=1\n[go][a] <javascript:pwned=1> <${EVIL}/auto> https://evil.example/bare`,
  `| a | b |\n|---|---|\n| <b onmouseover="pwned=1">x</b> | \`\`<script>pwned=1</script>\`\` |\n\n\`\`\`html\n<script>pwned=1</script>\n\`\`\`\n`,
  `\u001b]8;;javascript:window.pwned=1\u0007link\u001b]8;;\u0007 \u001b]0;title\u0007 \u001b[8mhidden\u001b[0m \u001b]52;c;cHduZWQ=\u0007 \u001bPq#0;2;0;0;0\u001b\\`,
  `\u202egnp.exe\u202c \u0000\u0007\u0008 \u2028\u2029 \ufeff \ud800 zero\u200bwidth`,
  `{{constructor.constructor('pwned=1')()}} \${pwned=1} <%= pwned %> &lt;script&gt;pwned=1&lt;/script&gt;`,
  `<a href="${EVIL}/ping" ping="${EVIL}/p" target=_blank>x</a> <video poster="${EVIL}/v.png" src="${EVIL}/v"> <input type=image src="${EVIL}/in">`,
];
const LONG = `<img src=x onerror=pwned=1>${'A very long title, '.repeat(5500)}`;

/** A run whose every field holds an attack. */
function hostileLog() {
  const lines = [];
  const start = 1_767_445_000_000;
  const put = (type, part) => {
    const n = lines.length;
    lines.push(JSON.stringify({
      type,
      timestamp: start + n * 1000,
      sessionID: `ses_<img src=${EVIL}/sid onerror=pwned=1>`,
      part: { id: `prt_"><script>pwned=${n}</script>`, sessionID: 'ses_x', messageID: `msg_${ATTACKS[2]}`, ...part },
    }));
  };
  const call = (tool, input, output, more = {}) =>
    put('tool_use', {
      type: 'tool', tool, callID: `call_${lines.length}`,
      state: { status: 'completed', input, output, title: LONG, metadata: { exit: 0, ...more }, time: { start: start + lines.length * 1000, end: start + lines.length * 1000 + 300 } },
    });
  put('step_start', { type: 'step-start' });
  for (const text of ATTACKS) {
    put('text', { type: 'text', text, time: { start, end: start + 1 } });
    put('reasoning', { type: 'reasoning', text, time: { start, end: start + 1 } });
    call('bash', { command: text, description: text }, text);
    call('read', { filePath: `/w/${text}` }, text);
    call('write', { filePath: `/w/${text}.html`, content: text }, 'ok');
    call('edit', { filePath: `/w/${text}.md`, oldString: 'a', newString: text }, 'ok', { diff: `--- a\n+++ b\n@@ -1 +1 @@\n-a\n+${text}` });
    call(`<b onclick=pwned=1>${text.slice(0, 40)}`, { [text]: text, nested: { html: text } }, JSON.stringify({ [text]: [text] }));
    call('grep', { pattern: text, path: text }, text);
    call('task', { description: text, prompt: text, subagent_type: text }, text, { sessionId: text });
    put('error', { error: { name: text, data: { message: text } } });
    put(`<u>${text.slice(0, 60)}`, { text });
  }
  put('step_finish', { type: 'step-finish', reason: ATTACKS[0], cost: 0.01, tokens: { input: 5, output: 5, reasoning: 0, cache: { read: 0, write: 0 } } });
  return `${lines.join('\n')}\n<script>pwned=1</script>\n{"type":"${EVIL}","broken\n`;
}

/** What must not have happened, in the page and beside it. */
async function watch(page) {
  const dialogs = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    dialog.dismiss();
  });
  const opened = [];
  page.context().on('page', (other) => opened.push(other.url()));
  return async () => {
    const pwned = await page.evaluate(() => globalThis.pwned);
    const made = await page.evaluate(() => [...document.querySelectorAll('script, iframe, object, embed, base, form[action], video, input[type=image], link[href^="https:"], meta[http-equiv=refresh]')]
      .filter((element) => !element.matches('head script[src]')).map((element) => element.outerHTML.slice(0, 80)));
    const handlers = await page.evaluate(() => [...document.querySelectorAll('*')].flatMap((element) => [...element.attributes]).filter(({ name }) => /^on/i.test(name)).map(({ name, value }) => `${name}=${value}`));
    const links = await page.evaluate(() => [...document.querySelectorAll('a[href]')].filter((a) => !/^(https?|mailto|blob):/.test(a.href)).map((a) => a.href));
    const images = await page.evaluate(() => [...document.querySelectorAll('img')].filter((img) => !/^(blob|data):/.test(img.src)).map((img) => img.src));
    const unsafe = await page.evaluate(() => [...document.querySelectorAll('a[href^=http]')].filter((a) => !['noopener', 'noreferrer', 'nofollow'].every((word) => a.rel.includes(word))).map((a) => a.outerHTML.slice(0, 80)));
    assert.deepEqual({ pwned, made, handlers, links, images, unsafe, dialogs, opened }, { pwned: undefined, made: [], handlers: [], links: [], images: [], unsafe: [], dialogs: [], opened: [] });
  };
}

// The harness fails on any foreign request, policy violation, console error and uncaught error.
pageTest('a hostile log is opened, clicked through, searched, exported and shared', { timeout: 900_000 }, async ({ page, requests, site }) => {
  const isSafe = await watch(page);
  await started(page);
  const name = '<img src=x onerror=pwned=1>.jsonl';
  await open(page, { name, text: hostileLog() });
  await rows(page).first().waitFor();
  await isSafe();

  // Every kind of event of every attack, in every pane of the detail.
  await list(page).focus();
  await page.keyboard.press('G');
  await selected(page).waitFor();
  const place = () => selected(page).getAttribute('aria-rowindex').then(Number);
  const last = await place();
  await page.keyboard.press('g');
  await page.waitForFunction((last) => Number(document.querySelector('#events [aria-selected=true]')?.getAttribute('aria-rowindex') ?? last) < last, last);
  let seen = 0;
  for (let here = await place(); here < last; seen++) {
    await page.keyboard.press('j');
    await page.waitForFunction((before) => Number(document.querySelector('#events [aria-selected=true]')?.getAttribute('aria-rowindex') ?? before) > before, here);
    here = await place();
    const at = await selected(page).getAttribute('data-line');
    await detail(page).locator('.detail-facts', { hasText: `line ${at} · byte ` }).waitFor();
    const panes = detail(page).getByRole('tab');
    for (let pane = 0; pane < (await panes.count()); pane++) {
      if (!(await panes.nth(pane).isEnabled())) continue;
      await panes.nth(pane).click();
      await detail(page).getByRole('tabpanel').first().waitFor();
    }
    await list(page).focus();
  }
  // Nine events of each attack at least.
  assert.ok(seen >= ATTACKS.length * 9, `${seen} events were looked at`);
  await isSafe();

  for (const name of ['Tools', 'Tokens & cost', 'Files', 'Mapping', 'Messages', 'Timeline']) {
    await tab(page, name);
    await page.getByRole('tabpanel').first().waitFor();
    const folded = page.locator('main details:not([open]) > summary:visible');
    for (let n = Math.min(await folded.count(), 12); n > 0; n--) await folded.first().click();
    const buttons = page.locator('main [role=tabpanel] button:visible');
    if (await buttons.count()) await buttons.last().hover();
    await isSafe();
  }

  // The panels of the header and the band.
  const panels = page.locator('.pop-button:visible');
  for (let n = 0; n < (await panels.count()); n++) {
    await panels.nth(n).click();
    await isSafe();
    await page.keyboard.press('Escape');
  }

  await page.getByRole('searchbox', { name: 'Search events' }).fill('<script>');
  await page.locator('mark').first().waitFor();
  await isSafe();
  await page.getByRole('searchbox', { name: 'Search events' }).fill('');

  for (const item of [/^Events/, /^Summary/, /^Tools/, /^Chrome trace/, /^AEP/]) {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('dialog', { name: 'Export' }).getByRole('button', { name: item }).click();
    assert.ok(readFileSync(await (await download).path()).length > 100);
    await page.keyboard.press('Escape');
  }

  const box = await review(page);
  await box.getByRole('button', { name: 'Preview' }).click();
  await box.getByLabel('The text that leaves').getByText('<script>').first().waitFor();
  await isSafe();
  await ways(page);
  await box.getByLabel('Long outputs and other texts').selectOption({ label: 'cut to 1.02 kB' });
  await box.getByText(/texts are cut/).waitFor();
  const url = await link(page);
  await isSafe();
  // What others open is as safe.
  await page.goto('about:blank');
  await page.goto(url);
  await state(page, 'ready');
  await rows(page).first().waitFor();
  await isSafe();
  assert.deepEqual(requests.filter((asked) => !asked.startsWith(`${site.origin}/`) && !/^(blob|data):/.test(asked) && asked !== 'about:blank'), []);
});

/** A log of the bus in which every text of the fixture is an attack. */
function hostileBus() {
  let n = 0;
  const evil = (value, key) => {
    if (Array.isArray(value)) return value.map((item) => evil(item, key));
    if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, value]) => [key, evil(value, key)]));
    const isText = typeof value === 'string' && !/^(type|id|tool|status|role|reason|priority|reply|.*ID)$/.test(key);
    return isText ? ATTACKS[n++ % ATTACKS.length] : value;
  };
  const lines = ['turn.jsonl', 'asks.jsonl', 'hooks.jsonl'].flatMap((name) => readFileSync(fixture(`bus/${name}`), 'utf8').split('\n').filter(Boolean));
  return lines.map((line) => `${JSON.stringify(evil(JSON.parse(line), ''))}\n`).join('');
}

pageTest('a hostile bus log beside a hostile run: the AEP events, the comparison', { timeout: 300_000 }, async ({ page }) => {
  const isSafe = await watch(page);
  await started(page);
  await open(page, [{ name: '<b onmouseover=pwned=1>bus.jsonl', text: hostileBus() }, { name: '"><script>pwned=1</script>.jsonl', text: hostileLog() }]);
  await rows(page).first().waitFor();
  await isSafe();

  await tab(page, 'AEP');
  const grid = page.getByRole('grid', { name: 'AEP events' });
  const all = grid.getByRole('row');
  await all.nth(3).waitFor();
  for (let n = 0; n < (await all.count()); n++) {
    if (!(await all.nth(n).isVisible())) continue;
    await all.nth(n).click();
    await page.getByRole('region', { name: 'AEP event' }).waitFor();
  }
  await page.getByRole('searchbox', { name: 'Filter AEP events' }).fill('<script>');
  await isSafe();

  await tab(page, 'Compare');
  await page.getByRole('tabpanel').first().locator('table, [role=grid], [role=table]').first().waitFor();
  const folded = page.locator('main details:not([open]) > summary:visible');
  for (let n = Math.min(await folded.count(), 20); n > 0; n--) await folded.first().click();
  const buttons = page.locator('main [role=tabpanel] button:visible:enabled');
  for (let n = 0; n < Math.min(await buttons.count(), 20); n++) await buttons.nth(n).hover();
  await isSafe();
});

/** Another host, that sees what reaches it. Chromium tells of requests that the policy blocks, too. */
async function withForeign(body) {
  const foreign = await serve(dist, { host: ELSEWHERE });
  try {
    await body(foreign.origin);
    assert.deepEqual(foreign.hits, [], 'nothing reached the other host');
  } finally {
    await foreign.close();
  }
}
const BLOCKED = [/Content Security Policy/, /policy violation/, /foreign request/];

pageTest('the worker cannot ask another host', { allow: BLOCKED }, async ({ page }) => {
  await started(page);
  await withForeign(async (foreign) => {
    // A worker that is started as the page's own is: from a blob, which inherits the page's policy.
    const said = await page.evaluate((url) => {
      const source = `self.onmessage = async () => {
        const ways = {
          fetch: () => fetch('${url}/index.html', { mode: 'no-cors' }).then(() => 'went out'),
          module: () => import('${url}/boot.js').then(() => 'went out'),
          request: () => new Promise((done) => {
            const request = new XMLHttpRequest();
            request.onload = () => done('went out');
            request.onerror = () => done('blocked');
            request.open('GET', '${url}/x');
            request.send();
          }),
        };
        const said = {};
        for (const [name, way] of Object.entries(ways)) said[name] = await way().catch(() => 'blocked');
        postMessage(said);
      }`;
      const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
      const worker = new Worker(address, { type: 'module' });
      return new Promise((done) => {
        worker.onmessage = ({ data }) => done(data);
        worker.postMessage('go');
      });
    }, foreign);
    assert.deepEqual(said, { fetch: 'blocked', module: 'blocked', request: 'blocked' });
  });
});

pageTest('the page runs no inline script and asks no other host', { allow: BLOCKED }, async ({ page }) => {
  await started(page);
  await withForeign(async (foreign) => {
    const fetched = await page.evaluate(async (url) => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.pwned = 1';
      document.body.append(script);
      document.body.setAttribute('onclick', 'globalThis.pwned = 2');
      document.body.click();
      const image = new Image();
      const loaded = new Promise((done) => {
        image.onload = () => done('went out');
        image.onerror = () => done('blocked');
      });
      image.src = `${url}/icon.svg`;
      return [await fetch(url, { mode: 'no-cors' }).then(() => 'went out', () => 'blocked'), await loaded];
    }, foreign);
    assert.deepEqual(fetched, ['blocked', 'blocked']);
    assert.equal(await page.evaluate(() => globalThis.pwned), undefined);
  });
});
