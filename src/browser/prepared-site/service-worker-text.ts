/** Writes a service worker with a prepared site inside, as one script that loads nothing else. */
import { moduleText } from './module-text.ts';
import type { SiteParts } from './prepare-site.ts';

/** Writes a prepared site as a script, for service workers: not in every browser can they load a module. */
const exported = 'export const site = {';

/** The text of a script that sets `globalThis.atollSite`. */
export const siteScript = (parts: SiteParts): string => {
  const [before, after, ...more] = moduleText(parts).split(exported);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error('The module of the site has another form.');
  }
  return `(() => {\n'use strict';\n${before}globalThis.atollSite = {${after}})();\n`;
};

/** Comes between site and engine in the ready worker of the package (`scripts/bundle-service-worker.mjs`). */
const engineMark = '/* The engine of atoll-server. */';

/** `ready` is the text of the ready worker, whose engine is taken. Throws when it has none. */
export const serviceWorkerText = (parts: SiteParts, ready: string): string => {
  const engine = ready.slice(ready.lastIndexOf(engineMark));
  if (!ready.includes(engineMark)) throw new Error('The ready worker has another form.');
  return siteScript(parts) + engine;
};
