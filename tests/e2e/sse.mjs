// A server of a coding agent, as far as the page speaks to one: a stream of events, and routes that take answers.
import { createServer } from 'node:http';

/**
 * Starts it on a free port of 127.0.0.1.
 * @param {object} [options]
 * @param {string} [options.origin] the origin that may read it; none keeps pages of other origins out
 * @param {'current' | 'old'} [options.surface] which routes take answers
 * @param {Record<string, object[]>} [options.open] requests that are open, by the route that lists them; without it there is no such route
 * @param {string} [options.version] what it says of its health
 * @param {(request: object, response: object) => void} [options.stream] answers `/event` in its place
 * @param {Record<string, [number, string, string]>} [options.broken] what routes answer instead: status, type, body
 * @param {string} [options.password] what Basic authentication has to hold, as `user:password`
 */
export async function agent({ origin, surface = 'current', version, password, open, stream, broken = {} } = {}) {
  const streams = new Set();
  const posts = [];
  const seen = [];
  const waiting = [];
  const cors = () => (origin ? { 'access-control-allow-origin': origin, vary: 'Origin' } : {});
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    seen.push(`${request.method} ${pathname}`);
    if (request.method === 'OPTIONS') {
      const allowed = { 'access-control-allow-methods': 'GET, POST', 'access-control-allow-headers': 'authorization, content-type, accept' };
      response.writeHead(204, origin ? { ...cors(), ...allowed } : {});
      return response.end();
    }
    const given = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
    if (password && given !== password) {
      // As the agents' own servers say it: a browser asks for the password itself where it may.
      response.writeHead(401, { 'www-authenticate': 'Basic realm="Secure Area"', ...cors() });
      return response.end();
    }
    if (broken[pathname]) {
      const [status, type, body] = broken[pathname];
      response.writeHead(status, { 'content-type': type, ...cors() });
      return response.end(body);
    }
    if (pathname === '/event' && stream) {
      Object.entries(cors()).forEach(([name, value]) => response.setHeader(name, value));
      return stream(request, response);
    }
    if (pathname === '/event') {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...cors() });
      streams.add(response);
      response.on('close', () => streams.delete(response));
      waiting.splice(0).forEach((resolve) => resolve());
      return response.write(`data: ${JSON.stringify({ type: 'server.connected', properties: {} })}\n\n`);
    }
    if (request.method === 'GET' && version && pathname === '/global/health') {
      response.writeHead(200, { 'content-type': 'application/json', ...cors() });
      return response.end(JSON.stringify({ healthy: true, version }));
    }
    if (request.method === 'GET' && open?.[pathname]) {
      response.writeHead(200, { 'content-type': 'application/json', ...cors() });
      return response.end(JSON.stringify(open[pathname]));
    }
    const routes = surface === 'current' ? /^\/(permission|question|suggestion)\/[^/]+\/(reply|reject|accept|dismiss)$/ : /^\/session\/[^/]+\/permissions\/[^/]+$/;
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const known = request.method === 'POST' && routes.test(pathname);
      if (known) posts.push({ path: decodeURIComponent(pathname), body: JSON.parse(body) });
      response.writeHead(known ? 200 : 404, { 'content-type': 'application/json', ...cors() });
      response.end('true');
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    posts,
    seen,
    /** Sends events to everyone who listens. */
    send: (...events) => events.forEach((event) => streams.forEach((stream) => stream.write(`data: ${JSON.stringify(event)}\n\n`))),
    /** It is another now, or wants another password. */
    become: (next) => ({ version = version, password = password } = next),
    /** Breaks all streams; the server goes on. */
    drop: () => streams.forEach((stream) => stream.destroy()),
    /** Waits until somebody asks for the stream again. */
    listened: () => new Promise((resolve) => waiting.push(resolve)),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
