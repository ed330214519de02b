// Starts the one-file page: hooks/single.mjs puts this behind the glue of wasm-bindgen, in one inline module.
// What it unpacks: the wasm, and the logs of the blocks with `data-log`, each base64 over gzip.
// `__wbg_init` is the glue's.

const unpacked = (block) => {
  const text = block.textContent.trim();
  const bytes = Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
};

try {
  // The address's own fragment counts more than the one that the file was made with.
  const start = document.querySelector('script[data-start]')?.dataset.start;
  if (start && location.hash.length < 2) history.replaceState(null, '', `#${start}`);

  const logs = [];
  for (const block of document.querySelectorAll('script[data-log]')) {
    logs.push({ name: block.dataset.log, blob: await unpacked(block).blob() });
  }
  // The body as it is before the app takes it: dom/single.rs makes the next file of it. What stands behind its end tag is
  // counted as of it.
  const body = document.body.outerHTML.replace(/\s*<\/body>$/, '\n  </body>');
  globalThis.steplensSingle = { logs, body };
  await __wbg_init({ module_or_path: await unpacked(document.getElementById('wasm')).arrayBuffer() });
} catch (error) {
  const boot = document.getElementById('boot');
  boot.textContent = `Steplens could not start: ${error.message}. The file may be damaged, or your browser too old.`;
  document.body.replaceChildren(boot);
  throw error;
}
