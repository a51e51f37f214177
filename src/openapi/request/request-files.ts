/** Keeps the files of a request until it is answered. */
import { streamEndingWith } from '../../basics/byte-streams.ts';
import type { BodyLimits } from './body.ts';
import type { EngineReply } from '../exchange.ts';
import type { KeepFile, KeptFile } from './form-file.ts';
import { Refusal } from '../refusal.ts';

export type RequestFiles = {
  /** Keeps a file with the others. */
  readonly keep: KeepFile;
  /** Disposes of the files that were kept, and of those that are still arriving. */
  readonly dispose: () => Promise<void>;
  /** The reply, after whose last byte the files are disposed of: it may read them while it is sent. */
  readonly disposedAfter: (reply: EngineReply) => Promise<EngineReply>;
};

export const createRequestFiles = (keepFile: KeepFile): RequestFiles => {
  const keeping: Promise<KeptFile>[] = [];
  const dispose = async (): Promise<void> => {
    const settled = await Promise.allSettled(keeping.splice(0));
    const files = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    await Promise.allSettled(files.map((file) => file.dispose()));
  };
  return {
    keep: (chunks) => {
      const file = keepFile(chunks);
      keeping.push(file);
      return file;
    },
    dispose,
    disposedAfter: async (reply) => {
      if (keeping.length === 0) return reply;
      if (typeof reply.body === 'object')
        return { ...reply, body: { ...reply.body, stream: streamEndingWith(reply.body.stream, dispose) } };
      await dispose();
      return reply;
    },
  };
};

/** The bytes of a body that nobody wants. */
export const discard = async (chunks: AsyncIterable<Uint8Array>, { maxFileBytes }: BodyLimits): Promise<void> => {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxFileBytes) throw new Refusal('length', `The body is larger than ${maxFileBytes} bytes.`);
  }
};
