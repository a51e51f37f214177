/** What the page of the service worker's tests loads: the registration and the typed client, where the tests can call them. */
import { startServiceWorker } from '../../../src/browser/service-worker/register.ts';
import * as client from '../../../src/client/client.ts';

Object.assign(globalThis, { startServiceWorker, ...client });
