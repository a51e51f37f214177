/** Defines how a server sends what its sites send. */

import type { DerivativeService } from '../services/derivative-service.ts';

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
  /** Make the derivatives that messages ask for. Undefined where nobody here does. */
  readonly services: DerivativeService | undefined;
};
