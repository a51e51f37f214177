/** Streams what a log gets as server-sent events (HTML standard, section 9.2), until the client leaves or the log ends. */
import type { Awaitable } from '../../basics/awaitable.ts';
import type { Listen } from '../../basics/listeners.ts';

/** Something that is added to in order, such as the traffic of a world. */
export type StreamedLog<T> = {
  entries(): readonly T[];
  readonly listen: Listen<T>;
};

type StreamOptions<T> = {
  /** The comment that the stream begins with. */
  readonly name: string;
  readonly matches: (entry: T) => boolean;
  /** Selects the present entries that the stream begins with. */
  readonly isInitial: (entry: T) => boolean;
  readonly show: (entry: T) => Awaitable<{ readonly id: number }>;
};

/** Proxies close connections that are silent for longer. */
const keepAliveMs = 15_000;

/** When more events wait for a slow client, the stream ends. The client can continue with `Last-Event-ID`. */
const maxWaiting = 1000;

/** A proxy must not buffer the events. */
export const streamReply = (body: ReadableStream<Uint8Array>) =>
  ({ status: 200, mediaType: 'text/event-stream', body, headers: { 'X-Accel-Buffering': 'no' } }) as const;

/** The id that a stream goes on after: that of the last event that the client has seen, else what it asks for. */
export const idToGoOn = (last: string | undefined, since: string | undefined): string | undefined =>
  last !== undefined && /^\d+$/.test(last) ? last : since;

export const sentEvents = <T>(log: StreamedLog<T>, options: StreamOptions<T>): ReadableStream<Uint8Array> => {
  let waiting = 0;
  let stop = (): void => undefined;
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      stop = sendEntries(log, options, controller, () => (waiting += 1) > maxWaiting);
    },
    // Called when the client has read everything so far.
    pull: () => {
      waiting = 0;
    },
    cancel: () => stop(),
  });
};

/** With the code of Node's own error, so that the writer of the answer ends the connection and reports nothing. */
const tooSlow = (): Error =>
  Object.assign(new Error('The client reads too slowly.'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });

/** Sends what the log gets until the returned function is called. */
const sendEntries = <T>(
  log: StreamedLog<T>,
  { name, matches, isInitial, show }: StreamOptions<T>,
  controller: ReadableStreamDefaultController<Uint8Array>,
  isTooSlow: () => boolean,
): (() => void) => {
  const utf8 = new TextEncoder();
  let isOpen = true;
  const stop = (): void => {
    isOpen = false;
    unsubscribe();
    clearInterval(keepAlive);
  };
  const push = (text: string): void => {
    if (isOpen) controller.enqueue(utf8.encode(text));
  };
  const end = (how: () => void): void => {
    if (!isOpen) return;
    stop();
    how();
  };
  // Preparing one entry may take longer than the next one, but events keep the order of the entries.
  let queue: Promise<void> = Promise.resolve();
  const send = (entry: T): void => {
    queue = queue
      .then(async () => {
        const shown = await show(entry);
        push(`id: ${shown.id}\ndata: ${JSON.stringify(shown)}\n\n`);
      })
      .catch((error: unknown) => end(() => controller.error(error)));
  };
  const onEnd = (): void => {
    clearInterval(keepAlive);
    queue = queue.then(() => end(() => controller.close()));
  };
  const onEntry = (entry: T): void => {
    if (!matches(entry)) return;
    if (isTooSlow()) end(() => controller.error(tooSlow()));
    else send(entry);
  };
  const unsubscribe = log.listen({ onEntry, onEnd });
  const keepAlive = setInterval(() => push(': still here\n\n'), keepAliveMs).unref();
  push(`: ${name}\n\n`);
  for (const entry of log.entries()) if (isInitial(entry) && matches(entry)) send(entry);
  return stop;
};
