/** Stops sending to a receiver that takes nothing: after some failures in a row it counts as away for a while. */
import type { OutgoingMessage } from '../../repository/repository-content.ts';

type Send = (message: OutgoingMessage) => Promise<void>;

/** Thrown by a sender when the receiver said something: it is there, and the next message may fare better. */
export class RefusedMessage extends Error {}

export type ReceiverPatience = {
  /** How long the receiver may take for one message, in milliseconds. */
  readonly answerMs: number;
  /** How many failures in a row make a receiver count as away. */
  readonly failures: number;
  /** How long it counts as away then, in milliseconds. One message tries it again after that. */
  readonly awayMs: number;
};

/** A receiver has to take a message, not to work on it, and every later message of the world waits for this one. */
export const usualPatience: ReceiverPatience = { answerMs: 3000, failures: 3, awayMs: 10_000 };

/** The same sender, which rejects at once while the receiver counts as away. */
export const sparingReceiver = (send: Send, { failures, awayMs }: ReceiverPatience): Send => {
  let failed = 0;
  let awayUntil = 0;
  let reason = '';
  const now = (): number => performance.now();
  return async (message) => {
    if (failed >= failures) {
      if (now() < awayUntil)
        throw new Error(
          `Not sent: the receiver counts as away after ${failed} failures in a row. The last one: ${reason} It is tried again every ${awayMs / 1000} s.`,
        );
      // The other messages do not wait for the one that tries.
      awayUntil = now() + awayMs;
    }
    try {
      await send(message);
      failed = 0;
    } catch (error) {
      if (error instanceof RefusedMessage) {
        failed = 0;
      } else {
        failed += 1;
        reason = error instanceof Error ? error.message : String(error);
        awayUntil = now() + awayMs;
      }
      throw error;
    }
  };
};
