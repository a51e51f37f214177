/** Makes the files of an export, one after another, for a directory or an archive: records, and the bytes that they name. */
import { createHash } from 'node:crypto';
import { chunksOf } from '../../basics/byte-streams.ts';
import { writtenRecord, writtenText } from '../../basics/records/record-form.ts';
import type { BlobStorage, BlobReference, Entity, Counters } from '../../openapi/openapi-records.ts';
import { isBytesChanged } from '../blobs/check-blobs.ts';
import { exportedBlobName, recordFileName } from './export-format.ts';

/** What is exported, by type and ascending id. `blobsOf` returns the storage of a file's bytes. */
export type ExportSource = {
  readonly entities: Iterable<Entity> | AsyncIterable<Entity>;
  readonly counters: Counters;
  readonly blobsOf: (file: Entity) => Pick<BlobStorage, 'open'> | undefined;
};

/** Bytes to be read to their end before the next file is asked for. There are always `size` of them. */
type ExportedBytes = {
  readonly name: string;
  readonly size: number;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Whether they were those of the record. If not, no record names them. */
  readonly areWhole: () => boolean;
};

type ExportedFile = ExportedBytes | { readonly name: string; readonly text: string };

/**
 * All files but `export.json`, each record after its bytes, equal bytes once. `lost` gets the files whose bytes are missing or
 * changed: their records have none. Throws what the source throws.
 */
export async function* exportedFiles(source: ExportSource, lost: Entity[]): AsyncGenerator<ExportedFile> {
  const written = new Map<string, boolean>();
  for await (const entity of source.entities) {
    const blob = yield* bytesOf(entity, source, written);
    if (blob === undefined && entity.blob !== undefined) lost.push(entity);
    yield { name: recordFileName(entity), text: writtenText(writtenRecord(entity, blob)) };
  }
}

/** Gives the bytes of a file, unless they were given before. Returns their place in the export, or undefined when they are lost. */
async function* bytesOf(
  file: Entity,
  source: ExportSource,
  written: Map<string, boolean>,
): AsyncGenerator<ExportedFile, BlobReference | undefined> {
  if (file.blob === undefined) return undefined;
  const key = exportedBlobName(file, file.blob);
  // Equal bytes may lie in two storages, and one of them may be damaged.
  if (written.get(key) !== true) {
    const stream = await source.blobsOf(file)?.open(file.blob);
    if (stream === undefined) return undefined;
    const exported = measured(`blobs/${key}`, file.blob, chunksOf(stream));
    yield exported;
    written.set(key, exported.areWhole());
  }
  return written.get(key) === true ? { ...file.blob, key } : undefined;
}

const fillBytes = 64 * 1024;

/** Cuts bytes to the size of the record, or fills them up: an archive has announced it. */
const measured = (name: string, { size, sha256 }: BlobReference, stream: AsyncIterable<Uint8Array>): ExportedBytes => {
  let areWhole = false;
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    const sum = createHash('sha256');
    let left = size;
    try {
      for await (const chunk of stream) {
        sum.update(chunk);
        const part = chunk.subarray(0, left);
        left -= part.byteLength;
        yield part;
      }
    } catch (error) {
      // The stream ends without its last chunk then.
      if (!isBytesChanged(error)) throw error;
    }
    areWhole = left === 0 && sum.digest('hex') === sha256;
    for (; left > 0; left -= Math.min(left, fillBytes)) yield new Uint8Array(Math.min(left, fillBytes));
  };
  return { name, size, bytes: { [Symbol.asyncIterator]: bytes }, areWhole: () => areWhole };
};
