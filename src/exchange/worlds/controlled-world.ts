/** Makes the library's view of a world: the functions that follow from the control document, and those that are more than one operation. */
import {
  CommandRefusal,
  type ControlClient,
  controlClient,
  type ControlSchemas as Schemas,
  type Loose,
  libraryFunctionsOf,
} from '../../client/client-control.ts';
import type { ServerFunctions, WorldFunctions } from '../../client/generated/library.ts';
import type { operations } from '../../client/generated/control.ts';
import { fetchToken } from '../session.ts';

export type {
  Clock,
  ControlTokens,
  Faults,
  ServerFunctions as ServerCommands,
  Snapshots,
} from '../../client/generated/library.ts';

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

/** What every world has: the functions that follow from the control document, and these. A refused command rejects with an `Error` whose `status` is that of the reply. */
export type WorldCommands = WorldFunctions & {
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
  /** What the site does by itself some time after writes, once nothing waits or runs any more. */
  settled(): Promise<Reactions>;
  /** What the clients have covered of the document. The main world answers for all worlds of the server. */
  coverage(): Promise<Coverage>;
  /** The records of one collection. Its name may be new: then `put` makes it. */
  collection<Value = unknown>(name: string): CollectionCommands<Value>;
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
  const client = controlClient(connection, url);
  return {
    ...libraryFunctionsOf('world', client),
    name,
    url,
    fetch: relativeTo(url, connection.fetch),
    token: async (account, password = connection.passwordOf(account)) =>
      fetchToken(connection.fetch, url, { name: account, password }),
    settled: () => client.ask('listReactions', { query: { settled: 'true' } }),
    coverage: () => client.ask('getCoverage', { query: { format: 'json' } }),
    collection: (collection) => collectionCommands(client, collection),
  };
};

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

export const serverCommands = (connection: ServerConnection, serverUrl: string): ServerFunctions =>
  libraryFunctionsOf('server', controlClient(connection, serverUrl));

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
