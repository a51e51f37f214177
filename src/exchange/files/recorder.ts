/** Writes exchanges to a directory, each as a file that people can read and Git can compare, without secrets. */
import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { extension } from 'mime-types';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { errorCode, ifThere } from '../../basics/error-code.ts';
import { diskFiles, namesIn, temporarySuffix, writeWhole, type OpenFile } from '../../basics/disk/files.ts';
import { lockDirectory } from '../../basics/disk/directory-lock.ts';
import { headerValue, type HeaderLine, type WireBody, type WireExchange } from '../wire-exchange.ts';
import { createPlaceholders, noteNumbers } from '../redaction/placeholders.ts';
import { redactExchange } from '../redaction/redact-exchange.ts';
import { utf8Text } from '../../basics/formats/utf8-text.ts';
import { builtInRules, type RedactionRules } from '../redaction/redaction-rules.ts';
import {
  fileOf,
  hashOf,
  storedBodyOf,
  type StoredBody,
  bodiesFolder,
  bodyName,
  exchangeName,
  exchangesFolder,
  numberIn,
  recordingFileName,
  recordingFormat,
  type RecordingFile,
} from './exchange-file.ts';
import { readRecordingFile } from './read-recording.ts';

type RecorderOptions = {
  /** The base URL of the server that answers, without a slash at its end. */
  readonly target: string;
  /** What is removed before anything is written. Default: the rules of the program. */
  readonly rules?: RedactionRules | undefined;
  /** The program, for `recording.json`. Default: `atoll`. */
  readonly by?: string | undefined;
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly now?: (() => number) | undefined;
};

/** Takes the bytes of a body while they pass, so that a long one is recorded without being in memory. */
type BodySink = {
  write(bytes: Uint8Array): Promise<void>;
  /** Keeps the bytes under their hash. An exchange that is added later and names this hash finds them. */
  end(): Promise<{ readonly bytes: number; readonly sha256: string }>;
  /** Forgets the bytes. */
  discard(): Promise<void>;
};

export type Recorder = {
  /**
   * Writes an exchange; its number is that of the call. Many may be written at a time. Resolves when the file is whole and in
   * its place. Rejects with the system's error.
   */
  add(exchange: WireExchange): Promise<void>;
  /** For bodies that are not text: nothing is removed from them. */
  sink(): Promise<BodySink>;
  /** Resolves when everything that was added is written. */
  close(): Promise<void>;
};

/** Longer texts are files of their own. */
const maxInlineBytes = 64 * 1024;

const files = diskFiles('os');

/**
 * Opens a new or empty directory, or one with an earlier recording of the same target, which is continued: numbers of exchanges
 * and placeholders go on after the last ones. Throws `ConfigurationError` for any other directory, and an error with
 * `ATOLL_DIRECTORY_IN_USE` while another recording goes on there.
 */
export const openRecorder = async (directory: string, options: RecorderOptions): Promise<Recorder> => {
  const { target, rules = builtInRules, by = 'atoll', now = Date.now } = options;
  await prepare(directory, { format: recordingFormat, target, begun: new Date(now()).toISOString(), by });
  const lock = await lockDirectory(directory, { leaveNote: false });
  const { last, used } = await continued(directory);
  const redacting = { rules, placeholders: createPlaceholders(used) };
  const open = new Set<Promise<void>>();
  const keepBody = createBodyKeeper(directory);
  let number = last;
  let sinks = 0;
  const write = async (exchange: WireExchange, name: string): Promise<void> => {
    const bodies = {
      request: await keepBody(exchange.request.headers, exchange.request.body),
      reply: await keepBody(exchange.reply.headers, exchange.reply.body),
    };
    const content = `${JSON.stringify(fileOf(exchange, bodies), null, 2)}\n`;
    await writeWhole(files, join(directory, exchangesFolder, name), content);
  };
  return {
    add: async (exchange) => {
      const redacted = redactExchange(exchange, redacting);
      number += 1;
      const writing = write(redacted, exchangeName(number, redacted.request.method, redacted.request.path));
      open.add(writing);
      await writing.finally(() => open.delete(writing));
    },
    sink: () => openSink(join(directory, bodiesFolder), `${process.pid}-${(sinks += 1)}${temporarySuffix}`),
    close: async () => {
      await Promise.allSettled(open);
      await lock.release();
    },
  };
};

/** Makes the directory, or refuses it. */
const prepare = async (directory: string, file: RecordingFile): Promise<void> => {
  await makeFolder(directory);
  const names = await readdir(directory);
  if (names.includes(recordingFileName)) {
    const { target } = await readRecordingFile(directory);
    if (target === file.target) return;
    throw new ConfigurationError(
      `${directory} holds a recording of ${target}, not of ${file.target}. Name a new directory.`,
    );
  }
  if (!names.every((name) => name.startsWith('.') || name.endsWith(temporarySuffix))) {
    throw new ConfigurationError(
      `${directory} holds something else than a recording. Name a new directory, or one that was recorded to before.`,
    );
  }
  // `recording.json` comes last: what has it is a recording.
  await makeFolder(join(directory, exchangesFolder));
  await makeFolder(join(directory, bodiesFolder));
  await writeWhole(files, join(directory, recordingFileName), `${JSON.stringify(file, null, 2)}\n`);
};

const makeFolder = async (directory: string): Promise<void> => {
  await files.makeDirectory(resolve(directory)).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new ConfigurationError(`${directory} is a file. Name a directory.`, { cause: error });
  });
};

const textEndings = /\.(?:json|jsonld|txt|x?html?|xml|csv|m?js|css|ya?ml|svg|md|ttl|nt|rdf|vtt|srt)$/;

/** The last number and the numbers of placeholders in what is there. Removes what a killed process has not finished. */
const continued = async (directory: string) => {
  const used = new Map<string, number>();
  let last = 0;
  for (const folder of [exchangesFolder, bodiesFolder]) {
    for (const name of await namesIn(join(directory, folder))) {
      const path = join(directory, folder, name);
      if (name.endsWith(temporarySuffix)) await files.remove(path);
      const number = folder === exchangesFolder ? numberIn(name) : undefined;
      last = Math.max(last, number ?? 0);
      // A text that was too long for its exchange is in `bodies/`.
      if (number !== undefined || textEndings.test(name)) noteNumbers(await readFile(path, 'utf8'), used);
    }
  }
  return { last, used };
};

type KeepBody = (headers: readonly HeaderLine[], body: WireBody) => Promise<StoredBody | undefined>;

/** Gives the stored form of a body. Long bodies and those that are not text are written to a file of their own, once. */
const createBodyKeeper = (directory: string): KeepBody => {
  const written = new Map<string, Promise<unknown>>();
  const writeBody = async (name: string, bytes: Uint8Array): Promise<void> => {
    const path = join(directory, name);
    const writing = written.get(name) ?? writeNew(path, bytes);
    written.set(name, writing);
    await writing.finally(() => written.delete(name));
  };
  return async (headers, body) => {
    if (body.bytes === 0) return undefined;
    const text = utf8Text(body.kept, body.isWhole);
    if (!body.isWhole) {
      const whole = bodyName(body.sha256, '');
      const isThere = (await ifThere(stat(join(directory, whole)))) !== undefined;
      if (isThere) return storedBodyOf({ ...body, isWhole: true }, whole);
    }
    const { byteLength } = body.kept;
    if (byteLength === 0 || (utf8Text(body.kept) !== undefined && byteLength <= maxInlineBytes))
      return storedBodyOf(body, undefined);
    const ending = endingOf(headerValue(headers, 'content-type') ?? '', text !== undefined);
    const name = bodyName(hashOf(body.kept), ending);
    await writeBody(name, body.kept);
    return storedBodyOf(body, name);
  };
};

const writeNew = async (path: string, bytes: Uint8Array): Promise<void> => {
  if ((await ifThere(stat(path))) === undefined) await writeWhole(files, path, [bytes]);
};

/** So that people can open a body with the program for it. */
const endingOf = (type: string, isText: boolean): string => {
  const known = extension(type);
  return known === false || !/^[a-z0-9]{1,16}$/.test(known) ? (isText ? '.txt' : '') : `.${known}`;
};

const openSink = async (folder: string, name: string): Promise<BodySink> => {
  const path = join(folder, name);
  const file: OpenFile = await files.create(path);
  const sum = createHash('sha256');
  let size = 0;
  return {
    write: async (bytes) => {
      const at = size;
      size += bytes.byteLength;
      sum.update(bytes);
      await file.write(bytes, at);
    },
    end: async () => {
      const sha256 = sum.digest('hex');
      await file.close();
      await files.rename(path, join(folder, sha256));
      return { bytes: size, sha256 };
    },
    discard: async () => {
      await file.close();
      await files.remove(path);
    },
  };
};
