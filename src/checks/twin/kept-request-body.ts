/** Keeps the body of a request until both servers have it: a short one in memory, a long one in a temporary file. */
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { keepBytes, type KeptBytes } from '../../exchange/exchange-target.ts';

export type KeptRequestBody = KeptBytes & {
  /** The bytes from the beginning, and how many they are. Undefined when there are none. */
  source(): { readonly content: Uint8Array | Readable; readonly bytes: number } | undefined;
  /** Keeps these bytes in place of those so far. */
  replace(bytes: Uint8Array): void;
  remove(): void;
};

/** A body of more than `most` bytes goes to a file. It is written while it passes, as fast as the disk takes it. */
export const createKeptRequestBody = (most: number): KeptRequestBody => {
  let kept = keepBytes(most, true);
  let bytes = 0;
  let file: { readonly folder: string; readonly path: string; readonly descriptor: number } | undefined;
  const open = () => {
    const folder = mkdtempSync(join(tmpdir(), 'atoll-twin-'));
    const path = join(folder, 'body');
    return { folder, path, descriptor: openSync(path, 'wx', 0o600) };
  };
  const remove = (): void => {
    if (file === undefined) return;
    closeSync(file.descriptor);
    rmSync(file.folder, { recursive: true, force: true });
    file = undefined;
  };
  const add = (piece: Uint8Array): void => {
    if (file === undefined && bytes + piece.length > most) {
      file = open();
      writeSync(file.descriptor, kept.body(true).kept);
    }
    if (file !== undefined) writeSync(file.descriptor, piece);
    bytes += piece.length;
    kept.add(piece);
  };
  return {
    add,
    bytes: () => bytes,
    body: (isEnded) => kept.body(isEnded),
    replace: (others) => {
      remove();
      kept = keepBytes(most, true);
      bytes = 0;
      add(others);
    },
    remove,
    source: () => {
      if (bytes === 0) return undefined;
      return { content: file === undefined ? kept.body(true).kept : createReadStream(file.path), bytes };
    },
  };
};
