// Starts the page. An external file, because the Content-Security-Policy forbids inline scripts;
// the links it looks for are written by Trunk and hooks/post-build.mjs.
const js = document.querySelector('link[rel="modulepreload"]');
const wasm = document.querySelector('link[rel="preload"][as="fetch"]');
const boot = document.getElementById('boot');

try {
  const { default: init } = await import(js.href);
  // Chromium ignores `integrity` on a preload link, so it is checked here.
  const integrity = wasm.dataset.integrity ?? '';
  const response = fetch(wasm.href, { integrity, credentials: 'same-origin' });
  await init({ module_or_path: response });
} catch (error) {
  boot.textContent = `Steplens could not start: ${error.message}. Reload the page; if that doesn't help, your browser may be too old or the site's files incomplete.`;
  document.body.replaceChildren(boot);
  throw error;
}

// Opens offline from the second visit on. A new version waits until the user wants it: then no page has a worker of another
// version. What is said here is heard by web/src/components/renewal.rs.
const offline = document.querySelector('meta[name=steplens-offline]');
const workers = navigator.serviceWorker;
if (offline && workers) {
  const tell = () => {
    document.documentElement.dataset.renewal = 'there';
    dispatchEvent(new Event('steplens-renewal'));
  };
  const watch = (registration) => {
    const look = () => {
      // A first version waits for nobody, and this page is of it.
      if (registration.waiting && workers.controller) tell();
    };
    const check = () => registration.update().catch(() => {});
    registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look));
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && check());
    addEventListener('steplens-renew', () => {
      if (!registration.waiting) return location.reload();
      workers.addEventListener('controllerchange', () => location.reload(), { once: true });
      registration.waiting.postMessage('take over');
    });
    // Another tab wanted it: this page is of the version before.
    if (workers.controller) workers.addEventListener('controllerchange', tell);
    look();
    return check();
  };
  const register = () => workers.register(new URL(offline.content, document.baseURI)).then(watch).catch(() => {});
  // When the page is at rest: what it opens comes first.
  (globalThis.requestIdleCallback ?? setTimeout)(register);
}
