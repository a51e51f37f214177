/** The traffic of a world by way of the control interface: shown, searched, counted, streamed, exported, forgotten. */
import { createRouter } from '../engine/router.ts';
import { readSourceLines, type SourceLines } from '../document/source-lines.ts';
import { notFound } from '../problem.ts';
import type { ControlHandlers } from './control-handlers.ts';
import type { ServedContract } from '../traffic/corrected-body.ts';
import { showEntry, showExchange, type Showing } from '../traffic/traffic-entry.ts';
import type { Explaining } from '../traffic/violations.ts';
import { trafficEvents } from '../traffic/traffic-events.ts';
import { httpArchive } from '../traffic/http-archive.ts';
import type { Exchanged } from '../traffic/traffic-log.ts';
import { matchesOf, type TrafficQuery } from '../traffic/traffic-query.ts';
import type { WorldObserver } from '../coverage/world-observer.ts';

export type TrafficOptions = {
  readonly watching: WorldObserver;
  /** The repository's document as it is served at the moment. */
  readonly contract: () => ServedContract;
  /** The text of `openapi.yaml`; without it no line of a rule is known. */
  readonly documentText: (() => Promise<string>) | undefined;
  readonly areRepliesChecked: boolean;
  /** The program's. */
  readonly version: string;
};

type TrafficHandlers = Pick<
  ControlHandlers,
  'listTraffic' | 'clearTraffic' | 'getTraffic' | 'countTraffic' | 'streamTraffic' | 'exportTraffic'
>;

/** How many entries are shown when nobody says. */
const defaultLimit = 100;

export const trafficHandlers = (options: TrafficOptions): TrafficHandlers => {
  const { watching } = options;
  const { explaining, showing } = showingBy(options);
  /** Those that the question means; with `--check-replies log` the last replies are judged just now. */
  const find: Find = async (world, query) => {
    await new Promise((resolve) => setImmediate(resolve));
    return watching.of(world).traffic.entries().filter(matchesOf(query, explaining()));
  };
  return {
    ...readingHandlers(watching, find, showing),
    clearTraffic: async (_request, world) => async () => {
      watching.of(world.name).traffic.clear();
      return { status: 204 };
    },
    streamTraffic:
      async ({ query, headers }, world) =>
      async () => {
        const how = await showing();
        const { since, ...asked } = query;
        const last = headers['last-event-id'];
        const from = last !== undefined && /^\d+$/.test(last) ? last : since;
        const body = trafficEvents(watching.of(world.name).traffic, {
          matches: matchesOf(asked, how),
          begins: from === undefined ? () => false : matchesOf({ since: from }, how),
          show: (exchanged) => showEntry(exchanged, how),
        });
        // A proxy that waits for more would show nothing.
        return { status: 200, mediaType: 'text/event-stream', body, headers: { 'X-Accel-Buffering': 'no' } };
      },
    exportTraffic:
      async ({ query }, world) =>
      async () => {
        const how = await showing();
        const all = await find(world.name, query);
        const exchanges = await Promise.all(all.map((exchanged) => showExchange(exchanged, how)));
        const body = httpArchive(exchanges, world.baseUrl, options.version);
        return { status: 200, mediaType: 'application/json', body };
      },
  };
};

type Find = (world: string, query: TrafficQuery) => Promise<readonly Exchanged[]>;

const readingHandlers = (
  watching: WorldObserver,
  find: Find,
  showing: () => Promise<Showing>,
): Pick<TrafficHandlers, 'listTraffic' | 'getTraffic' | 'countTraffic'> => ({
  listTraffic:
    async ({ query }, world) =>
    async () => {
      const all = await find(world.name, query);
      const limited = all.slice(-Number(query.limit ?? defaultLimit));
      const how = await showing();
      const entries = await Promise.all(limited.map((exchanged) => showEntry(exchanged, how)));
      const dropped = watching.of(world.name).traffic.dropped();
      return { status: 200, mediaType: 'application/json', body: { total: all.length, dropped, entries } };
    },
  getTraffic:
    async ({ path: { traffic_id: wanted } }, world) =>
    async () => {
      const exchanged = (await find(world.name, {})).find(({ id }) => id === wanted);
      if (exchanged === undefined) throw notFound(`There is no request ${wanted}, or it is not remembered any more.`);
      return { status: 200, mediaType: 'application/json', body: await showExchange(exchanged, await showing()) };
    },
  countTraffic:
    async ({ query }, world) =>
    async () => {
      const { length: count } = await find(world.name, query);
      const dropped = watching.of(world.name).traffic.dropped();
      return { status: 200, mediaType: 'application/json', body: { count, dropped } };
    },
});

/** How entries are explained: quickly, for those who search, and with the lines of the document, for those who read. */
const showingBy = ({ contract, documentText, areRepliesChecked }: TrafficOptions) => {
  const lines = rememberedLines(documentText);
  const explaining = (): Explaining => ({ lines: undefined, router: createRouter(contract().backend.operations) });
  const showing = async (): Promise<Showing> => ({
    router: explaining().router,
    lines: await lines(),
    contract: contract(),
    areRepliesChecked,
  });
  return { explaining, showing };
};

/** Read when somebody asks for the first time: it takes longer than the start. A text that cannot be read has no lines. */
const rememberedLines = (read: TrafficOptions['documentText']): (() => Promise<SourceLines | undefined>) => {
  let lines: Promise<SourceLines | undefined> | undefined;
  return () =>
    (lines ??= read === undefined ? Promise.resolve(undefined) : read().then(readSourceLines, () => undefined));
};
