/** Makes what requests see of a world: its views by kind of address, its sessions and counters, and its interceptors. */
import {
  createFollowingState,
  createLocalState,
  type SharedState,
  lastingTopics,
} from '../../../core/model/shared-state.ts';
import type { World } from '../../../core/world.ts';
import type { AddressedWorld, Interceptor } from '../../../core/engine/interceptor.ts';
import type { AddressKind, WorldAddress } from '../world-address.ts';
import type { WorldClock } from '../world-clock.ts';
import type { ServedData, WorldSettings, WorldViews } from '../application.ts';

/** Interceptors of one named world, with what they keep for it: faults, or traffic and coverage. */
type WorldInterceptors = {
  /** Empty when there is nothing to observe or to break. */
  readonly interceptors: readonly Interceptor[];
  /** Called when the world ends, or when this process no longer serves it. */
  drop(): void;
};

/**
 * Called once for each world that is made. What the interceptors keep in the state ends with a reset of the world, unless
 * `lastingTopics` names its topic. All processes that serve the world know it by the same `id`; undefined where there is one.
 */
export type CreateWorldInterceptors = (name: string, state: SharedState, id?: number) => WorldInterceptors;

/** A world as this process serves it. */
export type ServedWorld = AddressedWorld & {
  readonly clock: WorldClock;
  /** The same world for requests that reach it by this kind of address. */
  readonly at: (kind: AddressKind) => AddressedWorld;
};

/** A site, and how its icons are read. */
export type SiteSettings = Pick<WorldSettings, 'site' | 'readIcon'>;

export type ServedWorldOptions = Omit<WorldSettings, 'clock'> & {
  readonly clock: WorldClock;
  readonly intercept: readonly CreateWorldInterceptors[];
  readonly addressOf: (kind: AddressKind) => WorldAddress;
  /**
   * The state that belongs to the data which are served now, where several processes share it. Its owner removes what ends with
   * the data. When left out: this process serves the world alone.
   */
  readonly state?: (() => SharedState) | undefined;
  /** See `AddressedWorld`. */
  readonly settle?: (() => Promise<void>) | undefined;
  /** By which several processes know the world. */
  readonly id?: number | undefined;
};

/** A served world, and what its owner changes of it. */
export type ServingWorld = {
  readonly served: ServedWorld;
  /** Continues with other data, as after a reset: with new views, sessions and counters. */
  publish(data: ServedData): void;
  /** Continues with another site. Records, bytes, sessions and counters stay. */
  useSite(site: SiteSettings): void;
  /** Ends the interceptors, and what the site would still do by itself. */
  drop(): void;
};

/** The views are made on first use. */
export const createServingWorld = (options: ServedWorldOptions, initial: ServedData): ServingWorld => {
  const { name, clock } = options;
  const own = createLocalState();
  const state = options.state === undefined ? own : createFollowingState(options.state);
  const worldInterceptors = options.intercept.map((each) => each(name, state, options.id));
  const interceptors = worldInterceptors.flatMap((each) => each.interceptors);
  let settings: WorldSettings = options;
  let data = initial;
  // A state of its own for all data of a world alone: a login that was in progress at a reset opens no session in the new data.
  const stateOfData = options.state ?? createLocalState;
  const { application } = options;
  let applicationState = application.createState(settings, data, stateOfData());
  const baseUrlOf = (): string => options.addressOf('header-or-cookie').baseUrl;
  const newViews = (): WorldViews => application.createViews(settings, data, { state: applicationState, baseUrlOf });
  let views = newViews();
  const byKind = addressedWorlds(options, () => views, interceptors);
  return {
    served: {
      ...{ name, clock, interceptors, settle: options.settle },
      get world(): World {
        return byKind['header-or-cookie'].world;
      },
      at: (kind) => byKind[kind],
    },
    publish: (next) => {
      data = next;
      own.clear(lastingTopics);
      applicationState = application.createState(settings, data, stateOfData());
      views.end();
      views = newViews();
    },
    useSite: (site) => {
      settings = { ...settings, ...site };
      // What was begun goes on to its end.
      views = newViews();
    },
    drop: () => {
      views.end();
      for (const each of worldInterceptors) each.drop();
    },
  };
};

/** The same world for each kind of address, each with its own view, which is made again when the views are others. */
const addressedWorlds = (
  { name, addressOf, clock, settle }: ServedWorldOptions,
  currentViews: () => WorldViews,
  interceptors: readonly Interceptor[],
): { readonly [kind in AddressKind]: AddressedWorld } => {
  const ownTime = (): number | undefined => (clock.isReal() ? undefined : clock.now());
  const by = (kind: AddressKind): AddressedWorld => {
    const address = addressOf(kind);
    let known: { readonly views: unknown; readonly world: World } | undefined;
    return {
      ...{ name, ownTime, interceptors, settle },
      get world(): World {
        const views = currentViews();
        if (known?.views !== views) known = { views, world: views.at(address) };
        return known.world;
      },
    };
  };
  return {
    plain: by('plain'),
    prefix: by('prefix'),
    host: by('host'),
    'header-or-cookie': by('header-or-cookie'),
  };
};
