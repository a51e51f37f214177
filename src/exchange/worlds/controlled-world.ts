/** Makes the library's view of a world: one function for each command of the control interface. */
import { CommandRefusal, type ControlClient, controlClient } from '../../client/control/control-client.ts';
import type { ControlSchemas as Schemas, Loose } from '../../client/control/control-types.ts';
import { fetchToken } from '../session.ts';
import type { operations } from '../../core/generated/control.ts';

/** The type of the standard `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** `from` names a world, a snapshot or a fixture. `ttl` is in seconds. */
export type WorldOptions = Loose<Schemas['WorldFork']>;
export type WorldSummary = Schemas['World'];
export type Health = Schemas['Health'];
export type Ready = Schemas['Ready'];
export type Reload = Schemas['Reload'];
export type ClockState = Schemas['Clock'];
export type ClockSetting = Loose<Schemas['ClockSetting']>;
export type Reactions = Schemas['Reactions'];
export type EventPage = Schemas['EventPage'];
export type Snapshot = Schemas['Snapshot'];
export type Fault = Schemas['Fault'];
export type FaultOptions = Loose<Schemas['FaultCreate']>;
export type FaultKind = Schemas['FaultKind'];
export type TrafficQuery = Loose<NonNullable<operations['listTraffic']['parameters']['query']>>;
export type EventQuery = Loose<NonNullable<operations['listEvents']['parameters']['query']>>;
export type TrafficFilter = Omit<TrafficQuery, 'limit'>;
export type TrafficPage = Schemas['TrafficPage'];
export type TrafficCount = Schemas['TrafficCount'];
export type TrafficExchange = Schemas['TrafficExchange'];
export type HttpArchive = Schemas['HttpArchive'];
export type Coverage = Schemas['Coverage'];
export type EntityQuery = Loose<NonNullable<operations['listEntities']['parameters']['query']>>;
export type EntityPage = Schemas['EntityPage'];
export type CoverageRequestQuery = Loose<NonNullable<operations['listCoverageRequests']['parameters']['query']>>;
export type CoverageRequest = Schemas['CoverageRequest'];
export type DifferenceQuery = Loose<NonNullable<operations['listDifferences']['parameters']['query']>>;
export type Differences = Schemas['Differences'];
export type PutBack = Schemas['PutBack'];
export type CollectionList = Schemas['CollectionList'];
export type RecordFault = Schemas['CollectionRecord']['faults'][number];
export type ControlToken = Schemas['ControlToken'];
export type ControlTokenOptions = Schemas['ControlTokenCreate'];
export type ImportedRepository = Schemas['Imported'];
export type CreatedControlToken = Schemas['ControlTokenCreated'];

/** A world and its commands. A refused command rejects with an `Error` whose `status` is the status of the reply. */
export type WorldCommands = {
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
  /** What the site does by itself some time after writes: what was done, and what waits. */
  reactions(): Promise<Reactions>;
  /** The same, once nothing waits or runs any more. */
  settled(): Promise<Reactions>;
  /** The messages that the site has sent to its broker, oldest first. */
  events(query?: EventQuery): Promise<EventPage>;
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
  /** Undoes one difference: a record, or one field of it, is as it was there, with its id, uuid and revisions. */
  putBack(difference: PutBack): Promise<void>;
  /** Ids, titles and models of stored entities, also unpublished ones. Default type: node. 50 a page; the first page is '0'. */
  entities(query?: EntityQuery): Promise<EntityPage>;
  /** What the world remembers by the documents of the user and by their handlers, and why other paths are none. */
  collections(): Promise<CollectionList>;
  /** The records of one collection. Its name may be new: then `put` makes it. */
  collection<Value = unknown>(name: string): CollectionCommands<Value>;
  /** All records and bytes as they are now, as a tar, which is made while it is read. It ends with an error when it is cut. */
  exportRepository(): Promise<ReadableStream<Uint8Array>>;
  /** Replaces everything in the world by such a tar. When it is refused, nothing changes. */
  importRepository(archive: Blob | ReadableStream<Uint8Array>): Promise<ImportedRepository>;
};

/** The records of one collection, as the documents and handlers of the server have them. */
export type CollectionCommands<Value = unknown> = {
  /** Resolves with undefined where there is no such record. */
  get(id: string): Promise<Value | undefined>;
  /** In the order in which they were added. 50 a page, or as many as `limit` says, up to 200; `next` is the `offset` of the next page. */
  list(page?: { readonly offset?: number; readonly limit?: number }): Promise<CollectionPage<Value>>;
  /** Adds a record or replaces it, whatever the document says of it. Resolves with what the document does not allow in it. */
  put(id: string, value: Value): Promise<readonly RecordFault[]>;
  /** Resolves with whether there was such a record. */
  delete(id: string): Promise<boolean>;
};

export type CollectionPage<Value = unknown> = Pick<Schemas['CollectionPage'], 'total' | 'next'> & {
  readonly records: readonly { readonly id: string; readonly value: Value; readonly fits: boolean }[];
};

/** A world that was made next to the main one. */
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

export type LibraryConnection = {
  readonly fetch: Fetch;
  /** Sent with every command. */
  readonly headers: Readonly<Record<string, string>>;
  /** The password of an account that the caller has named alone. It throws for an unknown one. */
  readonly passwordOf: (account: string) => string;
};

/** A connection for commands only. */
export type ServerConnection = Omit<LibraryConnection, 'passwordOf'>;

export const worldCommands = (
  connection: LibraryConnection,
  { name, url }: { readonly name: string; readonly url: string },
): WorldCommands => {
  const { ask, open } = controlClient(connection, url);
  const named = (name: string) => ({ path: { snapshot_name: name } });
  return {
    name,
    url,
    fetch: relativeTo(url, connection.fetch),
    token: async (account, password = connection.passwordOf(account)) =>
      fetchToken(connection.fetch, url, { name: account, password }),
    reset: (to) => ask('resetWorld', { body: { to } }),
    snapshots: {
      save: (snapshot) => ask('saveSnapshot', named(snapshot)),
      load: (snapshot) => ask('loadSnapshot', named(snapshot)),
      remove: (snapshot) => ask('deleteSnapshot', named(snapshot)),
      list: async () => (await ask('listSnapshots')).snapshots,
    },
    clock: {
      get: () => ask('getClock'),
      set: (body) => ask('setClock', { body }),
      advance: (seconds) => ask('advanceClock', { body: { seconds } }),
    },
    faults: {
      add: async (body) => (await ask('addFault', { body })).id,
      list: async () => (await ask('listFaults')).faults,
      kinds: async () => (await ask('listFaultKinds')).faults,
      remove: (id) => ask('removeFault', { path: { fault_id: id } }),
      clear: () => ask('clearFaults'),
    },
    reactions: () => ask('listReactions'),
    settled: () => ask('listReactions', { query: { settled: 'true' } }),
    events: (query) => ask('listEvents', { query }),
    traffic: (query) => ask('listTraffic', { query }),
    countTraffic: (query) => ask('countTraffic', { query }),
    exchange: (id) => ask('getTraffic', { path: { traffic_id: id } }),
    httpArchive: (query) => ask('exportTraffic', { query }),
    clearTraffic: () => ask('clearTraffic'),
    coverage: () => ask('getCoverage', { query: { format: 'json' } }),
    clearCoverage: () => ask('clearCoverage'),
    coverageRequests: async (query) => (await ask('listCoverageRequests', { query })).requests,
    ...recordCommands({ ask, open }),
  };
};

type RecordCommands = Pick<
  WorldCommands,
  'differences' | 'putBack' | 'entities' | 'collections' | 'collection' | 'exportRepository' | 'importRepository'
>;

const recordCommands = ({ ask, open }: Pick<ControlClient, 'ask' | 'open'>): RecordCommands => ({
  differences: (query) => ask('listDifferences', { query }),
  putBack: (body) => ask('putBack', { body }),
  entities: (query) => ask('listEntities', { query }),
  collections: () => ask('listCollections'),
  collection: (name) => collectionCommands({ ask, open }, name),
  exportRepository: async () =>
    (await open('exportRepository')).body ?? new ReadableStream({ start: (controller) => controller.close() }),
  importRepository: (body) => ask('importRepository', { body }),
});

const collectionCommands = <Value>(
  { ask, open }: Pick<ControlClient, 'ask' | 'open'>,
  name: string,
): CollectionCommands<Value> => {
  const one = (id: string) => ({ path: { collection_name: name, record_id: id } });
  return {
    get: async (id) => {
      const record = await ask('getCollectionRecord', one(id)).catch(undefinedAt404);
      return record?.value as Value | undefined; // the caller names its type
    },
    list: async ({ offset, limit } = {}) => {
      const query = { offset: offset?.toFixed(), limit: limit?.toFixed() };
      const page = await ask('listCollectionRecords', { path: { collection_name: name }, query }).catch(undefinedAt404);
      return (page ?? { total: 0, records: [] }) as CollectionPage<Value>; // the caller names its type
    },
    put: async (id, value) => (await ask('putCollectionRecord', { ...one(id), body: value as object })).faults, // any JSON
    delete: async (id) => (await open('deleteCollectionRecord', one(id)).catch(undefinedAt404)) !== undefined,
  };
};

const undefinedAt404 = (error: unknown): undefined => {
  if (!(error instanceof CommandRefusal) || error.status !== 404) throw error;
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
  const { ask } = controlClient(connection, serverUrl);
  return {
    health: () => ask('getHealth'),
    ready: () => ask('getReady'),
    worlds: async () => (await ask('listWorlds')).worlds,
    reload: () => ask('reload'),
    lastReload: () => ask('getReload'),
    controlTokens: {
      list: async () => (await ask('listTokens')).tokens,
      create: (body) => ask('createToken', { body }),
      revoke: (name) => ask('revokeToken', { path: { token_name: name } }),
    },
  };
};

export const forkWorld = async (
  connection: LibraryConnection,
  serverUrl: string,
  options: WorldOptions,
): Promise<AtollWorld> => {
  const { ask } = controlClient(connection, serverUrl);
  const made = await ask('forkWorld', { body: options });
  return {
    ...worldCommands(connection, made),
    expires: made.expires,
    drop: () => ask('dropWorld', { path: { world_name: made.name } }),
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
