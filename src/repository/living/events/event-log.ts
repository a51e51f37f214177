/** Keeps the messages that a site has sent, the last of them, and tells each to those who listen. */
import { createListeners } from '../../../basics/listeners.ts';
import type { KeptEvent, KeptEvents } from '../../../openapi/openapi-host.ts';

/** The most that are kept. */
const mostKept = 1000;

export type EventLog = KeptEvents & {
  /** Adds an event and tells it. */
  add(event: Omit<KeptEvent, 'id'>): void;
  /** Tells all listeners that nothing comes any more. */
  end(): void;
};

export const createEventLog = (): EventLog => {
  const kept: KeptEvent[] = [];
  const listeners = createListeners<KeptEvent>();
  let lastId = 0;
  return {
    add: (event) => {
      lastId += 1;
      const added = { id: lastId, ...event };
      kept.push(added);
      if (kept.length > mostKept) kept.shift();
      listeners.tell(added);
    },
    list: () => kept,
    listen: listeners.listen,
    end: listeners.end,
  };
};
