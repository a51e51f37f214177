/** Lists, searches, counts, awaits, streams, exports and clears the traffic of a world. */
import { nextEntry } from '../../basics/listeners.ts';
import { onceFor } from '../../basics/once.ts';
import type { ServedContract, ExplanationContext } from '../../contract/contract.ts';
import { type RecordedExchange, httpArchive } from '../../exchange/exchange.ts';
import type { WorldObserver } from '../coverage/world-observer.ts';
import { type EntryContext, showEntry, showExchange, type TrafficEntry } from '../traffic/traffic-entry.ts';
import { queryPredicate, type TrafficQuery } from '../traffic/traffic-query.ts';
import { jsonReply } from '../../openapi/openapi-host.ts';
import type { ControlHandlers } from './control-handlers.ts';
import { idToGoOn, sentEvents, streamReply } from './sent-events.ts';
import { createPathRouter, readSourceLines, type SourceLines } from '../../openapi/openapi-parts.ts';
import { notFound, type Problem, retryLater } from '../../openapi/openapi-terms.ts';

export type TrafficOptions = {
  readonly observer: WorldObserver;
  /** The repository's document as it is served now. */
  readonly contract: () => ServedContract;
  /** Reads `openapi.yaml`. Without it violations have no line numbers. */
  readonly documentText?: (() => Promise<string>) | undefined;
  readonly areRepliesChecked: boolean;
  readonly version: string;
};

/** Every request and reply that has broken the contract, in all worlds, and in those that are dropped by now. */
export const brokenEntries = async (options: Omit<TrafficOptions, 'version'>): Promise<TrafficEntry[]> => {
  const { explanation, entryContext } = createContexts(options);
  const predicates = (['broken', 'reply-broken'] as const).map((verdict) => queryPredicate({ verdict }, explanation()));
  const exchanges = await options.observer.exchanges();
  const context = await entryContext();
  const broken = exchanges.filter((exchange) => predicates.some((matches) => matches(exchange)));
  return Promise.all(broken.map((exchange) => showEntry(exchange, context)));
};

type TrafficHandlers = Pick<
  ControlHandlers,
  'listTraffic' | 'clearTraffic' | 'getTraffic' | 'countTraffic' | 'waitForRequest' | 'streamTraffic' | 'exportTraffic'
>;

const defaultLimit = 100;

export const trafficHandlers = (options: TrafficOptions): TrafficHandlers => {
  const { observer } = options;
  const contexts = createContexts(options);
  const { explanation, entryContext } = contexts;
  // With `--check-replies log` the last replies are checked in the next turn of the event loop.
  const find: Find = async (world, query) => {
    await new Promise((resolve) => setImmediate(resolve));
    const { traffic } = observer.of(world);
    await traffic.refresh();
    return traffic.entries().filter(queryPredicate(query, explanation()));
  };
  return {
    ...readingHandlers(observer, find, contexts),
    clearTraffic: async (_request, world) => async () => {
      await observer.of(world.name).traffic.clear();
      return { status: 204 };
    },
    streamTraffic:
      async ({ query, headers }, world) =>
      async () => {
        const context = await entryContext();
        const { since, ...filter } = query;
        const from = idToGoOn(headers['last-event-id'], since);
        const { traffic } = observer.of(world.name);
        await traffic.refresh();
        const body = sentEvents(traffic, {
          name: 'traffic',
          matches: queryPredicate(filter, context),
          isInitial: from === undefined ? () => false : queryPredicate({ since: from }, context),
          show: (exchanged) => showEntry(exchanged, context),
        });
        return streamReply(body);
      },
    exportTraffic:
      async ({ query }, world) =>
      async () => {
        const context = await entryContext();
        const all = await find(world.name, query);
        const exchanges = await Promise.all(all.map((exchanged) => showExchange(exchanged, context)));
        return jsonReply(httpArchive(exchanges, world.baseUrl, options.version));
      },
  };
};

type Find = (world: string, query: TrafficQuery) => Promise<readonly RecordedExchange[]>;

const readingHandlers = (
  observer: WorldObserver,
  find: Find,
  { explanation, entryContext }: ReturnType<typeof createContexts>,
): Pick<TrafficHandlers, 'listTraffic' | 'getTraffic' | 'countTraffic' | 'waitForRequest'> => ({
  listTraffic:
    async ({ query }, world) =>
    async () => {
      const all = await find(world.name, query);
      const limited = all.slice(-Number(query.limit ?? defaultLimit));
      const context = await entryContext();
      const entries = await Promise.all(limited.map((exchanged) => showEntry(exchanged, context)));
      const { traffic } = observer.of(world.name);
      return jsonReply({ total: all.length, dropped: traffic.dropped(), lost: traffic.lost(), entries });
    },
  getTraffic:
    async ({ path: { traffic_id: id } }, world) =>
    async () => {
      const exchanged = (await find(world.name, {})).find((each) => each.id === id);
      if (exchanged === undefined) throw notFound(`There is no request ${id}, or it is not remembered any more.`);
      return jsonReply(await showExchange(exchanged, await entryContext()));
    },
  countTraffic:
    async ({ query }, world) =>
    async () => {
      const { length: count } = await find(world.name, query);
      const { traffic } = observer.of(world.name);
      return jsonReply({ count, dropped: traffic.dropped(), lost: traffic.lost() });
    },
  waitForRequest:
    async ({ query: { within, ...query } }, world) =>
    async () => {
      const { traffic } = observer.of(world.name);
      const ended = (): Problem => retryLater('No more requests come: the world or the server has ended.');
      const [remembered] = await find(world.name, query);
      const match =
        remembered ??
        (await nextEntry(traffic.listen, queryPredicate(query, explanation()), { ms: Number(within) * 1000, ended }));
      if (match === undefined) throw notFound(`No matching request arrived within ${within} s.`);
      return jsonReply(await showEntry(match, await entryContext()));
    },
});

/** Reports each request of every world from now on, in order, as the traffic shows it. */
export const watchEntries = (
  options: Omit<TrafficOptions, 'version'>,
  onEntry: (entry: TrafficEntry) => void,
): void => {
  const { entryContext } = createContexts(options);
  let last: Promise<void> = Promise.resolve();
  options.observer.watch((exchange) => {
    last = last.then(async () => onEntry(await showEntry(exchange, await entryContext())));
  });
};

const routers = new WeakMap<ServedContract['backend'], ExplanationContext['router']>();

const routerOf = (backend: ServedContract['backend']): ExplanationContext['router'] => {
  const router = routers.get(backend) ?? createPathRouter(backend.operations);
  routers.set(backend, router);
  return router;
};

/** `explanation` makes a context without lines, quickly, for searches. `entryContext` makes one with lines, to show entries. */
const createContexts = ({ contract, documentText, areRepliesChecked }: Omit<TrafficOptions, 'version'>) => {
  const lines = rememberedLines(documentText);
  const explanation = (): ExplanationContext => ({
    lines: undefined,
    router: routerOf(contract().backend),
    judgeOf: contract().judgeOf,
    judgeByItself: contract().judgeByItself,
  });
  const entryContext = async (): Promise<EntryContext> => ({
    ...explanation(),
    lines: await lines(),
    contract: contract(),
    areRepliesChecked,
  });
  return { explanation, entryContext };
};

/** Reads the lines on first use, because that takes longer than the start. Undefined when the text cannot be read: the next use tries again. */
const rememberedLines = (read: TrafficOptions['documentText']): (() => Promise<SourceLines | undefined>) => {
  const lines = onceFor(async () => read && readSourceLines(await read()));
  return () => lines(undefined).catch(() => undefined);
};
