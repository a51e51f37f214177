/** The feed of the traffic: the first entries, those of the stream, interruptions, and a pause. */
import { describe, expect, it } from '@jest/globals';
import {
  createFeed,
  maxEntries,
  type FeedState,
  type TrafficEntry,
  type TrafficFeed,
} from '../../console/src/traffic/traffic-feed.ts';
import { until } from '../support/until.ts';

const entry = (id: number): TrafficEntry => ({
  id,
  time: '2026-01-01T00:00:00.000Z',
  world: 'main',
  method: 'GET',
  path: `/node/${id}`,
  operation: 'getNode',
  identity: null,
  status: 200,
  duration: 1,
  verdict: { request: 'kept', reply: 'kept' },
  requestFaults: [],
  replyFaults: [],
  advice: [],
});

/** A server whose log and streams the test moves. */
const fakeServer = () => {
  let log: number[] = [];
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  const opened: number[] = [];
  let refusal: Error | undefined;
  const write = (ids: readonly number[]): void => {
    const text = ids.map((id) => `id: ${id}\ndata: ${JSON.stringify(entry(id))}\n\n`).join('');
    if (text !== '') stream?.enqueue(new TextEncoder().encode(text));
  };
  return {
    opened,
    answer: (...ids: number[]): void => {
      log.push(...ids);
      write(ids);
    },
    /** Another server takes its place, whose ids begin anew. */
    restart: (...ids: number[]): void => {
      log = ids;
      stream?.error(new TypeError('network'));
      stream = undefined;
    },
    cut: (): void => {
      stream?.close();
      stream = undefined;
    },
    refuse: (error: Error | undefined): void => {
      refusal = error;
    },
    source: {
      load: async () => ({ total: log.length, dropped: 0, lost: 0, entries: log.slice(-3).map(entry) }),
      open: async (lastId: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> => {
        if (refusal !== undefined) throw refusal;
        opened.push(lastId);
        return new ReadableStream<Uint8Array>({
          start: (controller) => {
            stream = controller;
            signal.addEventListener('abort', () => controller.error(new Error('aborted')));
            write(log.filter((id) => id > lastId));
          },
        });
      },
    },
  };
};

const options = {
  schedule: (flush: () => void) => void setImmediate(flush),
  wait: () => new Promise<void>((resolve) => setImmediate(resolve)),
};

const idsOf = (feed: TrafficFeed): number[] => feed.state().entries.map(({ id }) => id);
const reaches = (feed: TrafficFeed, test: (state: FeedState) => boolean): Promise<void> =>
  until(() => test(feed.state()), 'the state of the feed');

describe('The feed of the traffic', () => {
  it('begins with the last entries, and goes on with the stream after them', async () => {
    const server = fakeServer();
    server.answer(1, 2, 3, 4);
    const feed = createFeed(server.source, options);
    expect(feed.state().phase).toBe('loading');
    const stop = feed.start();
    await reaches(feed, ({ phase }) => phase === 'live');
    expect([idsOf(feed), feed.state().total, server.opened]).toEqual([[4, 3, 2], 4, [4]]);
    server.answer(5, 6);
    await reaches(feed, ({ total }) => total === 6);
    expect(idsOf(feed)).toEqual([6, 5, 4, 3, 2]);
    stop();
  });

  it('connects again after an interruption, and misses nothing', async () => {
    const server = fakeServer();
    const feed = createFeed(server.source, options);
    const stop = feed.start();
    await reaches(feed, ({ phase }) => phase === 'live');
    server.answer(1);
    await reaches(feed, ({ total }) => total === 1);
    const refusal = new Error('no');
    server.refuse(refusal);
    server.cut();
    await reaches(feed, ({ phase, error }) => phase === 'stopped' && error === refusal);
    server.answer(2);
    server.refuse(undefined);
    await reaches(feed, ({ phase, total }) => phase === 'live' && total === 2);
    expect([idsOf(feed), server.opened, feed.state().error]).toEqual([[2, 1], [0, 1], undefined]);
    stop();
  });

  it('begins from the start when the server counts from 1 again', async () => {
    const server = fakeServer();
    server.answer(1, 2, 3);
    const feed = createFeed(server.source, options);
    const stop = feed.start();
    await reaches(feed, ({ phase }) => phase === 'live');
    server.restart(1);
    await until(() => server.opened.length === 2, 'the second stream');
    server.answer(2);
    await reaches(feed, ({ total }) => total === 2);
    expect([idsOf(feed), server.opened]).toEqual([
      [2, 1],
      [3, 3, 2],
    ]);
    stop();
  });

  it('holds new entries back during a pause, and shows them afterwards', async () => {
    const server = fakeServer();
    server.answer(1);
    const feed = createFeed(server.source, options);
    const stop = feed.start();
    await reaches(feed, ({ phase }) => phase === 'live');
    feed.pause(true);
    server.answer(2, 3);
    await reaches(feed, ({ waiting }) => waiting === 2);
    expect([idsOf(feed), feed.state().total]).toEqual([[1], 1]);
    feed.pause(false);
    expect([idsOf(feed), feed.state().total, feed.state().waiting]).toEqual([[3, 2, 1], 3, 0]);
    feed.clear();
    expect([idsOf(feed), feed.state().total]).toEqual([[], 0]);
    stop();
  });

  it(`keeps the last ${maxEntries}, and tells its listeners once for many`, async () => {
    const server = fakeServer();
    const feed = createFeed(server.source, options);
    const stop = feed.start();
    await reaches(feed, ({ phase }) => phase === 'live');
    let changes = 0;
    feed.subscribe(() => (changes += 1));
    const count = 5 * maxEntries;
    server.answer(...Array.from({ length: count }, (_, index) => index + 1));
    await reaches(feed, ({ total }) => total === count);
    expect([feed.state().entries.length, idsOf(feed)[0], changes]).toEqual([maxEntries, count, 1]);
    stop();
  });

  it('changes no more after its end', async () => {
    const server = fakeServer();
    const feed = createFeed(server.source, options);
    const stop = feed.start();
    await reaches(feed, ({ phase }) => phase === 'live');
    stop();
    const last = feed.state();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(feed.state()).toBe(last);
    expect(server.opened).toEqual([0]);
  });
});
