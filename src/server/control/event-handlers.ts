/** Lists and streams the messages that the site of a world has sent, and shows what it does some time after a write. */
import { inTime } from '../../basics/in-time.ts';
import { jsonReply, type KeptEvent, type KeptEvents } from '../../openapi/openapi-host.ts';
import type { ControlHandlers } from './control-handlers.ts';
import { idToGoOn, sentEvents, type StreamedLog, streamReply } from './sent-events.ts';
import { isoTime } from './world-handlers.ts';

type EventHandlers = Pick<ControlHandlers, 'listEvents' | 'streamEvents'>;

const defaultLimit = 100;

const shown = ({ time, message, ...event }: KeptEvent) => ({
  ...event,
  time: isoTime(time),
  ...(message === undefined ? {} : { message }),
});

const matcher =
  (queue: string | undefined) =>
  (event: KeptEvent): boolean =>
    queue === undefined || event.queue === queue;

const later =
  (since: string | undefined) =>
  ({ id }: KeptEvent): boolean =>
    since === undefined || id > Number(since);

/** The log of a site that sends nothing stays empty. */
const streamed = (events: KeptEvents | undefined): StreamedLog<KeptEvent> => ({
  entries: () => events?.list() ?? [],
  listen: events?.listen ?? (() => () => undefined),
});

export const eventHandlers: EventHandlers = {
  listEvents:
    async ({ query }, { events }) =>
    async () => {
      const all = streamed(events).entries().filter(matcher(query.queue)).filter(later(query.since));
      const last = all.slice(-Number(query.limit ?? defaultLimit));
      return jsonReply({ total: all.length, events: last.map(shown) });
    },
  streamEvents:
    async ({ query, headers }, { events }) =>
    async () => {
      const from = idToGoOn(headers['last-event-id'], query.since);
      const isInitial = from === undefined ? () => false : later(from);
      return streamReply(
        sentEvents(streamed(events), { name: 'events', matches: matcher(query.queue), isInitial, show: shown }),
      );
    },
};

/** The longest that an answer waits for reactions, in milliseconds. Clients give up after a minute or two. */
const usualWaitMs = 60_000;

export const createReactionHandlers = (waitMs = usualWaitMs): Pick<ControlHandlers, 'listReactions'> => ({
  listReactions:
    async ({ query }, { followUps }) =>
    async () => {
      if (query.settled === 'true' && followUps !== undefined)
        await inTime(followUps.settled(), waitMs, () => undefined);
      const reactions = (followUps?.list() ?? []).map(({ due, ...shown }) => ({ ...shown, due: isoTime(due) }));
      return jsonReply({ settled: reactions.every(({ state }) => state === 'done' || state === 'failed'), reactions });
    },
});
