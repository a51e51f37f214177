/** Posts the messages of a site to an address over HTTP. */
import type { OutgoingMessage } from '../../living/events/event-settings.ts';

const patienceMs = 10_000;

export const createWebhookSender =
  (address: URL) =>
  async ({ queue, text, authorization }: OutgoingMessage): Promise<void> => {
    const reply = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: authorization, 'Atoll-Queue': queue },
      body: text,
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    });
    await reply.body?.cancel();
    if (!reply.ok) throw new Error(`The webhook answered ${reply.status}.`);
  };
