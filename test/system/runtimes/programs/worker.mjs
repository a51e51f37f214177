/** Sends the requests in a web worker or a service worker when it is told to, and tells the outcomes. */
import { createAtoll } from './browser.js';
import { site } from './default-site.js';
import { sendAll } from './requests.mjs';

self.addEventListener('message', (event) => {
  const done = sendAll(createAtoll, site).then((outcomes) => (event.source ?? self).postMessage(outcomes));
  event.waitUntil?.(done);
});
