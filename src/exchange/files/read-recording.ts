/** Reads a recording. Damaged files are refused with file, line and what is wrong. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConfigurationError, flawError } from '../../basics/configuration-error.ts';
import { requireFormat } from '../../basics/disk/require-format.ts';
import { readJson } from '../../basics/yaml/read-yaml.ts';
import { openRegularFile, unreadableReason } from '../../basics/disk/regular-file.ts';
import { wholeBody } from '../redaction/decoded-body.ts';
import type { WireBody, WireExchange } from '../wire-exchange.ts';
import {
  exchangeFile,
  exchangeOf,
  hashOf,
  type StoredBody,
  exchangesFolder,
  numberIn,
  recordingFile,
  recordingFileName,
  recordingFormat,
  type RecordingFile,
} from './exchange-file.ts';

/** An exchange with its place. A body that is longer than the part in memory is whole in its file. */
export type ReadExchange = WireExchange & {
  readonly number: number;
  /** The file of the exchange, below the recording. */
  readonly file: string;
  /** The files of whole bodies, as paths. */
  readonly bodyFiles: { readonly request: string | undefined; readonly reply: string | undefined };
};

export type Recording = {
  readonly directory: string;
  /** The base URL of the server that answered. */
  readonly target: string;
  readonly begun: string;
  /** In the order in which they were added. */
  readonly exchanges: readonly ReadExchange[];
};

type ReadOptions = {
  /** The most bytes of a body that are read into memory. Default: 1 MiB. */
  readonly keptBytes?: number | undefined;
};

const defaultKeptBytes = 1024 * 1024;

/** Throws `ConfigurationError` for a directory that is not a recording, and for a damaged file. */
export const readRecording = async (directory: string, options: ReadOptions = {}): Promise<Recording> => {
  const { target, begun } = await readRecordingFile(directory);
  const folder = join(directory, exchangesFolder);
  const names = await readdir(folder).catch((cause: unknown) => {
    throw damaged(folder, `cannot be read: ${unreadableReason(cause)}.`, 'A recording has such a folder.', cause);
  });
  const exchanges: ReadExchange[] = [];
  for (const { name, number } of inOrder(directory, names)) {
    exchanges.push(await readExchange(directory, join(exchangesFolder, name), number, options));
  }
  return { directory, target, begun, exchanges };
};

/** Throws `ConfigurationError` for a directory without a sound `recording.json`. */
export const readRecordingFile = async (directory: string): Promise<RecordingFile> => {
  const file = join(directory, recordingFileName);
  const remedy = 'Name a directory that --record or `atoll recording` made.';
  const read = await readJson(file, recordingFile, { rule: 'recording', remedy });
  requireFormat(file, read, recordingFormat);
  return read;
};

const damaged = (file: string, message: string, remedy: string, cause?: unknown): ConfigurationError =>
  flawError({ file, rule: 'recording', message, remedy }, cause);

type Named = { readonly name: string; readonly number: number };

const inOrder = (directory: string, names: readonly string[]): Named[] => {
  const named = names
    .flatMap((name): Named[] => {
      const number = numberIn(name);
      return number === undefined ? [] : [{ name, number }];
    })
    .sort((a, b) => a.number - b.number);
  const twice = named.find(({ number }, at) => named[at + 1]?.number === number);
  if (twice === undefined) return named;
  const file = join(directory, exchangesFolder, twice.name);
  throw damaged(file, 'another exchange has the same number.', 'The number says which one came first: change one.');
};

const readExchange = async (
  directory: string,
  name: string,
  number: number,
  { keptBytes = defaultKeptBytes }: ReadOptions,
): Promise<ReadExchange> => {
  const file = join(directory, name);
  const read = await readJson(file, exchangeFile, { rule: 'recording', remedy: 'Remove it, or restore it.' });
  const stored = [read.request.body, read.reply.body];
  const bodies = new Map<StoredBody, WireBody>();
  for (const body of stored) {
    if (body?.file !== undefined) bodies.set(body, await readBody(file, join(directory, body.file), body, keptBytes));
  }
  const bytesOf = (body: StoredBody): WireBody => bodies.get(body) ?? nobody;
  const fileOfWhole = (body: StoredBody | undefined): string | undefined =>
    body?.file === undefined || body.cut === true ? undefined : join(directory, body.file);
  return {
    ...exchangeOf(read, bytesOf),
    ...{ number, file: name },
    bodyFiles: { request: fileOfWhole(read.request.body), reply: fileOfWhole(read.reply.body) },
  };
};

const nobody = wholeBody(new Uint8Array());

/** Reads the first bytes, and checks length and hash as far as they are read. */
const readBody = async (
  exchange: string,
  path: string,
  { file = '', bytes, sha256, cut }: StoredBody,
  keptBytes: number,
): Promise<WireBody> => {
  const missing = (reason: string, cause?: unknown): ConfigurationError =>
    damaged(path, `${reason} ${exchange} names it.`, 'Restore it, or remove the exchange.', cause);
  const handle = await openRegularFile(path).catch((cause: unknown) => {
    throw missing(`cannot be read: ${unreadableReason(cause)}.`, cause);
  });
  try {
    const { size } = await handle.stat();
    const kept = Buffer.alloc(Math.min(size, keptBytes));
    for (let at = 0; at < kept.byteLength;) {
      const { bytesRead } = await handle.read(kept, at, kept.byteLength - at, at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    const hash = file.slice('bodies/'.length, 'bodies/'.length + 64);
    const isRead = kept.byteLength === size;
    if (cut !== true && bytes !== undefined && bytes !== size) throw missing(`has ${size} bytes, and not ${bytes}.`);
    if (isRead && hashOf(kept) !== hash) throw missing('does not hold the bytes whose hash is its name.');
    if (cut === true) return { bytes: bytes ?? size, kept, isWhole: false, sha256: sha256 ?? hash };
    return { bytes: size, kept, isWhole: isRead, sha256: hash };
  } finally {
    await handle.close();
  }
};
