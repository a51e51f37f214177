/** Posts the messages of a site to an address over HTTP. */
import { errorCode } from '../../basics/error-code.ts';
import type { EventSettings } from '../../repository/repository-content.ts';
import { RefusedMessage, type ReceiverPatience } from './receiver-away.ts';

type WebhookSender = {
  readonly send: NonNullable<EventSettings['send']>;
  /** Gives up what is on its way. */
  readonly close: () => Promise<void>;
};

export const createWebhookSender = (address: URL, { answerMs }: ReceiverPatience): WebhookSender => {
  const ending = new AbortController();
  return {
    send: async ({ queue, text, authorization }) => {
      const late = AbortSignal.timeout(answerMs);
      const reply = await fetch(address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: authorization, 'Atoll-Queue': queue },
        body: text,
        redirect: 'manual',
        signal: AbortSignal.any([late, ending.signal]),
      }).catch((error: unknown) => {
        if (ending.signal.aborted) throw new Error('The server was stopped.');
        if (late.aborted) throw new Error(`The webhook did not answer within ${answerMs / 1000} s.`);
        throw new Error(`The webhook cannot be reached (${reasonOf(error)}).`);
      });
      await reply.body?.cancel();
      if (!reply.ok) throw new RefusedMessage(`The webhook answered ${reply.status}.`);
    },
    close: async () => {
      ending.abort();
    },
  };
};

/** `fetch` has the reason in its cause. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined;
  return errorCode(cause) ?? (cause instanceof Error ? cause.message : String(error));
};
