/** Sends a whole repository as an archive, and takes one. */
import { Readable } from 'node:stream';
import { writeArchive } from '../../storage/export/archive-writer.ts';
import { readArchive } from '../worlds/archive/read-archive.ts';
import type { OpenSpool } from '../worlds/archive/spool.ts';
import type { HeldContent } from '../worlds/archive/world-content.ts';
import type { Worlds } from '../worlds/worlds.ts';
import { jsonReply, type ControlHandlers } from './control-handlers.ts';

/** `openSpool` opens a place for the bytes of an archive until they are in the world. */
export const archiveHandlers = (
  worlds: Worlds,
  openSpool: OpenSpool,
): Pick<ControlHandlers, 'exportRepository' | 'importRepository'> => ({
  exportRepository: async (_request, world) => async () => {
    const stream = archiveStream(await worlds.hold(world.name));
    const headers = { 'Content-Disposition': `attachment; filename="${world.name}.tar"` };
    return { status: 200, mediaType: 'application/x-tar', body: { stream, length: undefined }, headers };
  },
  importRepository:
    async (_request, world) =>
    async ({ bytes }) => {
      const spool = await openSpool();
      try {
        const content = await readArchive(bytes.stream, { site: world.site, spool: spool.blobs });
        await worlds.replaceContent(world.name, content);
        return jsonReply({ records: content.entities.length, blobs: content.blobCount });
      } finally {
        await spool.close();
      }
    },
});

/** Releases the content when the stream ends, also one that was never read. A generator that has not begun would not. */
const archiveStream = (held: HeldContent): Readable => {
  const chunks = writeArchive(held.content);
  const source: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => chunks.next(),
      return: async () => {
        await chunks.return(undefined);
        await held.release();
        return { done: true, value: undefined };
      },
    }),
  };
  return Readable.from(source, { objectMode: false });
};
