/** Receives a body into a blob directory: a small one in memory until it is complete, a large one in a temporary file. */
import { join } from 'node:path';
import type { ReceiveOptions, ReceivedBlob } from '../../core/model/blob-storage.ts';
import { settleBoth } from '../settle-both.ts';
import { writeProblem } from '../write-problem.ts';
import { type BlobFolders, drawName } from './blob-folders.ts';
import type { Files, OpenFile } from '../../basics/disk/files.ts';
import type { RequireSpace } from './free-space.ts';
import { receiveBody, type ReceivedBody, createSmallBody, type SmallBody } from './receive-body.ts';

/** An upload has two buffers of this size. 1 MiB was not faster (`npm run bench:suite -- upload`). */
const pieceBytes = 256 * 1024;

/** Writes to a file in large pieces while the next bytes arrive. */
type WriteBehind = ReturnType<typeof createWriteBehind>;

/** Calls `beforePiece` with the position of each piece before writing it. A rejection refuses the piece. */
export const createWriteBehind = (
  file: OpenFile,
  beforePiece: (position: number) => Promise<void> = () => Promise.resolve(),
) => {
  let filling: Buffer = Buffer.allocUnsafeSlow(pieceBytes);
  let spare: Buffer | undefined;
  let filled = 0;
  let position = 0;
  let writing: Promise<void> = Promise.resolve();

  const write = async (piece: Buffer, length: number, at: number): Promise<void> => {
    await beforePiece(at);
    await file.write(piece.subarray(0, length), at);
    spare = piece;
  };
  const startWrite = async (): Promise<void> => {
    await writing;
    const piece = filling;
    writing = write(piece, filled, position);
    // The next `append` or `flush` rejects with the error. When the source fails first, neither is called.
    writing.catch(() => undefined);
    position += filled;
    filled = 0;
    filling = spare ?? Buffer.allocUnsafeSlow(pieceBytes);
    spare = undefined;
  };
  return {
    /** Resolves when more bytes can be appended. Rejects with the error of an earlier write. */
    append: async (bytes: Uint8Array): Promise<void> => {
      for (let taken = 0; taken < bytes.byteLength;) {
        const part = bytes.subarray(taken, taken + pieceBytes - filled);
        filling.set(part, filled);
        filled += part.byteLength;
        taken += part.byteLength;
        if (filled === pieceBytes) await startWrite();
      }
    },
    /** Resolves when the operating system has all bytes. */
    flush: async (): Promise<void> => {
      if (filled > 0) await startWrite();
      await writing;
    },
  };
};

/** A directory for blobs and its options. */
export type BlobDirectory = {
  readonly directory: string;
  readonly files: Files;
  /** Returns a new uuid. */
  readonly newName: () => string;
  /** See `DiskBlobStorageOptions`. */
  readonly requireHeld?: (() => Promise<void>) | undefined;
  readonly temporary: string;
  readonly folders: BlobFolders;
  readonly requireSpace: RequireSpace;
  /** The memory of all bodies that wait for their names. */
  readonly held: { bytes: number };
};

/** Turns the system's errors into 507 and 503. */
const orProblem = <T>({ requireHeld }: BlobDirectory, work: Promise<T>): Promise<T> =>
  work.catch(async (error: unknown) => {
    await requireHeld?.();
    throw writeProblem(error);
  });

/** See `BlobStorage.receive`. */
export const receiveBlob = async (
  storage: BlobDirectory,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ReceivedBlob> => {
  await orProblem(storage, storage.requireSpace(options.expectedBytes ?? 0));
  const small = createSmallBody();
  const file = createTemporaryFile(storage);
  const append = async (chunk: Uint8Array): Promise<void> => {
    for (const earlier of small.release()) await file.append(earlier);
    await file.append(chunk);
  };
  try {
    const received = await receiveBody(source, options, async (chunk) => {
      if (file.isBegun() || !small.add(chunk)) await orProblem(storage, append(chunk));
    });
    const isSmall = !file.isBegun() && storage.held.bytes + small.heldBytes() <= mostHeldBytes;
    if (isSmall) return receivedInMemory(storage, received, small);
    for (const chunk of small.release()) await orProblem(storage, file.append(chunk));
    await orProblem(storage, file.finish());
    return receivedInFile(storage, received, file.path);
  } catch (error) {
    await file.giveUp();
    throw error;
  }
};

/** How many bytes arrive between two checks of the free space. */
const checkEveryBytes = 16 * 1024 * 1024;

/** When a slow disk makes more small bodies wait than this, the next ones are written before they get a name, like large ones. */
const mostHeldBytes = 16 * 1024 * 1024;

/** A file in the temporary directory, which is created for the first bytes. */
const createTemporaryFile = ({ files, newName, requireSpace, temporary }: BlobDirectory) => {
  const path = join(temporary, drawName(newName));
  let opened: Promise<{ readonly file: OpenFile; readonly writer: WriteBehind }> | undefined;

  const open = async () => {
    const file = await files.create(path);
    const writer = createWriteBehind(file, async (position) => {
      if (position % checkEveryBytes === 0) await requireSpace(0);
    });
    return { file, writer };
  };
  return {
    path,
    isBegun: () => opened !== undefined,
    append: async (chunk: Uint8Array): Promise<void> => (await (opened ??= open())).writer.append(chunk),
    /** Resolves when all bytes are durable. */
    finish: async (): Promise<void> => {
      const { file, writer } = await (opened ??= open());
      await writer.flush();
      await file.sync();
      await file.close();
    },
    giveUp: async (): Promise<void> => {
      if (opened === undefined) return;
      const { file } = (await opened.catch(() => undefined)) ?? {};
      await file?.close().catch(() => undefined);
      await files.remove(path).catch(() => undefined);
    },
  };
};

/** A small body is written where it stays, once it is complete and wanted: without a temporary file and its renaming. */
const receivedInMemory = (storage: BlobDirectory, received: ReceivedBody, body: SmallBody): ReceivedBlob => {
  const { directory, files, folders, held } = storage;
  const { size, sha256 } = received;
  let key: string | undefined;
  let heldBytes = body.heldBytes();
  held.bytes += heldBytes;
  const letGo = (): void => {
    held.bytes -= heldBytes;
    heldBytes = 0;
  };
  return {
    ...received,
    keep: async () => {
      const stored = folders.store(async (file, _path, syncName) => {
        await file.writeAll(body.chunks(), 0);
        await settleBoth(file.sync(), syncName());
        await file.close();
      });
      key = await orProblem(storage, stored.finally(letGo));
      return { key, size, sha256 };
    },
    discard: async () => {
      letGo();
      if (key !== undefined) await files.remove(join(directory, key));
    },
  };
};

/** The synced file gets its name by renaming: it replaces an empty file that reserves the name. */
const receivedInFile = (storage: BlobDirectory, received: ReceivedBody, path: string): ReceivedBlob => {
  const { directory, files, folders } = storage;
  const { size, sha256 } = received;
  let current = path;
  return {
    ...received,
    keep: async () => {
      const stored = folders.store(async (reserved, name, syncName) => {
        await reserved.close();
        await files.rename(path, name);
        await syncName();
      });
      const key = await orProblem(storage, stored).catch(async (error: unknown) => {
        await files.remove(path).catch(() => undefined);
        throw error;
      });
      current = join(directory, key);
      return { key, size, sha256 };
    },
    discard: () => files.remove(current),
  };
};
