/** Writes a service worker with a prepared site inside, as one script that loads nothing else. */
import type { SiteParts } from './prepare-site.ts';
import { siteScript } from './site-script.ts';

/** Stands between site and engine in the ready worker of the package (`scripts/bundle-service-worker.mjs`). */
const engineMark = '/* The engine of atoll-server. */';

/** `ready` is the text of the ready worker, whose engine is taken. Throws when it has none. */
export const serviceWorkerText = (parts: SiteParts, ready: string): string => {
  const engine = ready.slice(ready.lastIndexOf(engineMark));
  if (!ready.includes(engineMark)) throw new Error('The ready worker has another form.');
  return siteScript(parts) + engine;
};
