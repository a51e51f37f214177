/** Compares stored bytes with the records that name them. What to do about a difference is not decided here. */
import { createHash } from 'node:crypto';
import type { Entity } from '../../model/entity.ts';
import type { BlobStorage } from '../../model/blob-storage.ts';

/** `absent`: no bytes, or of another length; `changed`: of the right length, but not the ones that were stored. */
export type BlobState = 'whole' | 'absent' | 'changed';

/** Reads a file's bytes to the end. The record has a blob. */
export const blobState = async (
  blob: NonNullable<Entity['blob']>,
  storage: Pick<BlobStorage, 'open'> | undefined,
): Promise<BlobState> => {
  const stream = await storage?.open(blob);
  if (stream === undefined) return 'absent';
  const sum = createHash('sha256');
  for await (const chunk of stream) sum.update(chunk as Buffer); // a stream without an encoding gives buffers
  return sum.digest('hex') === blob.sha256 ? 'whole' : 'changed';
};
