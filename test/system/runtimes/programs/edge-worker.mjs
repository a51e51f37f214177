/** Sends the requests in Cloudflare's workerd, and answers with the outcomes. */
import { createAtoll } from './browser.js';
import { site } from './default-site.js';
import { sendAll } from './requests.mjs';

// The form of a worker's entry.
export { worker as default };
const worker = { fetch: async () => Response.json(await sendAll(createAtoll, site)) };
