/** Receives a body into a blob directory: a small one in memory until it is complete, a large one in a temporary file. Keeps it. */
import { randomUUID } from 'node:crypto';
import { type BigIntStats, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { createLruMap } from '../../basics/lru-map.ts';
import { writeProblem } from '../write-problem.ts';
import type { Arrivals } from './arrivals.ts';
import type { Files, OpenFile } from '../../basics/disk/files.ts';
import { receiveBody, type ReceivedBody, createSmallBody } from './receive-body.ts';
import type { ReceiveOptions, ReceivedBlob } from '../../openapi/openapi-records.ts';

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

/** Throws 507 when `bytes` more would leave less than the floor. */
export type RequireSpace = (bytes: number) => Promise<void>;

/** A directory for blobs, and what its owner does for it. */
export type BlobPlace = {
  readonly directory: string;
  /** Called after a failed write. Rejects with the reason when the whole data directory is lost. */
  readonly requireHeld?: (() => Promise<void>) | undefined;
  /** Removes what nothing needs any more. Called when space is missing. */
  readonly makeRoom?: (() => Promise<void>) | undefined;
  /**
   * Other processes use the directory at the same time: temporary files may be theirs, and names are drawn, because one of them could
   * just be sweeping what another one finds.
   */
  readonly isShared?: boolean | undefined;
};

/** A directory for blobs and its options. */
export type BlobDirectory = BlobPlace & {
  readonly files: Files;
  readonly temporary: string;
  readonly arrivals: Arrivals;
  /** Makes all names that are in the directory at the call durable. */
  readonly syncNames: () => Promise<void>;
  readonly requireSpace: RequireSpace;
  /** The memory of all bodies that wait for their names. */
  readonly held: { bytes: number };
  /**
   * The files that this process has written whole, synced and named. Their bytes need not be written again: clients upload the same
   * file for many records.
   */
  readonly durable: ReturnType<typeof createFileMemory<true>>;
};

/** 32 hex digits that no other process draws. */
export const drawName = (): string => randomUUID().replaceAll('-', '');

/** Turns the system's errors into 507 and 503. */
const orProblem = <T>({ requireHeld, makeRoom }: BlobDirectory, work: Promise<T>): Promise<T> =>
  work.catch(async (error: unknown) => {
    await requireHeld?.();
    const problem = writeProblem(error);
    // For the next body.
    if (problem.status === 507) await makeRoom?.();
    throw problem;
  });

/** See `BlobStorage.receive`. */
export const receiveBlob = async (
  storage: BlobDirectory,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ReceivedBlob> => {
  await orProblem(storage, storage.requireSpace(options.expectedBytes ?? 0));
  const { held } = storage;
  const small = createSmallBody();
  const file = createTemporaryFile(storage);
  const writeOut = async (chunk?: Uint8Array): Promise<void> => {
    for (const earlier of small.release()) await file.append(earlier);
    if (chunk !== undefined) await file.append(chunk);
  };
  try {
    const received = await receiveBody(source, options, async (chunk) => {
      if (file.isBegun() || !small.add(chunk)) await orProblem(storage, writeOut(chunk));
    });
    if (file.isBegun() || held.bytes + small.heldBytes() > mostHeldBytes) {
      await orProblem(storage, writeOut().then(file.finish));
      return keepable(storage, received, file);
    }
    held.bytes += small.heldBytes();
    const letGo = (): void => {
      held.bytes -= small.heldBytes();
      small.release();
    };
    const place = (path: string): Promise<void> => placeSmall(storage, small.chunks(), file, path).finally(letGo);
    const giveUp = (): Promise<void> => {
      letGo();
      return file.giveUp();
    };
    return keepable(storage, received, { place, giveUp });
  } catch (error) {
    await file.giveUp();
    throw error;
  }
};

/** How many bytes arrive between two checks of the free space. */
const checkEveryBytes = 16 * 1024 * 1024;

/** When a slow disk makes more small bodies wait than this, the next ones are written before they get a name, like large ones. */
const mostHeldBytes = 16 * 1024 * 1024;

/**
 * A small body is written under its name where nothing has that yet, so that its sync and the one of its name run together. After a
 * crash no record names what is there, and the next upload of the same bytes renames its own over them.
 */
const placeSmall = async (
  { files, syncNames }: BlobDirectory,
  chunks: readonly Uint8Array[],
  temporary: TemporaryFile,
  path: string,
): Promise<void> => {
  const file = await files.createNew(path).catch((error: unknown) => {
    if (!isThere(path)) throw error;
  });
  if (file === undefined) {
    await temporary.writeAll(chunks);
    return temporary.place(path);
  }
  try {
    await file.writeAll(chunks, 0);
    await Promise.all([file.sync(), syncNames()]);
  } finally {
    await file.close();
  }
};

const isThere = (path: string): boolean => statsOf(path) !== undefined;

type TemporaryFile = ReturnType<typeof createTemporaryFile>;

/** A file in the temporary directory, which is created for the first bytes. */
const createTemporaryFile = ({ files, requireSpace, temporary, syncNames }: BlobDirectory) => {
  const path = join(temporary, drawName());
  let opened: Promise<{ readonly file: OpenFile; readonly writer: WriteBehind }> | undefined;
  let isCreated = false;

  const create = (): Promise<OpenFile> => {
    isCreated = true;
    return files.create(path);
  };
  const open = async () => {
    const file = await create();
    const writer = createWriteBehind(file, async (position) => {
      if (position % checkEveryBytes === 0) await requireSpace(0);
    });
    return { file, writer };
  };
  return {
    isBegun: () => opened !== undefined,
    append: async (chunk: Uint8Array): Promise<void> => (await (opened ??= open())).writer.append(chunk),
    /** Resolves when all bytes are durable. */
    finish: async (): Promise<void> => {
      const { file, writer } = await (opened ??= open());
      await writer.flush();
      await file.sync();
      await file.close();
    },
    /** The same for a body that is there already. */
    writeAll: async (chunks: readonly Uint8Array[]): Promise<void> => {
      const file = await create();
      try {
        await file.writeAll(chunks, 0);
        await file.sync();
      } finally {
        await file.close();
      }
    },
    /** Gives it its name, durably. */
    place: async (name: string): Promise<void> => {
      await files.rename(path, name);
      await syncNames();
    },
    /** Removes it before it has its name. */
    giveUp: async (): Promise<void> => {
      if (!isCreated) return;
      const { file } = (await opened?.catch(() => undefined)) ?? {};
      await file?.close().catch(() => undefined);
      // The next start removes what cannot be removed now.
      await files.remove(path).catch(() => undefined);
    },
  };
};

/** A body that `place` makes durable at a path. `giveUp` removes it before it has its name. */
type WrittenBody = {
  readonly place: (path: string) => Promise<void>;
  readonly giveUp: () => Promise<void>;
};

const keepable = (storage: BlobDirectory, received: ReceivedBody, body: WrittenBody): ReceivedBlob => {
  const { directory, arrivals, durable, isShared } = storage;
  const { size, sha256 } = received;
  // Where other processes sweep too, a name that is nobody else's.
  const key = isShared === true ? drawName() : sha256;
  const path = join(directory, key);
  let isKept = false;
  const place = async (): Promise<void> => {
    await arrivals.begin(key, () => isThere(path));
    if (durable.find(path, () => statsOf(path))) return body.giveUp();
    await body.place(path);
    const placed = isShared === true ? undefined : statsOf(path);
    if (placed !== undefined) durable.note(path, placed, true);
  };
  return {
    ...received,
    keep: async () => {
      try {
        await orProblem(storage, place());
      } catch (error) {
        await body.giveUp();
        await arrivals.giveUp(key).catch(() => undefined);
        throw error;
      }
      isKept = true;
      return { key, size, sha256 };
    },
    settle: () => arrivals.settle(key),
    discard: () => (isKept ? arrivals.giveUp(key) : body.giveUp()),
  };
};

/** Gives a few bytes a name and takes them away again: both folders must take what an upload writes. */
export const probeBlobs = (storage: BlobDirectory): Promise<void> => {
  const { directory, files, temporary } = storage;
  // No blob has this name, so nobody opens, lists or sweeps it.
  const [from, to] = [join(temporary, drawName()), join(directory, 'probe')];
  const attempt = async (): Promise<void> => {
    const file = await files.create(from);
    try {
      await file.write(Buffer.from('probe'), 0);
    } finally {
      await file.close();
    }
    await files.rename(from, to);
    await files.remove(to);
  };
  return orProblem(
    storage,
    attempt().catch(async (error: unknown) => {
      // The next start removes it from the temporary folder.
      await files.remove(from).catch(() => undefined);
      throw error;
    }),
  );
};

/** How many files are remembered. With more, what was used longest ago is forgotten and found out again. */
const remembered = 10_000;

/** Keeps a finding about each of many files until the file changes, by its inode and time of change. */
export const createFileMemory = <T>() => {
  const known = createLruMap<string, Pick<BigIntStats, 'ino' | 'ctimeNs'> & { readonly value: T }>(remembered);
  return {
    note: (name: string, { ino, ctimeNs }: BigIntStats, value: T): void => {
      known.set(name, { ino, ctimeNs, value });
    },
    /** Undefined when nothing is known of the file as it is now. `look` is called for a known name alone. */
    find: (name: string, look: () => BigIntStats | undefined): T | undefined => {
      const then = known.get(name);
      const now = then && look();
      return then !== undefined && then.ino === now?.ino && then.ctimeNs === now.ctimeNs ? then.value : undefined;
    },
  };
};

/** Undefined for a missing file. Waits for nothing: in the background it takes four times as long. */
const statsOf = (path: string): BigIntStats | undefined => lstatSync(path, { bigint: true, throwIfNoEntry: false });
