// What the tests of sharing have in common: a log with secrets that are made when the test runs, so that none lies in the
// repository; the forms in which a secret may hide; and the way through the dialog.
import assert from 'node:assert/strict';
import { inflateRawSync } from 'node:zlib';
import { rows } from './page.mjs';

/** Letters and digits that no rule takes for a word or a repetition; the same for the same seed. */
function noise(seed, length) {
  const signs = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
  let [state, text] = [seed, ''];
  while (text.length < length) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += signs[(state >>> 16) % signs.length];
  }
  return text;
}

/** The secrets, by the kind that the redactor gives them. */
export const SECRETS = {
  'github-token': `ghp_${noise(1, 36)}`,
  'openai-key': `sk-proj-${noise(2, 40)}`,
  'aws-key': `AKIA${noise(3, 32).toUpperCase().replace(/[^A-Z2-7]/g, 'Q').slice(0, 16)}`,
  password: `${noise(4, 8)}"q\\\\${noise(5, 4)}`.replaceAll('\\\\', '\\'),
  'url-password': noise(6, 14),
  email: `${noise(7, 8).toLowerCase()}@${noise(8, 8).toLowerCase()}.example`,
};

const START = 1_767_445_000_000;

/** A run in which each secret stands in several places and forms. `extra` texts follow it. */
export function secretLog(extra = []) {
  const lines = [];
  const put = (type, part) => {
    const n = lines.length;
    lines.push(JSON.stringify({
      type,
      timestamp: START + n * 1000,
      sessionID: 'ses_5ecre7s0000000000000000001',
      part: { id: `prt_${String(n + 1).padStart(4, '0')}`, sessionID: 'ses_5ecre7s0000000000000000001', messageID: 'msg_1', ...part },
    }));
  };
  const call = (command, output, exit = 0) =>
    put('tool_use', {
      type: 'tool',
      callID: `call_${lines.length}`,
      tool: 'bash',
      state: {
        status: 'completed',
        input: { command },
        output,
        title: command.slice(0, 30),
        metadata: { exit },
        time: { start: START + lines.length * 1000, end: START + lines.length * 1000 + 400 },
      },
    });
  put('step_start', { type: 'step-start' });
  call(`curl -H "Authorization: token ${SECRETS['github-token']}" https://api.example.org/user`, 'HTTP/2 200');
  call('env', `OPENAI_API_KEY=${SECRETS['openai-key']}\nAWS_ACCESS_KEY_ID=${SECRETS['aws-key']}\nPATH=/usr/bin`);
  call('cat config.json', JSON.stringify({ db: { user: 'app', password: SECRETS.password } }, null, 2));
  call(`psql postgres://app:${SECRETS['url-password']}@db.example.org/app`, `FATAL: ${SECRETS['url-password']} refused`, 2);
  call(
    `echo ${Buffer.from(SECRETS['github-token']).toString('base64')}`,
    `go to https://x.example.org/?t=${encodeURIComponent(SECRETS['url-password'])}&mail=${encodeURIComponent('a b')}`,
  );
  call('git log -1', `Author: Some One <${SECRETS.email}>`);
  put('text', { type: 'text', text: `The token ${SECRETS['github-token']} works.`, time: { start: START, end: START + 1 } });
  for (const text of extra) put('text', { type: 'text', text, time: { start: START, end: START + 1 } });
  put('step_finish', {
    type: 'step-finish',
    reason: 'stop',
    cost: 0.0125,
    tokens: { input: 1200, output: 340, reasoning: 12, cache: { read: 800, write: 50 } },
  });
  return `${lines.join('\n')}\n`;
}

/** A secret in the forms in which it may stand somewhere. */
function forms(secret) {
  const json = (text) => JSON.stringify(text).slice(1, -1);
  const all = [secret, json(secret), json(json(secret)), encodeURIComponent(secret), escape(secret)];
  // In base64 the signs depend on what stands before: the middle ones are certain.
  for (let before = 0; before < 3; before++) {
    const base64 = Buffer.from('x'.repeat(before) + secret).toString('base64').replace(/=+$/, '');
    all.push(base64.slice(Math.ceil((before * 8) / 6) + 1, -2), base64.slice(4, -2).replaceAll('+', '-').replaceAll('/', '_'));
  }
  return [...new Set(all)].filter((form) => form.length >= 8);
}

/** Fails where a secret stands in any of these bytes, in any of its forms. */
export function holdsNone(what, bytes, secrets = Object.entries(SECRETS)) {
  const text = Buffer.from(bytes).toString('latin1');
  const decoded = [text, text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))];
  for (const [kind, secret] of secrets) {
    for (const form of forms(secret)) {
      assert.ok(!decoded.some((text) => text.includes(form)), `${what} holds the ${kind} as ${form}`);
    }
  }
}

/** The log that a value of `z` holds. */
export function unpacked(link) {
  const z = new URLSearchParams(new URL(link).hash.slice(1)).get('z');
  return inflateRawSync(Buffer.from(z, 'base64url'));
}

/** The dialog. */
export const dialog = (page) => page.getByRole('dialog', { name: 'Share this run' });

/** Opens the dialog and waits for the end of the review. */
export async function review(page) {
  await rows(page).first().waitFor();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.waitForFunction(() => {
    const button = [...document.querySelectorAll('dialog button')].find((b) => b.textContent === 'Continue');
    return button && !button.disabled;
  });
  return dialog(page);
}

/** Goes on from the review to the ways. */
export async function ways(page) {
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
}

/** The link that is offered, once it is made. */
export async function link(page) {
  await page.locator('#share-link').waitFor();
  return page.locator('#share-link').inputValue();
}
