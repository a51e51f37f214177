/** The engine in a service worker, for tests in another process: it takes plain requests by messages and answers them. */
import { repositoryWorld, type World, createModel } from '../../../src/repository/repository.ts';
import { existingSigningKey } from '../../../src/browser/signing-key.ts';
import { openRepository, type Repository } from '../../../src/browser/open-repository.ts';
import type { EngineEvent, PlainReply } from '../../../src/openapi/openapi-host.ts';
import type { PreparedSite } from '../../../src/browser/create-atoll.ts';
import { createIds } from '../../support/time-and-chance.ts';
import { messageText, valueOfMessage } from '../../support/in-service-worker/message-text.ts';
import type {
  Asked,
  Commands,
  Opening,
  SentHead,
  SentPiece,
  SentReply,
  Step,
  Told,
} from '../../support/in-service-worker/protocol.ts';

/** The time of the tests, in milliseconds since 1970. */
let now = 0;
let ids = createIds();
const events: EngineEvent[] = [];
let repository: Repository | undefined;
let prepared: PreparedSite | undefined;

const opened = (): Repository => {
  if (repository === undefined) throw new Error('The repository is not open yet.');
  return repository;
};
const world = (): World => repositoryWorld(opened().worlds.main.world);

const open = async (opening: Opening): Promise<{ readonly cookieName: string }> => {
  const { bundles } = opening;
  if (prepared === undefined) throw new Error('There is no site.');
  repository = await openRepository(
    {
      ...{ site: prepared, fixture: opening.fixture, baseUrl: opening.baseUrl, caches: opening.caches },
      ...{ advice: opening.advice, pages: opening.pages, clock: { now: () => now } },
      // As in Node: tests need no build of the console.
      readConsoleFile: async (name) =>
        name === 'index.html'
          ? { bytes: Buffer.from('<!doctype html><title>A console</title>'), coding: undefined }
          : undefined,
      onEvent: (event) => events.push(event),
      onError: () => undefined,
    },
    {
      changeSite: (site) => ({ ...site, ...opening.siteChanges, ...(bundles && { model: createModel(bundles) }) }),
      ids: { uuid: () => ids.uuid(), secret: () => ids.secret() },
      signingKey: existingSigningKey(opening.privateKey),
      // Tests ask as from another machine, too.
      isPrivate: false,
    },
  );
  return { cookieName: world().access.cookieName };
};

type Deferred<T> = { readonly promise: Promise<T>; readonly resolve: (value: T) => void };

const deferred = <T>(): Deferred<T> => {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
};

/** A request that is being answered. */
type Exchange = {
  readonly reply: Promise<PlainReply>;
  /** Resolves when the engine wants bytes. */
  wanted: Deferred<void>;
  given: Deferred<SentPiece>;
  bytes?: AsyncIterator<Uint8Array>;
};

const exchanges = new Map<number, Exchange>();
const connections = new Map<number, object>();

const connectionOf = (id: number | undefined): object | undefined => {
  if (id === undefined) return undefined;
  const connection = connections.get(id) ?? {};
  connections.set(id, connection);
  return connection;
};

const begin = (id: number, { connection, ...head }: SentHead): Promise<Step> => {
  const body = async function* (): AsyncGenerator<Uint8Array> {
    for (;;) {
      const exchange = exchangeOf(id);
      exchange.given = deferred();
      exchange.wanted.resolve();
      const piece = await exchange.given.promise;
      if (piece === 'end') return;
      if ('error' in piece) throw piece.error;
      yield piece.bytes;
    }
  };
  const reply = Promise.resolve().then(() =>
    opened().answer({ ...head, connection: connectionOf(connection), body: { [Symbol.asyncIterator]: body } }),
  );
  exchanges.set(id, { reply, wanted: deferred(), given: deferred() });
  return next(id);
};

const exchangeOf = (id: number): Exchange => {
  const exchange = exchanges.get(id);
  if (exchange === undefined) throw new Error(`There is no request ${id}.`);
  return exchange;
};

const next = async (id: number): Promise<Step> => {
  const exchange = exchangeOf(id);
  const reply = await Promise.race([exchange.reply, exchange.wanted.promise]).catch((error: unknown) => {
    exchanges.delete(id);
    throw error;
  });
  if (reply === undefined) return { wantsBody: true };
  return { reply: sentReply(id, reply) };
};

const sentReply = (id: number, { body, ...reply }: PlainReply): SentReply => {
  if (typeof body !== 'object') {
    exchanges.delete(id);
    return { ...reply, body };
  }
  exchangeOf(id).bytes = body.stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>; // a stream of bytes
  return { ...reply, body: { length: body.length } };
};

const leave = async (id: number): Promise<void> => {
  await exchanges.get(id)?.bytes?.return?.();
  exchanges.delete(id);
};

const states = new Map<number, { readonly state: ReturnType<typeof saved>; readonly release: () => void }>();
const saved = () => opened().worlds.main.saveState();

const commands: Commands = {
  open,
  answer: begin,
  body: (id, piece) => {
    const exchange = exchangeOf(id);
    exchange.wanted = deferred();
    exchange.given.resolve(piece);
    return next(id);
  },
  bytes: async (id) => {
    const piece = await exchangeOf(id).bytes?.next();
    if (piece === undefined || piece.done === true) exchanges.delete(id);
    return piece?.value as Uint8Array | undefined; // a stream of bytes
  },
  leave,
  reset: async () => {
    events.length = 0;
    ids = createIds();
    await opened().worlds.reset('main');
  },
  getMany: (keys) => world().store.getMany(keys),
  lookupMany: (indexes) => world().store.lookupMany(indexes),
  list: (type, options) => world().store.list(type, options),
  read: async (reads) => {
    const { store } = world();
    const keys = reads.filter((each) => typeof each === 'string');
    const indexes = reads.flatMap((each) => (typeof each === 'string' ? [] : [each.index]));
    const [found, lists] = await Promise.all([store.getMany(keys), store.lookupMany(indexes)]);
    return {
      records: new Map(keys.map((key, at) => [key, found[at]])),
      lists: new Map(indexes.map((index, at) => [index, lists[at] ?? []])),
      counters: opened().worlds.main.freeze().counters,
    };
  },
  transact: (changes, drawn) =>
    world().store.transact([], (view) => {
      for (const [counter, times] of drawn) for (let time = 0; time < times; time += 1) view.nextId(counter);
      return { changes, result: undefined };
    }),
  fail: async (name, error) => {
    const { store } = world();
    store[name] = () => Promise.reject(error);
    // Reads ask a store far away: nothing is at hand.
    if (name !== 'transact') Object.assign(store, { present: undefined });
  },
  issueToken: (principal) => world().access.issueToken(principal),
  saveState: async (id) => {
    const state = saved();
    states.set(id, { state, release: state.hold() });
  },
  releaseState: async (id) => {
    states.get(id)?.release();
    states.delete(id);
  },
  resetTo: async (id) => opened().worlds.main.reset(states.get(id)?.state),
};

const answerMessage = async (text: string): Promise<string> => {
  const asked = valueOfMessage(text) as Asked; // the other side wrote it
  now = asked.now;
  const run = commands[asked.command] as (...parameters: readonly unknown[]) => Promise<unknown>; // and knows the parameters
  const told = await run(...asked.parameters).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  const answer: Told = { ...told, events: events.splice(0) };
  return messageText(answer);
};

/** Answers each message of a port, which the page sends with its first message. `site` is the one to serve. */
export const serveTests = (site: PreparedSite): void => {
  prepared = site;
  const worker = globalThis as unknown as ServiceWorkerScope;
  worker.addEventListener('install', () => void worker.skipWaiting());
  worker.addEventListener('message', ({ ports: [port] }: MessageEvent) => {
    if (port === undefined) return;
    port.onmessage = ({ data }: MessageEvent<readonly [number, string]>) => {
      const [id, text] = data;
      void answerMessage(text).then((answer) => port.postMessage([id, answer]));
    };
  });
};

type ServiceWorkerScope = {
  skipWaiting(): Promise<void>;
  addEventListener(name: 'install' | 'message', listen: (event: MessageEvent) => void): void;
};
