/** Loads, soon after the start, the modules that requests need, so that no request has to open their files. */
import { setTimeout as wait } from 'node:timers/promises';
import { loadJsonWebToken } from '../../basics/secrets/token-signatures.ts';
import { loadFaker } from '../../openapi/openapi-parts.ts';
import { loadYaml } from '../../basics/yaml/yaml-library.ts';
import type { Application } from '../application.ts';
import { loadDownConvert } from '../sources/document-texts.ts';

/** In the order in which requests are likely to need them. */
const loads: readonly (() => Promise<unknown>)[] = [loadJsonWebToken, loadYaml, loadFaker, loadDownConvert];

/** The first requests come before. A program that runs for less than a second does not pay for the modules. */
const delayMs = 1000;

/** Requests are answered between two modules. */
const pauseMs = 20;

/** Never rejects: what cannot be loaded now is loaded by the request that needs it. */
export const loadSoon = async (ofApplication: Application['loads'] = []): Promise<void> => {
  await wait(delayMs, undefined, { ref: false });
  for (const load of [...loads, ...ofApplication]) {
    await wait(pauseMs, undefined, { ref: false });
    await load().catch(() => undefined);
  }
};
