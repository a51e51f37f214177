/** Where the messages of a site go: to the built-in services, nowhere, to a broker, or to a webhook. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { EventSettings, DerivativeService } from '../../repository/repository-content.ts';
import { createDecoderPool } from '../decoding/decoder-pool.ts';
import { sparingReceiver, usualPatience } from './receiver-away.ts';

/** What `--events` may name besides addresses. */
const words = ['services', 'none'] as const;

const remedy = 'Use services, none, stomp://HOST:PORT, or the http:// or https:// address of a webhook.';

type EventSender = EventSettings & {
  /** Ends connections. */
  readonly close: () => Promise<void>;
};

const withoutSender = (services: DerivativeService | undefined): EventSender => ({
  ...{ send: undefined, services },
  close: async () => services?.end(),
});

/** Throws `ConfigurationError`. What sends is loaded only where it is named. */
export const openEventTarget = async (target = 'services', patience = usualPatience): Promise<EventSender> => {
  if (words.some((word) => word === target))
    return withoutSender(target === 'services' ? createDecoderPool() : undefined);
  const address = URL.canParse(target) ? new URL(target) : undefined;
  if (address?.protocol === 'stomp:' && address.hostname !== '') {
    const { createStompSender } = await import('./stomp-sender.ts');
    const { send, close } = createStompSender(address, patience);
    return { send: sparingReceiver(send, patience), close, services: undefined };
  }
  if (address?.protocol === 'http:' || address?.protocol === 'https:') {
    const { createWebhookSender } = await import('./webhook-sender.ts');
    const { send, close } = createWebhookSender(address, patience);
    return { send: sparingReceiver(send, patience), close, services: undefined };
  }
  // The text may hold a password.
  throw new ConfigurationError(`Messages cannot go where --events says. ${remedy}`);
};
