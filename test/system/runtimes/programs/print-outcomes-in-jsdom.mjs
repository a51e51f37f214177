/** Sends the requests with the globals of jsdom in the place of those of Node, as vitest does it, and prints the outcomes. */
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';

// Where the package is installed.
const { JSDOM } = createRequire(`${process.argv[2]}/`)('jsdom');
const { window } = new JSDOM('<!doctype html>', { url: 'http://localhost:8000/', pretendToBeVisual: true });
// jsdom has no fetch, so what belongs to it stays, and so does the language itself.
const kept = new Set([
  ...runInNewContext('Object.getOwnPropertyNames(globalThis)'),
  ...['console', 'Request', 'Response', 'Headers', 'performance', 'URL', 'URLSearchParams'],
]);
for (const name of Object.getOwnPropertyNames(window).filter((each) => !kept.has(each))) {
  if (!/^[A-Z]/.test(name) && name in globalThis) continue;
  Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
}
globalThis.window = globalThis;

const { createAtoll } = await import('./browser.js');
const { site } = await import('./default-site.js');
const { sendAll } = await import('./requests.mjs');
console.log(JSON.stringify(await sendAll(createAtoll, site)));
window.close();
