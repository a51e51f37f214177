/** Makes derivatives in processes of their own, so that a file takes time and memory, and fails, outside the server. */
import { availableParallelism } from 'node:os';
import { createSemaphore } from '../../basics/semaphore.ts';
import type { Derivative, DerivativeOrder, DerivativeService } from '../../repository/repository-content.ts';
import { type Decoder, GivenUp, type Send, startDecoder } from './decoder-process.ts';
import { decoderText } from './decoder-text.ts';
import { createSourceSender } from './source-sender.ts';

/** A process without work ends after so long, and gives its memory back. */
const idleMs = 5000;

type RunFile = (order: DerivativeOrder, work: (send: Send) => Promise<void>) => Promise<Derivative>;

/** No process runs before the first file, and none keeps the server's alive. */
export const createDecoderPool = (): DerivativeService => {
  const inTurn = createSemaphore(Math.max(1, Math.min(4, availableParallelism() - 1)));
  const decoders = createDecoders();
  const run: RunFile = async (order, work) => {
    const decoder = await decoders.take();
    try {
      const derivative = await decoder.run(order, work);
      decoders.leave(decoder);
      return derivative;
    } catch (error) {
      // Whatever it has allocated goes with it.
      decoders.remove(decoder);
      throw decoders.isEnded() ? stopping() : error;
    }
  };
  return {
    make: (order, source) =>
      inTurn(async () => {
        const sender = createSourceSender(order, source);
        try {
          return await run(order, sender.sendWhole);
        } catch (error) {
          if (!(error instanceof GivenUp)) throw error;
          return run(order, sender.sendHead(error.message));
        }
      }),
    end: decoders.end,
  };
};

const stopping = (): Error => new Error('The server is stopping.');

/** The processes, with and without work. */
const createDecoders = () => {
  const all = new Set<Decoder>();
  const idle = new Map<Decoder, NodeJS.Timeout>();
  let hasEnded = false;
  const remove = (decoder: Decoder): void => {
    clearTimeout(idle.get(decoder));
    idle.delete(decoder);
    all.delete(decoder);
    decoder.end();
  };
  return {
    take: async (): Promise<Decoder> => {
      const text = await decoderText();
      if (hasEnded) throw stopping();
      const decoder = idle.keys().next().value ?? startDecoder(text);
      clearTimeout(idle.get(decoder));
      idle.delete(decoder);
      all.add(decoder);
      return decoder;
    },
    leave: (decoder: Decoder): void => {
      idle.set(decoder, setTimeout(remove, idleMs, decoder).unref());
    },
    remove,
    isEnded: () => hasEnded,
    end: (): void => {
      hasEnded = true;
      all.forEach(remove);
    },
  };
};
