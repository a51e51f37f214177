/** Writes a repository as one archive: a plain tar with the files of an export, made while it is sent. */
import { createHash } from 'node:crypto';
import { chunksOf } from '../../basics/byte-streams.ts';
import { isBytesChanged } from '../blobs/check-blobs.ts';
import {
  exportedBlobName,
  exportedRecord,
  exportFile,
  exportFileName,
  exportText,
  lostFileName,
} from './export-format.ts';
import type { ExportSource } from './export-writer.ts';
import { paddingOf, tarEnd, tarHeader } from './tar-blocks.ts';
import { inLargerChunks, tarFile } from './tar-stream.ts';
import type { BlobReference, Entity } from '../../openapi/openapi-records.ts';

/**
 * The archive in chunks. Equal content gives equal bytes. Bytes that turn out to be other ones while they are sent are in it
 * under a name that no record names. Throws what the source throws; then the archive has no end.
 */
export const writeArchive = (source: ExportSource): AsyncGenerator<Uint8Array> => inLargerChunks(blocksOf(source));

async function* blocksOf(source: ExportSource): AsyncGenerator<Uint8Array> {
  const written = new Map<string, boolean>();
  const lost: number[] = [];
  yield* tarFile(exportFileName, exportText(exportFile(source.counters)));
  for await (const entity of source.entities) {
    const blob = yield* bytesOf(entity, source, written);
    if (blob === undefined && entity.blob !== undefined) lost.push(entity.id);
    yield* tarFile(`${entity.type}/${entity.id}.json`, exportText(exportedRecord(entity, blob)));
  }
  if (lost.length > 0) yield* tarFile(lostFileName, exportText({ files: lost }));
  yield tarEnd();
}

/** Writes the bytes of a file, unless they are in the archive. Returns their place there, or undefined when they are lost. */
async function* bytesOf(
  file: Entity,
  source: ExportSource,
  written: Map<string, boolean>,
): AsyncGenerator<Uint8Array, BlobReference | undefined> {
  if (file.blob === undefined) return undefined;
  const key = exportedBlobName(file, file.blob.sha256);
  if (!written.has(key)) {
    const stream = await source.blobsOf(file)?.open(file.blob);
    if (stream === undefined) return undefined;
    const isWhole = yield* sendBytes(`blobs/${key}`, file.blob, chunksOf(stream));
    written.set(key, isWhole);
  }
  return written.get(key) === true ? { ...file.blob, key } : undefined;
}

const fillBytes = 64 * 1024;

/** Writes as many bytes as were announced. Returns whether they are those of the record. */
async function* sendBytes(
  name: string,
  { size, sha256 }: BlobReference,
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, boolean> {
  yield tarHeader(name, size);
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
  const isWhole = left === 0 && sum.digest('hex') === sha256;
  for (; left > 0; left -= Math.min(left, fillBytes)) yield new Uint8Array(Math.min(left, fillBytes));
  yield new Uint8Array(paddingOf(size));
  return isWhole;
}
