/** Makes what requests see of a world: its views by kind of address, its sessions and counters, and its interceptors. */
import {
  createMemoryState,
  lastingTopics,
  type WorldState,
  type AddressedWorld,
  type CreateWorldInterceptors,
  type Interceptor,
  type HostedWorld,
} from '../../../openapi/openapi-host.ts';
import type { AddressKind, WorldAddress } from '../world-address.ts';
import type { WorldClock } from '../world-clock.ts';
import type { ServedData, WorldSettings, WorldViews } from '../../application.ts';

/** A world as it is served. */
export type ServedWorld = AddressedWorld & {
  readonly clock: WorldClock;
  /** The same world for requests that reach it by this kind of address. */
  readonly at: (kind: AddressKind) => AddressedWorld;
};

/** The states of a world. */
type WorldStates = {
  /** That of all its data, one after another: what ends with the data goes at a reset. */
  readonly ofWorld: WorldState;
  /** That of the data which are served now. */
  readonly ofData: () => WorldState;
  /** Removes what ends with the data. Absent where their owner does that. */
  readonly forget?: (() => void) | undefined;
};

/** A state of its own for all data: a login that was in progress at a reset opens no session in the new data. */
const createMemoryStates = (): WorldStates => {
  const ofWorld = createMemoryState();
  return { ofWorld, ofData: createMemoryState, forget: () => ofWorld.clear(lastingTopics) };
};

/** A site, and how its icons are read. */
export type SiteSettings = Pick<WorldSettings, 'site' | 'readIcon'>;

export type ServedWorldOptions = Omit<WorldSettings, 'clock'> & {
  readonly clock: WorldClock;
  readonly intercept: readonly CreateWorldInterceptors[];
  readonly addressOf: (kind: AddressKind) => WorldAddress;
  /** When left out: in memory. */
  readonly states?: WorldStates | undefined;
  /** See `AddressedWorld`. */
  readonly settle?: (() => Promise<void>) | undefined;
  /** The number of the world in a database. */
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
  const states = options.states ?? createMemoryStates();
  const worldInterceptors = options.intercept.map((each) => each(name, states.ofWorld, options.id));
  const interceptors = worldInterceptors.flatMap((each) => each.interceptors);
  let settings: WorldSettings = options;
  let data = initial;
  const { application } = options;
  let applicationState = application.createState(settings, data, states.ofData());
  const baseUrlOf = (): string => options.addressOf('header-or-cookie').baseUrl;
  const newViews = (): WorldViews => application.createViews(settings, data, { state: applicationState, baseUrlOf });
  let views = newViews();
  const byKind = addressedWorlds(options, () => views, interceptors);
  return {
    served: {
      ...{ name, clock, interceptors, settle: options.settle },
      get world(): HostedWorld {
        return byKind['header-or-cookie'].world;
      },
      at: (kind) => byKind[kind],
    },
    publish: (next) => {
      data = next;
      states.forget?.();
      applicationState = application.createState(settings, data, states.ofData());
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
    let known: { readonly views: unknown; readonly world: HostedWorld } | undefined;
    return {
      ...{ name, ownTime, interceptors, settle },
      get world(): HostedWorld {
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
