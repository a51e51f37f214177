/** Writes a prepared site as the scripts that a page or a service worker loads, with the bytes of its files inside or apart from them. */
import { separateBytes } from './fixture-files.ts';
import { moduleText, moduleTypes, preparedMark } from './module-text.ts';
import type { SiteParts } from './prepare-site.ts';
import { engineMark, engineScript, serviceWorkerText, siteScript } from './service-worker-text.ts';

/** The bytes by the names of their files. They are empty where the script has the bytes inside. */
type SeparateFiles = { readonly files: ReadonlyMap<string, Uint8Array> };

/** `bytesUrl` is what the addresses of separate files begin with, such as `bytes/`. Undefined: the bytes are inside. */
const partsWithout = (
  parts: SiteParts,
  bytesUrl: string | undefined,
): SeparateFiles & { readonly parts: SiteParts } => {
  if (bytesUrl === undefined) return { parts, files: new Map() };
  const { fixtures, files } = separateBytes(parts.fixtures, bytesUrl);
  return { parts: { ...parts, fixtures }, files };
};

/** An ES module that exports the site, with the text of its types. `bytesUrl`: the files of content are separate, below this address. */
export const preparedModule = (
  prepared: SiteParts,
  bytesUrl?: string,
): SeparateFiles & { readonly text: string; readonly types: string } => {
  const { parts, files } = partsWithout(prepared, bytesUrl);
  return { text: moduleText(parts), types: moduleTypes, files };
};

/** A service worker with the site inside. `engine` is the text of `dist/browser/engine.js`. */
export const preparedWorker = (
  prepared: SiteParts,
  engine: string,
  bytesUrl?: string,
): SeparateFiles & { readonly text: string } => {
  const { parts, files } = partsWithout(prepared, bytesUrl);
  return { text: serviceWorkerText(parts, engine), files };
};

/** The scripts of a demo: the site, and the service worker that loads it from its own folder. */
export const demoScripts = (
  prepared: SiteParts,
  engine: string,
  bytesUrl: string,
): SeparateFiles & { readonly site: string; readonly worker: string } => {
  const { parts, files } = partsWithout(prepared, bytesUrl);
  return { site: siteScript(parts), worker: engineScript(engine, 'serveDemo'), files };
};

/** Whether a text was written by one of these functions: a module or worker, or the types of a module. */
export const isPreparedText = (text: string, kind: 'script' | 'types'): boolean =>
  kind === 'types'
    ? text.includes("{ PreparedSite } from 'atoll-server/browser'")
    : text.slice(0, 200).includes(preparedMark) || text.includes(engineMark);
