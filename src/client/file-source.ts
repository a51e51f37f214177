/** Makes a file on disk the body of an upload. This is an entry of its own, so that browser bundles have no `node:` import. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { StreamSource } from './upload-body.ts';

/** Reads the size now, and the bytes when they are sent. `type` is the media type. Rejects when there is no such file. */
export const fileSource = async (path: string, type?: string): Promise<StreamSource> => ({
  // `node:stream` and the global scope have two types for the same stream.
  stream: () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>,
  size: (await stat(path)).size,
  name: basename(path),
  ...(type === undefined ? {} : { type }),
});
