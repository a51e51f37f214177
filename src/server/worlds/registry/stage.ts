/** Makes copies of a world to try requests in: nobody can address them, nothing observes them, and they cost what a fork costs. */
import type { Awaitable } from '../../../basics/awaitable.ts';
import type { HostedWorld } from '../../../openapi/openapi-host.ts';
import type { NamedWorld } from '../named-world.ts';
import type { Origin } from './find-origin.ts';

export type Stage = {
  /** The copy as it is now. */
  readonly world: () => HostedWorld;
  /** Puts the copy back to the state that the world had when the stage was made. */
  readonly renew: () => Awaitable<void>;
  /** Call it after the last request. */
  readonly end: () => Awaitable<void>;
};

/** `make` makes a world that is not listed. */
export const createStage = (source: NamedWorld, make: (origin: Origin) => NamedWorld): Stage => {
  const state = source.saveState();
  const release = state.hold();
  const copy = (): NamedWorld => make({ state, clock: source.clock.copy(), source: source.source });
  let current = copy();
  return {
    world: () => current.world,
    renew: () => {
      current.end();
      current = copy();
    },
    end: () => {
      current.end();
      release();
    },
  };
};
