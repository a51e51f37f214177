/** Listens for a server that starts: its probe is answered at once, and other requests wait. */
import type { IncomingMessage } from 'node:http';
import { startingMessage } from '../control/ready-handlers.ts';
import { errorReply, sendErrorAndClose } from '../http/error-reply.ts';
import { listen, type Listener, type Respond } from '../http/listener.ts';
import { retryLater } from '../../core/problem.ts';
import { defaultConnections } from './connection-limit.ts';

type OwnListenerOptions = {
  readonly host: string;
  /** 0 for any free one. Undefined: nothing listens. */
  readonly port: number | undefined;
  readonly maxConnections?: number | undefined;
  readonly warn: (message: string) => void;
};

/** Rejects with `ATOLL_CANNOT_LISTEN`. */
export const openListener = async (options: OwnListenerOptions): Promise<Listener> => {
  const { host, port, maxConnections, warn } = options;
  if (port === undefined) return noListener;
  const onFull = (most: number): void =>
    warn(`There are ${most} connections; further ones are closed. Allow more with --max-connections.`);
  return listen(host, port, { maxConnections: maxConnections ?? (await defaultConnections()), onFull, early });
};

const noListener: Listener = { port: 0, serve: () => undefined, stop: async () => undefined };

const early = ({ url = '' }: IncomingMessage): Respond | undefined =>
  url.split('?')[0] === '/_atoll/ready' ? refuseEarly : undefined;

const starting = errorReply(retryLater(startingMessage));
const refuseEarly: Respond = (request, response) => sendErrorAndClose(request, response, starting);
