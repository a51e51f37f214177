/**
 * The service worker of a demo: answers what is below `repo/` from the repository in this browser, and `repository.tar` with all
 * of it. Everything else in the folder comes from the static host.
 */
import type { PreparedSite } from '../prepared-site/prepared-site.ts';
import { serveRepository } from '../service-worker/serve-repository.ts';
import type { WorkerScope } from '../service-worker/worker-scope.ts';
import { archiveCommands } from './archive-commands.ts';
import { consoleFiles, swaggerFiles } from './files-of-host.ts';

/** `site.js` leaves the site, and what names its model: content that was kept for one is not read for another. */
type DemoScope = WorkerScope & {
  readonly atollSite: PreparedSite;
  readonly atollModel: string;
  importScripts(...addresses: string[]): void;
};

const worker = globalThis as unknown as DemoScope; // this runs in a service worker only
worker.importScripts('site.js');

const { atollSite: site, atollModel: model } = worker;
const folder = new URL('./', worker.location.href);
const databaseName = `demo ${folder.pathname} ${model}`;
const archive = new URL('repository.tar', folder).href;

// Before the listener of the repository: the first one that answers does.
worker.addEventListener('fetch', (event) => {
  const { url, method } = event.request;
  const command = url === archive ? commands[method] : undefined;
  if (command !== undefined) event.respondWith(command(event.request));
});
const repository = serveRepository(site, {
  settings: { prefix: `${folder.pathname}repo`, except: [], persist: databaseName },
  readConsoleFile: consoleFiles(folder),
  readSwaggerFile: swaggerFiles(folder),
});
const commands = archiveCommands(repository, databaseName);
