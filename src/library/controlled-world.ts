/** A world as those hold it who test against it: every command of the control interface, by way of any `fetch`. */
import { commandsOf, type ServerConnection } from './control-command.ts';
import type { components, operations } from '../generated/control.ts';
import type { Fetch } from './fetch.ts';

type Schemas = components['schemas'];

/** What a world is made of: `from` a world, a snapshot or a fixture, for `ttl` seconds. */
export type WorldOptions = Schemas['WorldFork'];
export type WorldSummary = Schemas['World'];
export type Health = Schemas['Health'];
export type Reload = Schemas['Reload'];
export type ClockState = Schemas['Clock'];
export type ClockSetting = Schemas['ClockSetting'];
export type Snapshot = Schemas['Snapshot'];
export type Fault = Schemas['Fault'];
export type FaultOptions = Schemas['FaultCreate'];
export type FaultKind = Schemas['FaultKind'];
export type TrafficQuery = NonNullable<operations['listTraffic']['parameters']['query']>;
export type TrafficFilter = Omit<TrafficQuery, 'limit'>;
export type TrafficPage = Schemas['TrafficPage'];
export type TrafficCount = Schemas['TrafficCount'];
export type TrafficExchange = Schemas['TrafficExchange'];
export type HttpArchive = Schemas['HttpArchive'];
export type Coverage = Schemas['Coverage'];
export type EntityQuery = NonNullable<operations['listEntities']['parameters']['query']>;
export type EntityPage = Schemas['EntityPage'];

/** One world and the commands that act on it. Each rejects with an `Error` that has the `status` of the refusal. */
export type WorldCommands = {
  readonly name: string;
  /** Base URL for clients, without a slash at the end. */
  readonly url: string;
  /** `fetch` for this world: `/node/1` is below `url`. Without a socket where the server runs in this process. */
  readonly fetch: Fetch;
  /** Back to what the world was made from, or to a named snapshot. */
  reset(to?: string): Promise<void>;
  readonly snapshots: Snapshots;
  readonly clock: Clock;
  readonly faults: Faults;
  /** The last requests with the contract's verdict on both directions, the oldest first. */
  traffic(query?: TrafficQuery): Promise<TrafficPage>;
  /** How many of the remembered requests were such ones: for "was called". */
  countTraffic(filter?: TrafficFilter): Promise<TrafficCount>;
  /** One of them whole: heads, and bodies that are short and text. Secrets are taken out. */
  exchange(id: number): Promise<TrafficExchange>;
  /** Such requests as an HTTP Archive (HAR 1.2). */
  httpArchive(filter?: TrafficFilter): Promise<HttpArchive>;
  clearTraffic(): Promise<void>;
  /** What the clients have met of the document; at a server's main world in all of its worlds. */
  coverage(): Promise<Coverage>;
  clearCoverage(): Promise<void>;
  /** Ids, titles and models of what is stored, unpublished too: nodes when no type is named, 50 a page, pages from '0'. */
  entities(query?: EntityQuery): Promise<EntityPage>;
};

/** A world that was made beside the main one. */
export type AtollWorld = WorldCommands & {
  /** When the world goes by itself, ISO 8601; null when it stays until it is dropped. */
  readonly expires: string | null;
  /** Ends the world and all that it holds. */
  drop(): Promise<void>;
};

export type Snapshots = {
  /** Keeps this moment, in place of an earlier one of that name. */
  save(name: string): Promise<void>;
  load(name: string): Promise<void>;
  remove(name: string): Promise<void>;
  list(): Promise<readonly Snapshot[]>;
};

export type Clock = {
  get(): Promise<ClockState>;
  set(setting: ClockSetting): Promise<ClockState>;
  advance(seconds: number): Promise<ClockState>;
};

export type Faults = {
  /** The result is the id by which it is removed. */
  add(fault: FaultOptions): Promise<string>;
  list(): Promise<readonly Fault[]>;
  /** The catalogue: which faults there are, with their parameters. */
  kinds(): Promise<readonly FaultKind[]>;
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
};

/** The commands of a world whose name and address are known. */
export const worldCommands = (
  reach: ServerConnection,
  { name, url }: { readonly name: string; readonly url: string },
): WorldCommands => {
  const ask = commandsOf(reach, url);
  return {
    name,
    url,
    fetch: relativeTo(url, reach.fetch),
    reset: (to) => ask('POST', '/reset', to === undefined ? {} : { to }),
    snapshots: {
      save: (snapshot) => ask('PUT', `/snapshots/${encodeURIComponent(snapshot)}`),
      load: (snapshot) => ask('POST', `/snapshots/${encodeURIComponent(snapshot)}`),
      remove: (snapshot) => ask('DELETE', `/snapshots/${encodeURIComponent(snapshot)}`),
      list: async () => (await ask<Schemas['SnapshotList']>('GET', '/snapshots')).snapshots,
    },
    clock: {
      get: () => ask('GET', '/clock'),
      set: (setting) => ask('PUT', '/clock', setting),
      advance: (seconds) => ask('POST', '/clock/advance', { seconds }),
    },
    faults: {
      add: async (fault) => (await ask<Schemas['FaultCreated']>('POST', '/faults', fault)).id,
      list: async () => (await ask<Schemas['FaultList']>('GET', '/faults')).faults,
      kinds: async () => (await ask<Schemas['FaultCatalogue']>('GET', '/faults/catalogue')).faults,
      remove: (id) => ask('DELETE', `/faults/${encodeURIComponent(id)}`),
      clear: () => ask('DELETE', '/faults'),
    },
    traffic: (query) => ask('GET', `/traffic${queryText(query)}`),
    countTraffic: (filter) => ask('GET', `/traffic/count${queryText(filter)}`),
    exchange: (id) => ask('GET', `/traffic/${id}`),
    httpArchive: (filter) => ask('GET', `/traffic.har${queryText(filter)}`),
    clearTraffic: () => ask('DELETE', '/traffic'),
    coverage: () => ask('GET', '/coverage?format=json'),
    clearCoverage: () => ask('DELETE', '/coverage'),
    entities: (query) => ask('GET', `/entities${queryText(query)}`),
  };
};

/** What is given as undefined is not asked for. */
const queryText = (query: Readonly<Record<string, string | undefined>> = {}): string => {
  const asked = Object.entries(query).filter((each): each is [string, string] => each[1] !== undefined);
  return `?${new URLSearchParams(asked).toString()}`;
};

/** What acts on a whole server, whichever of its worlds is asked. */
export type ServerCommands = {
  health(): Promise<Health>;
  /** The main world first, then the others in the order in which they were made. */
  worlds(): Promise<readonly WorldSummary[]>;
  /** Reads document, overlays, handlers and site anew; where something is broken, says where, and the last good ones go on. */
  reload(): Promise<Reload>;
  /** What came of reading them the last time; the start is the first. */
  lastReload(): Promise<Reload>;
};

/** The commands of the server at this address. */
export const serverCommands = (reach: ServerConnection, serverUrl: string): ServerCommands => {
  const ask = commandsOf(reach, serverUrl);
  return {
    health: () => ask('GET', '/health'),
    worlds: async () => (await ask<Schemas['WorldList']>('GET', '/worlds')).worlds,
    reload: () => ask('POST', '/reload'),
    lastReload: () => ask('GET', '/reload'),
  };
};

/** Makes a world at the server whose address is given. */
export const forkWorld = async (
  reach: ServerConnection,
  serverUrl: string,
  options: WorldOptions,
): Promise<AtollWorld> => {
  const ask = commandsOf(reach, serverUrl);
  const made = await ask<Schemas['World']>('POST', '/worlds', options);
  return {
    ...worldCommands(reach, made),
    expires: made.expires,
    drop: () => ask('DELETE', `/worlds/${encodeURIComponent(made.name)}`),
  };
};

/**
 * `fetch` for one world: an address that begins with a slash is one below the world's own. Site-relative addresses, as the
 * `url` values of replies are, carry the world's prefix already and are left alone.
 */
const relativeTo = (worldUrl: string, fetch: Fetch): Fetch => {
  const { origin, pathname } = new URL(worldUrl);
  const prefix = pathname.replace(/\/$/, '');
  return (input, init) => {
    if (typeof input !== 'string' || !input.startsWith('/')) return fetch(input, init);
    const isWhole = prefix !== '' && input.startsWith(`${prefix}/`);
    return fetch(isWhole ? origin + input : worldUrl + input, init);
  };
};
