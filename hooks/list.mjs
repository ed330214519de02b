// Writes viewer.txt: the files of the page, a line each, with the hashes of what they may hold. By it the page gathers its
// own files for a folder for a static host, and checks them (web/src/dom/viewer.rs).
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { META } from './offline.mjs';

/** The list itself is not in it: a hash of its own it cannot hold. */
export const LIST = 'viewer.txt';

const hash = (bytes) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`;

/**
 * Writes the list into the folder of the built page.
 * @param {string} folder
 */
export function list(folder) {
  const lines = readdirSync(folder)
    .filter((name) => name !== LIST)
    .sort()
    .map((name) => {
      if (!/^[\w-][\w.-]*$/.test(name)) throw new Error(`hooks/list.mjs: ${name} is no name for the list`);
      const bytes = readFileSync(join(folder, name));
      const hashes = [hash(bytes)];
      // `steplens view` serves its page without the service worker.
      if (name === 'index.html') hashes.push(hash(bytes.toString().replaceAll(META, '')));
      return `${name} ${[...new Set(hashes)].join(' ')}\n`;
    });
  writeFileSync(join(folder, LIST), lines.join(''));
}
