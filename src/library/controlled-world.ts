/** Makes the library's view of a world: one function for each command of the control interface. */
import { createCommandSender, type ServerConnection } from './control-command.ts';
import { archiveCommands, type ArchiveCommands } from './archive-commands.ts';
import { basicCredentials } from '../access/basic-credentials.ts';
import { fetchToken } from './demo-accounts.ts';
import type { components, operations } from '../generated/control.ts';
import type { Fetch } from './fetch.ts';

type Schemas = components['schemas'];

/** `from` names a world, a snapshot or a fixture. `ttl` is in seconds. */
export type WorldOptions = Schemas['WorldFork'];
export type WorldSummary = Schemas['World'];
export type Health = Schemas['Health'];
export type Ready = Schemas['Ready'];
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
export type CoverageRequestQuery = NonNullable<operations['listCoverageRequests']['parameters']['query']>;
export type CoverageRequest = Schemas['CoverageRequest'];
export type DifferenceQuery = NonNullable<operations['listDifferences']['parameters']['query']>;
export type Differences = Schemas['Differences'];
export type ControlToken = Schemas['ControlToken'];
export type ControlTokenOptions = Schemas['ControlTokenCreate'];
export type CreatedControlToken = Schemas['ControlTokenCreated'];

/** A world and its commands. A refused command rejects with an `Error` whose `status` is the status of the reply. */
export type WorldCommands = ArchiveCommands & {
  readonly name: string;
  /** The base URL for clients, without a trailing slash. */
  readonly url: string;
  /** `fetch` for this world: `/node/1` means `url` + `/node/1`. It needs no socket when the server runs in this process. */
  readonly fetch: Fetch;
  /**
   * A token for `Authorization: Bearer`, valid from the world's own time on. The password may be left out for a demo account,
   * and with `connectAtoll` inside `atoll exec`.
   */
  token(account: string, password?: string): Promise<string>;
  /** Returns to what the world was made from, or to a named snapshot. */
  reset(to?: string): Promise<void>;
  readonly snapshots: Snapshots;
  readonly clock: Clock;
  readonly faults: Faults;
  /** The last requests, oldest first, each with the contract's verdict on request and reply. */
  traffic(query?: TrafficQuery): Promise<TrafficPage>;
  /** Counts the remembered requests that match, to check that something was called. */
  countTraffic(filter?: TrafficFilter): Promise<TrafficCount>;
  /** One request and its reply with headers, and with bodies that are short and text. Secrets are removed. */
  exchange(id: number): Promise<TrafficExchange>;
  /** The matching requests as an HTTP Archive (HAR 1.2). */
  httpArchive(filter?: TrafficFilter): Promise<HttpArchive>;
  clearTraffic(): Promise<void>;
  /** What the clients have covered of the document. The main world answers for all worlds of the server. */
  coverage(): Promise<Coverage>;
  clearCoverage(): Promise<void>;
  /** For each operation and status of the document a request that meets it, tried in a copy of the world. */
  coverageRequests(query?: CoverageRequestQuery): Promise<readonly CoverageRequest[]>;
  /** What differs from what the world was made from, or from `from`. 50 entries a page; `next` is the cursor of the next one. */
  differences(query?: DifferenceQuery): Promise<Differences>;
  /** Ids, titles and models of stored entities, also unpublished ones. Default type: node. 50 a page; the first page is '0'. */
  entities(query?: EntityQuery): Promise<EntityPage>;
};

/** A world that was made beside the main one. */
export type AtollWorld = WorldCommands & {
  /** When the world is dropped automatically, ISO 8601. Null when it stays until `drop`. */
  readonly expires: string | null;
  /** Ends the world and deletes its data. */
  drop(): Promise<void>;
};

export type Snapshots = {
  /** Saves the current state, and replaces an earlier snapshot of this name. */
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
  /** Resolves with the id for `remove`. */
  add(fault: FaultOptions): Promise<string>;
  list(): Promise<readonly Fault[]>;
  /** The catalogue of faults, with their parameters. */
  kinds(): Promise<readonly FaultKind[]>;
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
};

/** A connection, and how the password of an account is found that the caller has not named. It throws for an unknown one. */
export type LibraryConnection = ServerConnection & { readonly passwordOf: (account: string) => string };

export const worldCommands = (
  connection: LibraryConnection,
  { name, url }: { readonly name: string; readonly url: string },
): WorldCommands => {
  const send = createCommandSender(connection, url);
  return {
    ...archiveCommands(connection, url),
    name,
    url,
    fetch: relativeTo(url, connection.fetch),
    token: async (account, password = connection.passwordOf(account)) =>
      fetchToken(connection.fetch, url, basicCredentials(account, password)),
    reset: (to) => send('POST', '/reset', to === undefined ? {} : { to }),
    snapshots: {
      save: (snapshot) => send('PUT', `/snapshots/${encodeURIComponent(snapshot)}`),
      load: (snapshot) => send('POST', `/snapshots/${encodeURIComponent(snapshot)}`),
      remove: (snapshot) => send('DELETE', `/snapshots/${encodeURIComponent(snapshot)}`),
      list: async () => (await send<Schemas['SnapshotList']>('GET', '/snapshots')).snapshots,
    },
    clock: {
      get: () => send('GET', '/clock'),
      set: (setting) => send('PUT', '/clock', setting),
      advance: (seconds) => send('POST', '/clock/advance', { seconds }),
    },
    faults: {
      add: async (fault) => (await send<Schemas['FaultCreated']>('POST', '/faults', fault)).id,
      list: async () => (await send<Schemas['FaultList']>('GET', '/faults')).faults,
      kinds: async () => (await send<Schemas['FaultCatalogue']>('GET', '/faults/catalogue')).faults,
      remove: (id) => send('DELETE', `/faults/${encodeURIComponent(id)}`),
      clear: () => send('DELETE', '/faults'),
    },
    traffic: (query) => send('GET', `/traffic${queryText(query)}`),
    countTraffic: (filter) => send('GET', `/traffic/count${queryText(filter)}`),
    exchange: (id) => send('GET', `/traffic/${id}`),
    httpArchive: (filter) => send('GET', `/traffic.har${queryText(filter)}`),
    clearTraffic: () => send('DELETE', '/traffic'),
    coverage: () => send('GET', '/coverage?format=json'),
    clearCoverage: () => send('DELETE', '/coverage'),
    coverageRequests: async (query) =>
      (await send<Schemas['CoverageRequests']>('GET', `/coverage/requests${queryText(query)}`)).requests,
    differences: (query) => send('GET', `/differences${queryText(query)}`),
    entities: (query) => send('GET', `/entities${queryText(query)}`),
  };
};

/** Leaves out parameters whose value is undefined. */
const queryText = (query: Readonly<Record<string, string | undefined>> = {}): string => {
  const present = Object.entries(query).filter((each): each is [string, string] => each[1] !== undefined);
  return `?${new URLSearchParams(present).toString()}`;
};

/** The commands that act on a whole server. */
export type ServerCommands = {
  health(): Promise<Health>;
  /** Rejects with the reason, a `CommandRefusal` of status 503, while the server may get no requests. */
  ready(): Promise<Ready>;
  /** The main world first, then the others in the order in which they were made. */
  worlds(): Promise<readonly WorldSummary[]>;
  /** Reloads document, overlays, handlers and site. When one is invalid, the result says where, and the last valid ones stay. */
  reload(): Promise<Reload>;
  /** The result of the last reload. The start is the first one. */
  lastReload(): Promise<Reload>;
  readonly controlTokens: ControlTokens;
};

/** The named tokens of the control interface. */
export type ControlTokens = {
  /** Without their secrets. */
  list(): Promise<readonly ControlToken[]>;
  /** The answer has the secret, which nobody can ask for again. `ttl` is in seconds. */
  create(token: ControlTokenOptions): Promise<CreatedControlToken>;
  /** The next request with the token is refused. */
  revoke(name: string): Promise<void>;
};

export const serverCommands = (connection: ServerConnection, serverUrl: string): ServerCommands => {
  const send = createCommandSender(connection, serverUrl);
  return {
    health: () => send('GET', '/health'),
    ready: () => send('GET', '/ready'),
    worlds: async () => (await send<Schemas['WorldList']>('GET', '/worlds')).worlds,
    reload: () => send('POST', '/reload'),
    lastReload: () => send('GET', '/reload'),
    controlTokens: {
      list: async () => (await send<Schemas['ControlTokenList']>('GET', '/tokens')).tokens,
      create: (token) => send('POST', '/tokens', token),
      revoke: (name) => send('DELETE', `/tokens/${encodeURIComponent(name)}`),
    },
  };
};

export const forkWorld = async (
  connection: LibraryConnection,
  serverUrl: string,
  options: WorldOptions,
): Promise<AtollWorld> => {
  const send = createCommandSender(connection, serverUrl);
  const made = await send<Schemas['World']>('POST', '/worlds', options);
  return {
    ...worldCommands(connection, made),
    expires: made.expires,
    drop: () => send('DELETE', `/worlds/${encodeURIComponent(made.name)}`),
  };
};

/**
 * `fetch` for one world: an address that begins with a slash is relative to the world's URL. Site-relative addresses, such
 * as the `url` values of replies, already have the world's prefix and do not get it twice.
 */
const relativeTo = (worldUrl: string, fetch: Fetch): Fetch => {
  const { origin, pathname } = new URL(worldUrl);
  const prefix = pathname.replace(/\/$/, '');
  return (input, init) => {
    if (typeof input !== 'string' || !input.startsWith('/')) return fetch(input, init);
    const hasPrefix = prefix !== '' && input.startsWith(`${prefix}/`);
    return fetch(hasPrefix ? origin + input : worldUrl + input, init);
  };
};
