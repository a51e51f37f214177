/** Writes service workers as scripts: those of some browsers cannot load a module. */
import { moduleText } from './module-text.ts';
import type { SiteParts } from './prepare-site.ts';

/** What the module of a prepared site begins its value with. */
const exportedSite = 'export const site = {';

/** The text of a script that sets `globalThis.atollSite`. */
export const siteScript = (parts: SiteParts): string => {
  const [before, after, ...more] = moduleText(parts).split(exportedSite);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error('The module of the site has another form.');
  }
  return `(() => {\n'use strict';\n${before}globalThis.atollSite = {${after}})();\n`;
};

/** `atoll prepare` knows its own workers by it. */
export const engineMark = '/* The engine of atoll-server. */';

/** The module of the engine ends with all that it exports. */
const exportsAtEnd = /export\s*\{([^{}]*)\};?\s*$/;

/** The text of a script that calls a function of the engine. `engine` is the text of `engine.js`. Throws when it has no such function. */
export const engineScript = (engine: string, name: 'serveDemo' | 'serveReadySite'): string => {
  const exported = exportsAtEnd.exec(engine);
  const names = (exported?.[1] ?? '').split(',').map((each) => each.trim().split(/\s+as\s+/));
  const [local] = names.find((each) => each.at(-1) === name) ?? [];
  if (local === undefined) throw new Error('The engine has another form.');
  return `${engineMark}\n(() => {\n'use strict';\n${engine.slice(0, exported?.index)}${local}();\n})();\n`;
};

/** The text of a service worker with a prepared site inside, which loads nothing else. */
export const serviceWorkerText = (parts: SiteParts, engine: string): string =>
  siteScript(parts) + engineScript(engine, 'serveReadySite');
