/** Defines the messages that an application has sent by itself. */
import type { JsonObject } from '../../basics/json.ts';
import type { Listen } from '../../basics/listeners.ts';

/** Whether a message is only kept, went to where messages go, or was lost because nobody took it there. */
export type EventDelivery = 'kept' | 'sent' | 'lost';

/** A message that the application has sent. `time` in milliseconds since 1970, by the clock of the world. */
export type KeptEvent = {
  readonly id: number;
  readonly time: number;
  readonly queue: string;
  readonly body: JsonObject;
  readonly delivery: EventDelivery;
  /** Why it was lost. */
  readonly message?: string | undefined;
};

/** The messages of a world. */
export type KeptEvents = {
  /** The last ones, oldest first. */
  list(): readonly KeptEvent[];
  /** Tells each event from now on, until the returned function is called. */
  readonly listen: Listen<KeptEvent>;
};
