/** Keeps the files of a form until the request is answered: small ones in memory, larger ones in a temporary folder. */
import { createReadStream } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeepFile } from '../../openapi/openapi.ts';

/** A file up to this size is kept in memory. */
const mostInMemory = 256 * 1024;

export const keepFile: KeepFile = async (chunks) => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let spilled: Spilled | undefined;
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (spilled === undefined && size > mostInMemory) {
        spilled = await spill();
        for (const piece of pieces.splice(0)) await spilled.write(piece);
      }
      if (spilled === undefined) pieces.push(Uint8Array.from(chunk));
      else await spilled.write(chunk);
    }
    await spilled?.end();
  } catch (error) {
    await spilled?.dispose();
    throw error;
  }
  if (spilled !== undefined) return { size, ...spilled.file, dispose: spilled.dispose };
  const bytes = Buffer.concat(pieces);
  return { size, bytes: () => Promise.resolve(bytes), stream: () => piecesOf(bytes), dispose: () => Promise.resolve() };
};

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

type Spilled = Awaited<ReturnType<typeof spill>>;

const spill = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-form-'));
  const path = join(folder, 'file');
  const handle = await open(path, 'wx', 0o600);
  let isOpen = true;
  const end = async (): Promise<void> => {
    if (isOpen) await handle.close();
    isOpen = false;
  };
  return {
    write: (chunk: Uint8Array): Promise<void> => handle.writeFile(chunk),
    end,
    dispose: async (): Promise<void> => {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
    file: { bytes: () => readFile(path), stream: () => createReadStream(path) as AsyncIterable<Uint8Array> },
  };
};
