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
