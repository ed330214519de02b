// Makes single.html: the page as one file, with the engine in its own thread, and a mark where the logs go
// (core/src/export/page.rs says what stands there). Its policy names its script and its styles by their hashes, and lets
// it connect to nothing at all.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const MARK = '<!--steplens-data-->';
const EXPORT = 'export { initSync, __wbg_init as default };';

/** Builds the program of the one-file page: its glue, and its wasm. */
function build(isRelease) {
  const profile = isRelease ? 'app-release' : 'dev';
  const target = process.env.CARGO_TARGET_DIR ?? process.env.CARGO_BUILD_TARGET_DIR ?? 'target';
  const run = (program, args) => execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  run('cargo', [
    'build', '--quiet', '--locked', '--target=wasm32-unknown-unknown', '--package=steplens-web',
    '--bin=single', '--features=inpage', `--profile=${profile}`,
  ]);
  const out = mkdtempSync(join(tmpdir(), 'steplens-single-'));
  try {
    const wasm = join(target, 'wasm32-unknown-unknown', isRelease ? profile : 'debug', 'single.wasm');
    run('wasm-bindgen', ['--target=web', '--no-typescript', `--out-dir=${out}`, '--out-name=single', wasm]);
    const bound = join(out, 'single_bg.wasm');
    if (isRelease) run('wasm-opt', ['-Oz', bound, '-o', bound]);
    return { glue: readFileSync(join(out, 'single.js'), 'utf8'), wasm: readFileSync(bound) };
  } finally {
    rmSync(out, { recursive: true });
  }
}

/** The one part of a text that matches. */
function only(text, pattern, what) {
  const found = [...text.matchAll(pattern)];
  if (found.length !== 1) throw new Error(`hooks/single.mjs: expected one ${what}, found ${found.length}`);
  return found[0];
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Writes single.html into the folder of the built page.
 * @param {string} folder with index.html and its files
 * @param {boolean} isRelease small, or quickly built
 */
export function single(folder, isRelease) {
  const index = readFileSync(join(folder, 'index.html'), 'utf8');
  const read = (name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim();
  const sheets = [...index.matchAll(/<link rel="stylesheet" href="\.\/([^"]+)"/g)].map(([, name]) => read(name));
  if (sheets.length === 0) throw new Error('hooks/single.mjs: index.html has no style sheet');
  const icon = only(index, /<link rel="icon" href="\.\/([^"]+)"/g, 'icon')[1];
  const metas = [...index.matchAll(/<meta name="(?:viewport|color-scheme|referrer|description)"[^>]*>/g)].map(([meta]) => meta);
  const body = only(index, /<body>[\s\S]*<\/body>/g, 'body')[0];

  const { glue, wasm } = build(isRelease);
  only(glue, /^export .*$/gm, 'export in the glue');
  // In one inline module nothing is imported, so nothing has to be exported.
  const script = `\n${glue.replace(EXPORT, '')}\n${readFileSync('single.js', 'utf8')}`;
  const style = `\n${sheets.join('\n')}\n`;
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style) || script.includes(EXPORT)) {
    throw new Error('hooks/single.mjs: script or style would end its element');
  }
  const policy = [
    "default-src 'none'", `script-src ${hash(script)} 'wasm-unsafe-eval'`, `style-src ${hash(style)}`,
    "style-src-attr 'unsafe-inline'", 'img-src data: blob:', "connect-src 'none'", "worker-src 'none'",
    "base-uri 'none'", "form-action 'none'",
  ].join('; ');
  const page = [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<title>Steplens</title>',
    ...metas,
    `<link rel="icon" href="data:image/svg+xml;base64,${readFileSync(join(folder, icon), 'base64')}">`,
    `<style>${style}</style>`,
    `<script type="application/octet-stream" id="wasm">${gzipSync(wasm, { level: 9 }).toString('base64')}</script>`,
    `<script type="module">${script}</script>`,
    `${MARK}</head>`,
    body,
    '</html>\n',
  ].join('\n');
  only(page, new RegExp(MARK, 'g'), 'mark');
  writeFileSync(join(folder, 'single.html'), page);
}
