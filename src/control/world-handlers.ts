/** The worlds, resets and snapshots by way of the control interface. What a world is, is not known here. */
import { notFound } from '../problem.ts';
import type { World } from '../world.ts';
import type { ControlHandlers } from './control-handlers.ts';
import type { components } from '../generated/control.ts';
import type { Worlds, WorldSummary } from '../worlds/worlds.ts';

type WorldHandlers = Pick<
  ControlHandlers,
  | 'listWorlds'
  | 'forkWorld'
  | 'dropWorld'
  | 'resetWorld'
  | 'listSnapshots'
  | 'saveSnapshot'
  | 'loadSnapshot'
  | 'deleteSnapshot'
>;

/** Milliseconds since 1970 as the wire shows them. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Each acts on the world that the request is for; making and dropping name another. */
export const worldHandlers = (worlds: Worlds): WorldHandlers => ({
  listWorlds: async () => async () => ({
    status: 200,
    mediaType: 'application/json',
    body: { worlds: worlds.list().map(shown) },
  }),
  forkWorld:
    async (_request, world) =>
    async ({ json }) => {
      const wanted = json as components['schemas']['WorldFork']; // the control engine refuses bodies that its document does not allow
      const made = await worlds.fork({ ...wanted, asker: world.name });
      return { status: 201, mediaType: 'application/json', body: shown(made) };
    },
  dropWorld: async (request) => async () => {
    const { world_name: name } = request.path;
    if (!worlds.drop(name)) throw notFound(`There is no world "${name}".`);
    return { status: 204 };
  },
  resetWorld:
    async (_request, world) =>
    async ({ json }) => {
      const { to } = json as components['schemas']['Reset']; // see above
      await worlds.reset(world.name, to);
      return { status: 204 };
    },
  listSnapshots: async (_request, world) => async () => ({
    status: 200,
    mediaType: 'application/json',
    body: { snapshots: worlds.snapshots(world.name).map(({ name, saved }) => ({ name, saved: isoTime(saved) })) },
  }),
  saveSnapshot: async (request, world) => async () => ({
    status: worlds.save(world.name, request.path.snapshot_name) ? 201 : 204,
  }),
  loadSnapshot: async (request, world) => async () => {
    await worlds.reset(world.name, request.path.snapshot_name);
    return { status: 204 };
  },
  deleteSnapshot: async (request, world) => async () => deleted(worlds, world, request.path.snapshot_name),
});

const deleted = (worlds: Worlds, world: World, name: string): { readonly status: 204 } => {
  if (!worlds.forget(world.name, name)) throw notFound(`There is no snapshot "${name}".`);
  return { status: 204 };
};

const shown = ({ name, url, expires }: WorldSummary): components['schemas']['World'] => ({
  name,
  url,
  expires: expires === null ? null : isoTime(expires),
});
