// Keeps the page's files, so that it opens without the network. hooks/offline.mjs writes VERSION and FILES before this.
//
// A page and its files are always of one version: navigations get this version's index.html, which names its files by what
// is in them. A new version waits until its page is asked for ("Reload" on the page, or no page of the old one is left), so
// that a page that is open is never given a new worker. The files of the version before stay for pages that are still open.

const NAME = `steplens-${VERSION}`;
const HASHED = /-[0-9a-f]{15,16}(_bg)?\.\w+$/;

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(NAME);
      // What is named by its content may come from the browser's own cache; the rest may be old there.
      await cache.addAll(FILES.map((file) => new Request(file, { cache: HASHED.test(file) ? 'default' : 'reload' })));
    })(),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      // In the order in which they were made: this one is the last.
      const ours = (await caches.keys()).filter((name) => name.startsWith('steplens-') && name !== NAME);
      await Promise.all(ours.slice(0, -1).map((name) => caches.delete(name)));
    })(),
  );
});

self.addEventListener('message', (event) => {
  if (event.data === 'take over') self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const scope = new URL(self.registration.scope);
  if (request.method !== 'GET' || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  const file = url.pathname.slice(scope.pathname.length);
  if (request.mode === 'navigate') {
    // Only the page itself: a log or another page of the same host is nothing of ours.
    if (file === '' || file === 'index.html') event.respondWith(own('./', request));
  } else if (file === 'index.html') {
    // The page takes it into a folder.
    event.respondWith(own('./', request));
  } else if (FILES.includes(`./${file}`)) {
    event.respondWith(own(`./${file}`, request));
  } else if (file === 'single.html') {
    event.respondWith(kept(request));
  } else if (HASHED.test(file)) {
    // Of the version before, for its pages.
    event.respondWith(caches.match(request).then((found) => found ?? fetch(request)));
  }
});

async function own(file, request) {
  const cache = await caches.open(NAME);
  return (await cache.match(file)) ?? fetch(request);
}

// As large as all the others together, so it is fetched when it is first asked for.
async function kept(request) {
  const cache = await caches.open(NAME);
  const found = await cache.match(request);
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}
