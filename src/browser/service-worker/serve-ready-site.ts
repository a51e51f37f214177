/** Serves the site that comes before the engine in the same script. */
import type { PreparedSite } from '../prepared-site/prepared-site.ts';
import { serveRepository } from './serve-repository.ts';

export const serveReadySite = (): void => {
  const { atollSite } = globalThis as unknown as { readonly atollSite: PreparedSite }; // `service-worker-text.ts` put it there
  serveRepository(atollSite);
};
