/** Listens for a server that starts: its probe is answered at once, and other requests wait. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { startingMessage } from '../control/health-handlers.ts';
import { plainErrorReply, sendErrorAndClose } from '../http/error-reply.ts';
import { listen, type Listener, type Respond } from '../http/listener.ts';
import { retryLater } from '../../openapi/openapi-terms.ts';

/** File descriptors to keep free for the store, the listener and the log, and for files that a start or a reload opens briefly. */
const ownDescriptors = 64;

/** An upload or a download has a file besides its connection. */
const descriptorsEach = 2;

const mostConnections = 10_000;

/** For systems that do not say their limit: all but Linux. */
const unknownLimit = 1024;

/** The default of `--max-connections`. */
export const defaultConnections = async (): Promise<number> => {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  return connectionsFor(descriptorLimit(limits));
};

/** The soft limit of `/proc/self/limits`. */
export const descriptorLimit = (limits: string): number => {
  const found = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
  return found === undefined ? unknownLimit : found === 'unlimited' ? Infinity : Number(found);
};

export const connectionsFor = (descriptors: number): number =>
  Math.max(1, Math.min(mostConnections, Math.floor((descriptors - ownDescriptors) / descriptorsEach)));

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

const starting = plainErrorReply(retryLater(startingMessage));
const refuseEarly: Respond = (request, response) => sendErrorAndClose(request, response, starting);
