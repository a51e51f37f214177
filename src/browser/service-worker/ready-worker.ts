/** The script of the ready service worker. The site comes before it in the same file. */
import type { PreparedSite } from '../prepared-site/prepared-site.ts';
import { serveRepository } from './serve-repository.ts';

const { atollSite } = globalThis as unknown as { readonly atollSite: PreparedSite }; // the build put it there, or `service-worker-text.ts`
serveRepository(atollSite);
