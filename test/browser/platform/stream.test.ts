/** Streams without Node: what their readers see is what those of Node's streams see. */
import * as node from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as own from '../../../src/browser/platform/stream.ts';

type Kind = { readonly Readable: typeof node.Readable; readonly addAbortSignal: typeof node.addAbortSignal };
// The used members have the same types.
const kinds: readonly Kind[] = [node, own as unknown as Kind];

/** What both kinds give, compared. Returns it. */
const inBoth = async <T>(use: (kind: Kind) => Promise<T>): Promise<T> => {
  const [theirs, ours] = await Promise.all(kinds.map(use));
  expect(ours).toEqual(theirs);
  return ours as T; // both have run
};

const text = (chunk: string | Uint8Array): string => Buffer.from(chunk).toString('latin1');

type Outcome = { readonly read: string; readonly error: string | undefined; readonly isDestroyed: boolean };

/** Reads to the end or to an error, at most so many chunks. */
const outcomeOf = async (stream: node.Readable, most = Infinity): Promise<Outcome> => {
  const chunks: string[] = [];
  let error: string | undefined;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      chunks.push(text(chunk));
      if (chunks.length >= most) break;
    }
  } catch (caught) {
    error = caught instanceof Error ? `${caught.name}: ${caught.message}` : String(caught);
  }
  return { read: chunks.join(''), error, isDestroyed: stream.destroyed };
};

const failing = async function* (good: number): AsyncGenerator<Uint8Array> {
  for (let made = 0; made < good; made += 1) yield Uint8Array.of(65 + made);
  throw new Error('The source is gone.');
};

describe('A stream without Node', () => {
  it('gives the bytes of an iterable, whole or in part', async () => {
    const chunks = fc.array(
      fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 9 }), fc.string({ minLength: 1, maxLength: 9 })),
    );
    await fc.assert(
      fc.asyncProperty(chunks, fc.integer({ min: 1, max: 9 }), async (pieces, most) => {
        const bytes = pieces.map((piece) => Buffer.from(piece));
        await inBoth(async ({ Readable }) => (await outcomeOf(Readable.from(bytes, { objectMode: false }), most)).read);
      }),
    );
  });

  it('of an iterable that fails gives what came before, and its error', async () => {
    const outcome = await inBoth(({ Readable }) => outcomeOf(Readable.from(failing(3))));
    expect(outcome).toEqual({ read: 'ABC', error: 'Error: The source is gone.', isDestroyed: true });
  });

  it('ends its iterable when its reader leaves', async () => {
    const ended = await inBoth(async ({ Readable }) => {
      let isEnded = false;
      const source = async function* (): AsyncGenerator<Uint8Array> {
        try {
          for (;;) yield Uint8Array.of(1);
        } finally {
          isEnded = true;
        }
      };
      await outcomeOf(Readable.from(source()), 2);
      await settled();
      return isEnded;
    });
    expect(ended).toBe(true);
  });

  it('that is pushed to gives the chunks, and asks for more when they are taken', async () => {
    const outcome = await inBoth(async ({ Readable }) => {
      let asked = 0;
      const stream: node.Readable = new Readable({
        read() {
          asked += 1;
          stream.push(asked <= 4 ? Buffer.from(`${asked}`) : null);
        },
      });
      return (await outcomeOf(stream)).read;
    });
    expect(outcome).toBe('1234');
  });

  it('that was destroyed gives its error, and calls its own end once', async () => {
    for (const error of [new Error('Enough.'), undefined]) {
      await inBoth(async ({ Readable }) => {
        const ends: string[] = [];
        const stream = new Readable({
          read: () => undefined,
          destroy: (reason, done) => {
            ends.push(String(reason?.message));
            done(reason);
          },
        });
        ignoreErrorEvents(stream);
        stream.push(Buffer.from('a'));
        stream.destroy(error);
        stream.destroy(new Error('Again.'));
        await settled();
        return { ends, isDestroyed: stream.destroyed };
      });
    }
  });

  it('wakes a reader that waits when it is destroyed', async () => {
    const { error } = await inBoth(async ({ Readable }) => {
      const stream = new Readable({ read: () => undefined });
      const outcome = outcomeOf(stream);
      await settled();
      stream.destroy(new Error('Enough.'));
      return outcome;
    });
    expect(error).toBe('Error: Enough.');
  });

  it('is aborted by a signal, before and meanwhile', async () => {
    for (const isBefore of [true, false]) {
      const { error } = await inBoth(async ({ Readable, addAbortSignal }) => {
        const controller = new AbortController();
        const stream = new Readable({ read: () => undefined });
        ignoreErrorEvents(stream);
        if (isBefore) controller.abort();
        addAbortSignal(controller.signal, stream);
        const outcome = outcomeOf(stream);
        await settled();
        controller.abort();
        return { ...(await outcome), error: (await outcome).error?.split(':')[0] };
      });
      expect(error).toBe('AbortError');
    }
  });
});

describe('A stream of the platform', () => {
  it('gives the same bytes when it was one without Node, and back', async () => {
    const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(chunks, async (pieces) => {
        const all = await inBoth(async ({ Readable }) => {
          const web = Readable.toWeb(Readable.from(pieces.map((piece) => Buffer.from(piece))));
          return (await outcomeOf(Readable.fromWeb(web))).read;
        });
        expect(all).toBe(pieces.map(text).join(''));
      }),
    );
  });

  it('that is cancelled destroys the stream that it is of', async () => {
    const isDestroyed = await inBoth(async ({ Readable }) => {
      const stream = Readable.from(failing(20));
      ignoreErrorEvents(stream);
      const reader = (Readable.toWeb(stream) as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      await reader.cancel().catch(() => undefined);
      await settled();
      return stream.destroyed;
    });
    expect(isDestroyed).toBe(true);
  });

  it('errs as the stream does that it is of', async () => {
    const read = await inBoth(async ({ Readable }) => {
      const web = Readable.toWeb(Readable.from(failing(2))) as ReadableStream<Uint8Array>;
      return new Response(web).text().then(
        () => 'read',
        (error: unknown) => (error instanceof Error ? error.message : 'no error'),
      );
    });
    expect(read).toBe('The source is gone.');
  });

  it('is cancelled when the stream that reads it is destroyed', async () => {
    const isCancelled = await inBoth(async ({ Readable }) => {
      let wasCancelled = false;
      const source = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(Uint8Array.of(1)),
        cancel: () => {
          wasCancelled = true;
        },
      });
      await outcomeOf(Readable.fromWeb(source as never), 2);
      await settled();
      return wasCancelled;
    });
    expect(isCancelled).toBe(true);
  });

  it('that gives nothing more is cancelled, too, and its reader wakes', async () => {
    const { error, wasCancelled } = await inBoth(async ({ Readable }) => {
      let wasCancelled = false;
      const source = new ReadableStream<Uint8Array>({
        pull: () => new Promise<void>(() => undefined), // for ever
        cancel: () => {
          wasCancelled = true;
        },
      });
      const stream = Readable.fromWeb(source as never);
      ignoreErrorEvents(stream);
      const outcome = outcomeOf(stream);
      await settled();
      stream.destroy(new Error('Enough.'));
      return { error: (await outcome).error, wasCancelled };
    });
    expect(error).toBe('Error: Enough.');
    expect(wasCancelled).toBe(true);
  });

  it('of a Blob gives its bytes', async () => {
    const blob = new Blob(['one ', Uint8Array.of(0, 255, 10), 'ü']);
    const { read } = await inBoth(({ Readable }) => outcomeOf(Readable.fromWeb(blob.stream() as never)));
    expect(read).toBe(text(new Uint8Array(await blob.arrayBuffer())));
  });
});

/** Node tells an error as an event, too. Streams without Node have no events. */
const ignoreErrorEvents = (stream: Partial<node.Readable>): void => void stream.on?.('error', () => undefined);

/** Lets everything happen that has begun. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
