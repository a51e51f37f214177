/**
 * The service worker of a demo: answers what is below `repo/` from the repository in this browser, and `repository.tar` with all
 * of it. Everything else in the folder comes from the static host.
 */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { deleteRepository } from '../persistence/delete-repository.ts';
import type { PreparedSite } from '../prepared-site/prepared-site.ts';
import { type ServedRepository, serveRepository } from '../service-worker/serve-repository.ts';
import type { WorkerScope } from '../service-worker/worker-scope.ts';
import { consoleFiles, swaggerFiles } from '../service-worker/files-of-host.ts';
import { Problem } from '../../openapi/openapi-terms.ts';

/** Exports, imports and resets the whole repository of a demo. */
type ArchiveCommand = (request: Request) => Promise<Response>;

/** By the method of the request: GET exports, PUT imports, DELETE starts again. Refusals are `{"message": …}`. */
const archiveCommands = (
  repository: ServedRepository,
  databaseName: string,
): Readonly<Record<string, ArchiveCommand>> => ({
  GET: answered(async () => {
    const bytes = await (await repository.open()).exportArchive();
    return new Response(bytes, { headers: { 'Content-Type': 'application/x-tar' } });
  }),
  PUT: answered(async (request) => {
    await (await repository.open()).importArchive(await request.blob());
    return new Response(null, { status: 204 });
  }),
  DELETE: answered(async () => {
    const opened = await repository.open().catch(() => undefined);
    // What cannot be opened any more is removed. The next request makes it again.
    await (opened === undefined ? deleteRepository(databaseName) : opened.reset());
    return new Response(null, { status: 204 });
  }),
});

const answered =
  (command: ArchiveCommand): ArchiveCommand =>
  async (request) => {
    try {
      return await command(request);
    } catch (error) {
      if (error instanceof ConfigurationError) return Response.json({ message: error.message }, { status: 422 });
      const status = error instanceof Problem ? error.status : 503;
      return Response.json({ message: error instanceof Error ? error.message : String(error) }, { status });
    }
  };

/** `site.js` leaves the site, and what names its model: content that was kept for one is not read for another. */
type DemoScope = WorkerScope & {
  readonly atollSite: PreparedSite;
  readonly atollModel: string;
  importScripts(...addresses: string[]): void;
};

/** Call it once, while the script of the service worker is read. */
export const serveDemo = (): void => {
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
};
