/** Defines what the tests' process asks the service worker, and what it answers. */
import type { EngineEvent, PlainReply, PlainRequest } from '../../../src/openapi/openapi-host.ts';
import type { OptionsOf } from '../../../src/basics/options/option-rows.ts';
import type { startOptions } from '../../../src/server/server.ts';
import type { Bundle, Principal } from '../../../src/repository/repository.ts';
import type {
  Entity,
  EntityKey,
  Change,
  Counter,
  IndexKey,
  ListOptions,
  StoreRead,
} from '../../../src/openapi/openapi-records.ts';

/** How the repository differs from that of the prepared site. */
export type Opening = Pick<OptionsOf<typeof startOptions, 'createAtoll'>, 'fixture' | 'caches' | 'advice' | 'pages'> & {
  readonly baseUrl: string;
  /** Members of the site that a test has changed. */
  readonly siteChanges: object;
  /** The bundles of its model, where a test has changed that. */
  readonly bundles: readonly Bundle[] | undefined;
  /** As a JSON Web Key. */
  readonly privateKey: object;
};

/** A plain request without its body, which is asked for when the engine reads it. */
export type SentHead = Pick<PlainRequest, 'method' | 'path' | 'query' | 'headers' | 'address'> & {
  readonly connection: number | undefined;
};

/** A plain reply. `length` says that the bytes are asked for one by one. */
export type SentReply = Omit<PlainReply, 'body'> & {
  readonly body: string | { readonly length: number | undefined } | undefined;
};

/** The engine waits for bytes of the request, or has answered. */
export type Step = { readonly wantsBody: true } | { readonly reply: SentReply };

/** Bytes of a request, its end, or why there are none. */
export type SentPiece = { readonly bytes: Uint8Array } | 'end' | { readonly error: unknown };

/** The members of the store that tests let fail. */
export type FailingMember = 'getMany' | 'lookupMany' | 'transact';

export type ReadRecords = {
  readonly records: ReadonlyMap<EntityKey, Entity | undefined>;
  readonly lists: ReadonlyMap<IndexKey, readonly Entity[]>;
  /** The ids that were drawn last. */
  readonly counters: ReadonlyMap<string, number>;
};

/** What the worker is asked, by the name of the command. All act on the main world. */
export type Commands = {
  readonly open: (opening: Opening) => Promise<{ readonly cookieName: string }>;
  readonly answer: (id: number, head: SentHead) => Promise<Step>;
  readonly body: (id: number, piece: SentPiece) => Promise<Step>;
  /** The next bytes of a reply. Undefined at its end. */
  readonly bytes: (id: number) => Promise<Uint8Array | undefined>;
  /** Nobody wants the rest of the reply. */
  readonly leave: (id: number) => Promise<void>;
  readonly reset: () => Promise<void>;
  readonly getMany: (keys: readonly EntityKey[]) => Promise<readonly (Entity | undefined)[]>;
  readonly lookupMany: (indexes: readonly IndexKey[]) => Promise<readonly (readonly Entity[])[]>;
  readonly list: (type: string, options: ListOptions) => Promise<{ total: number; entities: readonly Entity[] }>;
  /** What a decision will read. */
  readonly read: (reads: readonly StoreRead[]) => Promise<ReadRecords>;
  /** Draws ids and stores changes. */
  readonly transact: (changes: readonly Change[], drawn: ReadonlyMap<Counter, number>) => Promise<void>;
  /** From now on the store rejects each call with the error. */
  readonly fail: (name: FailingMember, error: Error) => Promise<void>;
  readonly issueToken: (principal: Principal) => Promise<string>;
  readonly saveState: (id: number) => Promise<void>;
  readonly releaseState: (id: number) => Promise<void>;
  readonly resetTo: (id: number) => Promise<void>;
};
export type CommandName = keyof Commands;

/** `now` is the time of the clock of the tests. */
export type Asked = { readonly now: number; readonly command: CommandName; readonly parameters: readonly unknown[] };

export type Told = {
  readonly result?: unknown;
  readonly error?: unknown;
  /** What the engine told since the last answer. */
  readonly events: readonly EngineEvent[];
};
