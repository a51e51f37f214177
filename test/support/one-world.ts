/** Locates every request in one world, whichever `world` returns at the moment. */
import type { LocateWorld } from '../../src/openapi/openapi-host.ts';
import type { World } from '../../src/repository/repository.ts';

export const inOneWorld =
  (world: () => World): LocateWorld =>
  (request) => {
    const current = world();
    return { addressedWorld: { name: current.name, world: current, interceptors: [] }, request };
  };
