/** Sends the requests in Deno, Bun or Node, and prints the outcomes: `print-outcomes.mjs`, beside the engine. */
import { createAtoll } from './browser.js';
import { site } from './default-site.js';
import { sendAll } from './requests.mjs';

console.log(JSON.stringify(await sendAll(createAtoll, site)));
