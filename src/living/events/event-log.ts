/** Keeps the messages that a site has sent, the last of them, and tells each to those who listen. */
import type { EventDelivery, EventListener, KeptEvent, KeptEvents } from '../../core/model/reactions.ts';
import type { JsonObject } from '../../core/model/entity.ts';

/** The most that are kept. */
const mostKept = 1000;

export type EventLog = KeptEvents & {
  /** Adds an event and tells it. */
  add(event: {
    readonly time: number;
    readonly queue: string;
    readonly body: JsonObject;
    readonly delivery: EventDelivery;
    readonly message?: string | undefined;
  }): void;
  /** Tells all listeners that nothing comes any more. */
  end(): void;
};

export const createEventLog = (): EventLog => {
  const kept: KeptEvent[] = [];
  const listeners = new Set<EventListener>();
  let lastId = 0;
  return {
    add: (event) => {
      lastId += 1;
      const added = { id: lastId, ...event };
      kept.push(added);
      if (kept.length > mostKept) kept.shift();
      for (const listener of listeners) listener.onEvent(added);
    },
    list: () => kept,
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    end: () => {
      for (const listener of listeners) listener.onEnd();
      listeners.clear();
    },
  };
};
