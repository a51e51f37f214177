/** Writes a repository as one archive: a plain tar with the files of an export, made while it is sent. */
import { writtenText } from '../../basics/records/record-form.ts';
import type { Entity } from '../../openapi/openapi-records.ts';
import { exportFileName, exportHead, lostFileName } from './export-format.ts';
import { exportedFiles, type ExportSource } from './exported-files.ts';
import { paddingOf, tarEnd, tarHeader } from './tar-blocks.ts';
import { inLargerChunks } from '../../basics/byte-streams.ts';
import { tarFile } from './tar-stream.ts';

/**
 * The archive in chunks. Equal content gives equal bytes. Bytes that turn out to be other ones while they are sent are in it
 * under a name that no record names. Throws what the source throws; then the archive has no end.
 */
export const writeArchive = (source: ExportSource): AsyncGenerator<Uint8Array> => inLargerChunks(blocksOf(source));

async function* blocksOf(source: ExportSource): AsyncGenerator<Uint8Array> {
  const lost: Entity[] = [];
  yield* tarFile(exportFileName, writtenText(exportHead(source.counters)));
  for await (const file of exportedFiles(source, lost)) {
    if ('text' in file) yield* tarFile(file.name, file.text);
    else {
      yield tarHeader(file.name, file.size);
      yield* file.bytes;
      yield new Uint8Array(paddingOf(file.size));
    }
  }
  if (lost.length > 0) yield* tarFile(lostFileName, writtenText({ files: lost.map(({ id }) => id) }));
  yield tarEnd();
}
