import type { Metafile } from 'esbuild';

/** Writes `service-worker.js` into a folder, with the site of a module there (`default-site.js`). */
export function bundleServiceWorker(folder: string, siteModule?: string): Promise<Metafile>;
