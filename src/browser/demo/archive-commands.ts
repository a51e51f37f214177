/** Exports, imports and resets the whole repository of a demo. */
import { Problem } from '../../core/problem.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { deleteRepository } from '../persistence/delete-repository.ts';
import type { ServedRepository } from '../service-worker/serve-repository.ts';

type ArchiveCommand = (request: Request) => Promise<Response>;

/** By the method of the request: GET exports, PUT imports, DELETE starts again. Refusals are `{"message": …}`. */
export const archiveCommands = (
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
    // What cannot be opened any more is removed. The next request makes it anew.
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
