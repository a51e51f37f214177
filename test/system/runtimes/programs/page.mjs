/** The script of a page: sends the requests there, in a worker, or in a service worker, as the test asks. */
import { createAtoll } from './browser.js';
import { site } from './default-site.js';
import { sendAll } from './requests.mjs';

/** The next message of a worker. */
const answerOf = (target, send) =>
  new Promise((resolve, reject) => {
    target.addEventListener('message', ({ data }) => resolve(data), { once: true });
    target.addEventListener('error', ({ message }) => reject(new Error(message)), { once: true });
    send();
  });

const inWorker = () => {
  const worker = new Worker('./worker.mjs', { type: 'module' });
  return answerOf(worker, () => worker.postMessage('begin'));
};

const inServiceWorker = async () => {
  await navigator.serviceWorker.register('./worker.mjs', { type: 'module' });
  const { active } = await navigator.serviceWorker.ready;
  navigator.serviceWorker.startMessages();
  return answerOf(navigator.serviceWorker, () => active.postMessage('begin'));
};

globalThis.places = {
  'a page': () => sendAll(createAtoll, site),
  'a web worker': inWorker,
  'a service worker': inServiceWorker,
};
