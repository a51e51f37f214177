/** Traffic as server-sent events: what is remembered from a point on, then each request as it is answered. */
import { Readable } from 'node:stream';
import type { SentEvents } from '../engine/handler.ts';
import type { TrafficEntry } from './traffic-entry.ts';
import type { Exchanged, TrafficLog } from './traffic-log.ts';

export type EventOptions = {
  readonly matches: (exchanged: Exchanged) => boolean;
  /** Of those that are remembered, those to begin with. */
  readonly begins: (exchanged: Exchanged) => boolean;
  readonly show: (exchanged: Exchanged) => Promise<TrafficEntry>;
};

/** Intermediaries end what is silent for longer. */
const keepAliveMs = 15_000;

/** A client that reads so slowly that more events wait is let go; it may come again with `Last-Event-ID`. */
const mostWaiting = 1000;

/** An endless stream (HTML, server-sent events). Destroying it, as a broken connection does, ends all that feeds it. */
export const trafficEvents = (log: TrafficLog, { matches, begins, show }: EventOptions): SentEvents => {
  let waiting = 0;
  // One after the other, in the order of the requests, however long it takes to explain one.
  let turn: Promise<void> = Promise.resolve();
  const send = (exchanged: Exchanged): void => {
    turn = turn
      .then(async () => {
        const entry = await show(exchanged);
        if (!stream.destroyed) stream.push(`id: ${entry.id}\ndata: ${JSON.stringify(entry)}\n\n`);
      })
      .catch((error: unknown) => void stream.destroy(error instanceof Error ? error : undefined));
  };
  const stream = new Readable({
    // The client has read what there was.
    read: () => {
      waiting = 0;
    },
    destroy: (error, done) => {
      leave();
      clearInterval(keepAlive);
      done(error);
    },
  });
  const end = (): void => {
    clearInterval(keepAlive);
    turn = turn.then(() => void stream.push(null));
  };
  const heard = (exchanged: Exchanged): void => {
    if (!matches(exchanged)) return;
    if ((waiting += 1) > mostWaiting) stream.destroy();
    else send(exchanged);
  };
  const leave = log.listen({ heard, ended: end });
  const keepAlive = setInterval(() => stream.push(': still here\n\n'), keepAliveMs).unref();
  stream.push(': traffic\n\n');
  for (const exchanged of log.entries()) if (begins(exchanged) && matches(exchanged)) send(exchanged);
  return { stream, length: undefined };
};
