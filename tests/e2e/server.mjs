// A static server for the tests: the files of one folder, below one base path.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.jsonl': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/**
 * Serves `folder` on a free port of 127.0.0.1.
 * @param {string} folder
 * @param {object} [options]
 * @param {string} [options.base] the path that the folder appears at, as `/repo/`
 * @param {(name: string, body: Buffer) => Buffer | undefined} [options.change] what to send instead
 *   of a file's bytes; `undefined` for 404
 * @param {Record<string, string>} [options.headers] added to each answer
 * @param {string} [options.host] the name that its address has, as far as the browser knows it (`ELSEWHERE` of the harness)
 * @returns {Promise<{url: string, origin: string, hits: string[], close: () => Promise<void>}>}
 *   `hits`: the paths asked for, in order
 */
export async function serve(folder, { base = '/', change = (_, body) => body, headers = {}, host = '127.0.0.1' } = {}) {
  const hits = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    hits.push(pathname);
    const body = await read(folder, base, pathname, change);
    const type = body ? TYPES[extname(body.name)] ?? 'application/octet-stream' : 'text/plain';
    response.writeHead(body ? 200 : 404, { 'content-type': type, 'cache-control': 'no-cache', ...headers });
    response.end(request.method === 'HEAD' ? undefined : body?.bytes ?? 'not found');
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://${host}:${server.address().port}`;
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { url: origin + base, origin, hits, close };
}

async function read(folder, base, pathname, change) {
  if (!pathname.startsWith(base)) return undefined;
  const name = normalize(decodeURIComponent(pathname.slice(base.length)).replace(/(^|\/)$/, '$1index.html'));
  if (name.startsWith('..') || name.startsWith(sep)) return undefined;
  try {
    const bytes = change(name, await readFile(join(folder, name)));
    return bytes && { name, bytes };
  } catch {
    return undefined;
  }
}
