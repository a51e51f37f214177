/** Replaces the used members of `node:stream`: a stream of chunks that is read by iteration, or by the platform's own streams. */

type Chunk = Uint8Array | string;
type Done = (error?: Error | null) => void;

type ReadableOptions = {
  /** Called when the reader has taken everything so far. */
  readonly read?: () => void;
  readonly destroy?: (error: Error | null, done: Done) => void;
};

const encoder = new TextEncoder();

/** The part of Node's `Readable` that is used. */
export class Readable {
  destroyed = false;
  readonly #options: ReadableOptions;
  #source: AsyncIterator<Chunk> | Iterator<Chunk> | undefined;
  readonly #waiting: Uint8Array[] = [];
  #hasEnded = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(options: ReadableOptions = {}) {
    this.#options = options;
  }

  /** A stream of the chunks of an iterable. `destroy` ends the iterable, too. */
  static from(iterable: AsyncIterable<Chunk> | Iterable<Chunk>): Readable {
    const stream = new Readable();
    stream.#source = Symbol.asyncIterator in iterable ? iterable[Symbol.asyncIterator]() : iterable[Symbol.iterator]();
    return stream;
  }

  /** A stream of the platform, such as that of a Blob. */
  static fromWeb(source: ReadableStream<Uint8Array>): Readable {
    return Readable.from(chunksOf(source));
  }

  /** The stream as one of the platform. When its reader cancels it, it is destroyed. */
  static toWeb(stream: Readable): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const next = await stream.#next();
            if (next.done === true) controller.close();
            else controller.enqueue(next.value);
          } catch (error) {
            controller.error(error);
          }
        },
        cancel: () => void stream.destroy(),
      },
      { highWaterMark: 0 },
    );
  }

  /** Adds a chunk, or with null ends the stream. */
  push(chunk: Chunk | null): boolean {
    if (this.destroyed || this.#hasEnded) return false;
    if (chunk === null) this.#hasEnded = true;
    else this.#waiting.push(bytesOf(chunk));
    this.#wake?.();
    return true;
  }

  destroy(error?: Error): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.#error = error;
    void Promise.resolve(this.#source?.return?.()).catch(() => undefined);
    this.#options.destroy?.(error ?? null, () => undefined);
    this.#wake?.();
    return this;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: () => this.#next(),
      return: () => {
        this.destroy();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  async #next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      if (this.destroyed) return this.#ended();
      if (this.#source !== undefined) return this.#nextOfSource(this.#source);
      const chunk = this.#waiting.shift();
      if (chunk !== undefined) return { done: false, value: chunk };
      if (this.#hasEnded) return this.destroy().#ended();
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#options.read?.(); // it may push at once
      await woken;
    }
  }

  async #nextOfSource(source: AsyncIterator<Chunk> | Iterator<Chunk>): Promise<IteratorResult<Uint8Array, undefined>> {
    try {
      const next = await source.next();
      if (next.done !== true && !this.destroyed) return { done: false, value: bytesOf(next.value) };
      this.destroy();
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
    return this.#ended();
  }

  #ended(): IteratorResult<Uint8Array, undefined> {
    if (this.#error !== undefined) throw this.#error;
    return { done: true, value: undefined };
  }
}

const bytesOf = (chunk: Chunk): Uint8Array => (typeof chunk === 'string' ? encoder.encode(chunk) : chunk);

/** No generator: its `return` would wait until a pending read has ended, and a source may never give more. */
const chunksOf = (source: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> => {
  const reader = source.getReader();
  const end = async (): Promise<IteratorReturnResult<undefined>> => {
    await reader.cancel();
    return { done: true, value: undefined };
  };
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const { done, value } = await reader.read();
        return done ? end() : { done, value };
      },
      return: end,
    }),
  };
};

/** Destroys the stream when the signal aborts. */
export const addAbortSignal = (signal: AbortSignal, stream: Readable): Readable => {
  const abort = (): void => {
    const reason: unknown = signal.reason;
    stream.destroy(reason instanceof Error ? reason : new DOMException('This operation was aborted', 'AbortError'));
  };
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return stream;
};
