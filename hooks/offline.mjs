// Makes sw.js, the service worker that lets the page open without the network, and tells the page of it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is not fetched beforehand. */
const LATER = ['single.html', 'sw.js'];

/** Written when all others are: it holds their hashes (hooks/list.mjs). */
const LAST = 'viewer.txt';

/** What boot.js looks for, and what `steplens view` takes out. */
export const META = '<meta name="steplens-offline" content="sw.js">';

/**
 * Writes sw.js into the folder of the built page.
 * @param {string} folder
 */
export function offline(folder) {
  const at = (name) => join(folder, name);
  const index = readFileSync(at('index.html'), 'utf8');
  const [before, after] = index.split('<title>');
  if (after === undefined) throw new Error('hooks/offline.mjs: index.html has no title');
  writeFileSync(at('index.html'), `${before}${META}\n    <title>${after}`);
  const names = readdirSync(folder).filter((name) => !LATER.includes(name)).sort();
  const worker = readFileSync('hooks/sw.js', 'utf8');
  const version = createHash('sha256').update(worker);
  for (const name of names) version.update(name).update(readFileSync(at(name)));
  // Kept until it is asked for, so of this version too.
  if (existsSync(at('single.html'))) version.update(readFileSync(at('single.html')));
  const files = [...names, LAST].map((name) => (name === 'index.html' ? './' : `./${name}`));
  const head = `const VERSION = ${JSON.stringify(version.digest('hex').slice(0, 16))};\nconst FILES = ${JSON.stringify(files)};\n`;
  writeFileSync(at('sw.js'), head + worker);
}
