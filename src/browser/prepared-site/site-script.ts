/** Writes a prepared site as a script, for service workers: not in every browser can they load a module. */
import { moduleText } from './module-text.ts';
import type { SiteParts } from './prepare-site.ts';

const exported = 'export const site = {';

/** The text of a script that sets `globalThis.atollSite`. */
export const siteScript = (parts: SiteParts): string => {
  const [before, after, ...more] = moduleText(parts).split(exported);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error('The module of the site has another form.');
  }
  return `(() => {\n'use strict';\n${before}globalThis.atollSite = {${after}})();\n`;
};
