/** Defines the parts of a form: texts, and files whose bytes somebody keeps. */

/** A file that has arrived. */
export type SentFile = {
  readonly name: string;
  /** As the client named it. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  readonly bytes: () => Promise<Uint8Array>;
  readonly stream: () => AsyncIterable<Uint8Array>;
};

export type Part = { readonly name: string } & (
  | { readonly kind: 'text'; readonly text: string; readonly type: string | undefined }
  | { readonly kind: 'file'; readonly file: SentFile }
);

/** The bytes of a file, until it is disposed of. */
export type KeptFile = Pick<SentFile, 'size' | 'bytes' | 'stream'> & { readonly dispose: () => Promise<void> };

/** Takes the bytes of a file as they come. */
export type KeepFile = (chunks: AsyncIterable<Uint8Array>) => Promise<KeptFile>;

/** Counts the bytes, for an answer that needs none of them. */
export const countFile: KeepFile = async (chunks) => {
  let size = 0;
  for await (const chunk of chunks) size += chunk.length;
  return { size, bytes: gone, stream: gone, dispose: () => Promise.resolve() };
};

const gone = (): never => {
  throw new Error('The bytes of the file were not kept.');
};
