/**
 * The module of the engine in the package: the entries that are imported by name take theirs from it, and the service workers that
 * `atoll prepare` and `atoll demo` write have it inside (`prepared-site/service-worker-text.ts`).
 */
export { askToKeep, createAtoll, deleteRepository, readRoom } from './create-atoll.ts';
export { serveDemo } from './demo/serve-demo.ts';
export { serveReadySite } from './service-worker/serve-ready-site.ts';
export { serveRepository } from './service-worker/serve-repository.ts';
