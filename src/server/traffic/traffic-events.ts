/** Streams traffic as server-sent events: first recorded requests, then each new one. */
import { Readable } from 'node:stream';
import type { EventStream } from '../../core/engine/handler.ts';
import type { TrafficEntry } from './traffic-entry.ts';
import type { TrafficLog } from './traffic-log.ts';
import type { RecordedExchange } from '../../exchange/recorded-exchange.ts';

type EventOptions = {
  readonly matches: (exchange: RecordedExchange) => boolean;
  /** Selects the recorded requests that the stream begins with. */
  readonly isInitial: (exchange: RecordedExchange) => boolean;
  readonly show: (exchange: RecordedExchange) => Promise<TrafficEntry>;
};

/** Proxies close connections that are silent for longer. */
const keepAliveMs = 15_000;

/** When more events wait for a slow client, the stream ends. The client can continue with `Last-Event-ID`. */
const maxWaiting = 1000;

/** An endless stream (HTML standard, server-sent events). It listens to the log until it is destroyed with its connection. */
export const trafficEvents = (log: TrafficLog, { matches, isInitial, show }: EventOptions): EventStream => {
  let waiting = 0;
  // Preparing one entry may take longer than the next one, but events keep the order of the requests.
  let queue: Promise<void> = Promise.resolve();
  const send = (exchange: RecordedExchange): void => {
    queue = queue
      .then(async () => {
        const entry = await show(exchange);
        if (!stream.destroyed) stream.push(`id: ${entry.id}\ndata: ${JSON.stringify(entry)}\n\n`);
      })
      .catch((error: unknown) => void stream.destroy(error instanceof Error ? error : undefined));
  };
  const stream = new Readable({
    // Called when the client has read everything so far.
    read: () => {
      waiting = 0;
    },
    destroy: (error, done) => {
      unsubscribe();
      clearInterval(keepAlive);
      done(error);
    },
  });
  const onEnd = (): void => {
    clearInterval(keepAlive);
    queue = queue.then(() => void stream.push(null));
  };
  const onExchange = (exchange: RecordedExchange): void => {
    if (!matches(exchange)) return;
    if ((waiting += 1) > maxWaiting) stream.destroy();
    else send(exchange);
  };
  const unsubscribe = log.listen({ onExchange, onEnd });
  const keepAlive = setInterval(() => stream.push(': still here\n\n'), keepAliveMs).unref();
  stream.push(': traffic\n\n');
  for (const exchange of log.entries()) if (isInitial(exchange) && matches(exchange)) send(exchange);
  return { stream, length: undefined };
};
