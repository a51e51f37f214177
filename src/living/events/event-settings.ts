/** Defines how a server sends what its sites send. */

/** A message on its way, as a broker gets it. */
export type OutgoingMessage = {
  readonly queue: string;
  /** JSON. */
  readonly text: string;
  /** `Bearer` and a token of who wrote. */
  readonly authorization: string;
};

export type EventSettings = {
  /** Rejects when nobody takes the message. Undefined where messages are only kept. */
  readonly send: ((message: OutgoingMessage) => Promise<void>) | undefined;
  /** Whether the built-in services make the derivatives that messages ask for. */
  readonly areServed: boolean;
};
