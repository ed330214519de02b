// Runs after each Trunk build, on the staged files, before they become dist/.
//
// 1. Names the app's and the worker's files by what is in them. Trunk hashes the wasm before
//    wasm-bindgen and wasm-opt have changed it, and leaves the worker's files without a hash: a
//    cache could pair an old worker with a new page.
// 2. Moves the wasm's integrity where boot.js reads it: browsers ignore it on a preload link.
// 3. Lets the page fetch from the hosts of web/log-hosts.txt.
// 4. What is only shipped, for a release build or with STEPLENS_SHIP=1: single.html, the page as one file, and sw.js, with
//    which the page opens offline.
// 5. viewer.txt, the list of the page's files, so that it can put them into a folder.
//
// Throws when something isn't as expected: then Trunk, or Trunk.toml's public_url, has changed.
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { list } from './list.mjs';
import { offline } from './offline.mjs';
import { single } from './single.mjs';

const stage = process.env.TRUNK_STAGING_DIR;
if (!stage) throw new Error('hooks/post-build.mjs: TRUNK_STAGING_DIR is not set; Trunk runs this');

const at = (name) => join(stage, name);

function only(pattern) {
  const found = readdirSync(stage).filter((name) => pattern.test(name));
  if (found.length !== 1) {
    throw new Error(`hooks/post-build.mjs: expected one file ${pattern}, found: ${found.join(', ') || 'none'}`);
  }
  return found[0];
}

function replace(text, from, to) {
  if (!text.includes(from)) throw new Error(`hooks/post-build.mjs: index.html lacks ${from}`);
  return text.replaceAll(from, to);
}

let html = readFileSync(at('index.html'), 'utf8');

// The hosts that a link may name a log on: the same file that the page is compiled with.
const hosts = readFileSync(join(import.meta.dirname, '../web/log-hosts.txt'), 'utf8')
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line && !line.startsWith('#'));
for (const host of hosts) {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?$/.test(host)) throw new Error(`web/log-hosts.txt: ${host} is no host`);
}
html = replace(html, "connect-src 'self'", ["connect-src 'self'", ...hosts.map((host) => `https://${host}`)].join(' '));

for (const [bin, pattern] of [['app', /^app(-\w+)?\.js$/], ['worker', /^worker\.js$/]]) {
  const js = only(pattern);
  const wasm = js.replace(/\.js$/, '_bg.wasm');
  const hash = createHash('sha256').update(readFileSync(at(js))).update(readFileSync(at(wasm)));
  const id = hash.digest('hex').slice(0, 16);
  // Nothing in the glue names the files, because both are started with `module_or_path`.
  for (const [from, to] of [[js, `${bin}-${id}.js`], [wasm, `${bin}-${id}_bg.wasm`]]) {
    renameSync(at(from), at(to));
    html = replace(html, `"./${from}"`, `"./${to}"`);
  }
}

const moved = html.replace(/ integrity="(sha384-[^"]+)" as="fetch"/, ' data-integrity="$1" as="fetch"');
if (moved === html) throw new Error('hooks/post-build.mjs: index.html has no integrity on the link to the wasm');
writeFileSync(at('index.html'), moved);

const isRelease = process.env.TRUNK_PROFILE === 'release';
if (isRelease || process.env.STEPLENS_SHIP) {
  single(stage, isRelease);
  offline(stage);
}

list(stage);

// The gallery of all parts and states is for those who build the page, and not in what is shipped.
if (!isRelease && !process.env.STEPLENS_SHIP) {
  const gallery = moved
    .replace('<title>Steplens</title>', '<title>Gallery – Steplens</title>')
    .replace('</head>', '<link rel="stylesheet" href="./gallery.css"></head>');
  writeFileSync(at('gallery.html'), gallery);
  copyFileSync(new URL('../web/styles/gallery.css', import.meta.url), at('gallery.css'));
}
