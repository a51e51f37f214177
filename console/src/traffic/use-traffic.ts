/** Connects the feed of the traffic with the control interface, and with React. */
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { control } from '../api/control.ts';
import { createFeed, type FeedState, type TrafficFeed, type TrafficSource } from './traffic-feed.ts';
import { queryOf, type TrafficQuery, type TrafficValues } from './traffic-filter.ts';

/** How many entries the page begins with. */
const firstEntries = '200';

/** Milliseconds between two attempts to connect. */
export const retryTime = 2000;

const sourceOf = (query: TrafficQuery): TrafficSource => ({
  load: (signal) => control.ask('listTraffic', { query: { ...query, limit: firstEntries }, signal }),
  open: async (lastId, signal) => {
    const headers = { 'Last-Event-ID': String(lastId) };
    const { body } = await control.open('streamTraffic', { query, headers, signal });
    if (body === null) throw new Error('The event stream has no body.');
    return body;
  },
});

const wait = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, retryTime);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** A page in the background gets no frames; its entries are shown when it is seen again. */
const schedule = (flush: () => void): void => void requestAnimationFrame(flush);

/** The entries that the values of the address let through, live. Another filter begins from the start. */
export const useTraffic = (
  values: Partial<TrafficValues>,
): { readonly feed: TrafficFeed; readonly state: FeedState } => {
  const key = JSON.stringify(queryOf(values));
  const feed = useMemo(() => createFeed(sourceOf(JSON.parse(key) as TrafficQuery), { schedule, wait }), [key]);
  useEffect(() => feed.start(), [feed]);
  return { feed, state: useSyncExternalStore(feed.subscribe, feed.state) };
};
