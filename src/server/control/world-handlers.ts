/** Forks, drops and resets worlds, keeps their snapshots, and sends and takes whole repositories as archives. */
import type { ContentRules } from '../worlds/content-rules.ts';
import { streamOf } from '../../basics/byte-streams.ts';
import { once } from '../../basics/once.ts';
import type { components } from '../../client/generated/control.ts';
import { jsonReply } from '../../openapi/openapi-host.ts';
import { writeArchive } from '../../storage/storage-export.ts';
import { readArchive } from '../worlds/archive/read-archive.ts';
import type { OpenArchiveStorage } from '../worlds/archive/archive-storage.ts';
import type { HeldContent } from '../worlds/archive/world-content.ts';
import type { StateSource } from '../worlds/saved-state.ts';
import type { WorldSummary, Worlds } from '../worlds/worlds.ts';
import type { ControlHandlers } from './control-handlers.ts';
import type { Entity } from '../../openapi/openapi-records.ts';
import { malformed, notFound } from '../../openapi/openapi-terms.ts';

/** `openArchiveStorage` opens a place for the bytes of an archive until they are in the world. */
type ArchiveOptions = {
  readonly worlds: Worlds;
  readonly openArchiveStorage: OpenArchiveStorage;
  readonly rules: ContentRules;
};

export const archiveHandlers = ({
  worlds,
  openArchiveStorage,
  rules,
}: ArchiveOptions): Pick<ControlHandlers, 'exportRepository' | 'importRepository'> => ({
  exportRepository:
    async ({ caller }, world) =>
    async () => {
      // Others do not get password hashes.
      const body = archiveStream(await worlds.hold(world.name), caller.right === 'everything');
      const headers = { 'Content-Disposition': `attachment; filename="${world.name}.tar"` };
      return { status: 200, mediaType: 'application/x-tar', body, headers };
    },
  importRepository:
    async ({ headers }, world) =>
    async ({ bytes }) => {
      // A part must not be taken for the whole (RFC 9110 §14.5).
      if (headers['content-range'] !== undefined)
        throw malformed('Content-Range is not supported: send the whole content.');
      const held = await openArchiveStorage();
      try {
        const content = await readArchive(bytes.stream, { rules, site: world.site, held: held.blobs });
        await worlds.replaceContent(world.name, content);
        return jsonReply({ records: content.entities.length, blobs: content.blobCount });
      } finally {
        await held.close();
      }
    },
});

/** Releases the content when the stream ends, also one that was never read. A generator that has not begun would not. */
const archiveStream = (held: HeldContent, isWhole: boolean): ReadableStream<Uint8Array> => {
  const { entities } = held.content;
  const chunks = writeArchive(isWhole ? held.content : { ...held.content, entities: withoutPasswords(entities) });
  const release = once(async () => held.release());
  return streamOf({
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        try {
          const next = await chunks.next();
          if (next.done === true) await release();
          return next;
        } catch (error) {
          await release();
          throw error;
        }
      },
      return: async () => {
        await chunks.return(undefined);
        await release();
        return { done: true, value: undefined };
      },
    }),
  });
};

async function* withoutPasswords(entities: HeldContent['content']['entities']): AsyncGenerator<Entity> {
  for await (const entity of entities) {
    const shown: { password?: string } & Entity = { ...entity };
    delete shown.password;
    yield shown;
  }
}

type WorldHandlers = Pick<
  ControlHandlers,
  | 'listWorlds'
  | 'forkWorld'
  | 'dropWorld'
  | 'changeWorld'
  | 'resetWorld'
  | 'listSnapshots'
  | 'saveSnapshot'
  | 'loadSnapshot'
  | 'deleteSnapshot'
>;

/** Milliseconds since 1970 as ISO 8601. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Each command acts on the world of the request, except `forkWorld` and `dropWorld`, which name another world. */
export const worldHandlers = (worlds: Worlds): WorldHandlers => ({
  listWorlds: async () => async () => jsonReply({ worlds: (await worlds.list()).map(worldBody) }),
  forkWorld:
    async (_request, world) =>
    async ({ json }) => {
      const made = await worlds.fork({ ...json, snapshotsOf: world.name });
      return jsonReply(worldBody(made), 201);
    },
  dropWorld: async (request) => async () => {
    const { world_name: name } = request.path;
    if (!(await worlds.drop(name))) throw notFound(`There is no world "${name}".`);
    return { status: 204 };
  },
  changeWorld:
    async ({ path }) =>
    async ({ json }) =>
      jsonReply(worldBody(await worlds.setTtl(path.world_name, json.ttl))),
  resetWorld:
    async (_request, world) =>
    async ({ json }) => {
      await worlds.reset(world.name, json?.to);
      return { status: 204 };
    },
  listSnapshots: async (_request, world) => async () => {
    const snapshots = await worlds.listSnapshots(world.name);
    return jsonReply({ snapshots: snapshots.map(({ name, saved }) => ({ name, saved: isoTime(saved) })) });
  },
  saveSnapshot: async (request, world) => async () => ({
    status: (await worlds.saveSnapshot(world.name, request.path.snapshot_name)) ? 201 : 204,
  }),
  loadSnapshot: async (request, world) => async () => {
    await worlds.reset(world.name, request.path.snapshot_name);
    return { status: 204 };
  },
  deleteSnapshot: async (request, world) => async () => {
    const { snapshot_name: name } = request.path;
    if (!(await worlds.deleteSnapshot(world.name, name))) throw notFound(`There is no snapshot "${name}".`);
    return { status: 204 };
  },
});

const worldBody = ({ name, url, expires, created, from, ...held }: WorldSummary): components['schemas']['World'] => ({
  name,
  url,
  expires: expires === null ? null : isoTime(expires),
  created: isoTime(created),
  from: sourceBody(from),
  ...held,
});

/** Where a state came from, in the form of the control interface. */
export const sourceBody = ({ taken, ...source }: StateSource): components['schemas']['WorldOrigin'] => ({
  ...source,
  taken: taken === null ? null : isoTime(taken),
});
