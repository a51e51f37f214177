/** Handlers that somebody has written beside the program: loaded from a folder, held to the document, their refusals understood. */
import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Problem } from '../problem.ts';
import { flawed } from '../site/read-yaml.ts';
import type { AnyHandler } from '../engine/handler.ts';

/** A handler and the file that it stands in. */
export type LoadedHandler = { readonly file: string; readonly handler: AnyHandler };

/** By operation id. */
export type ProposedHandlers = ReadonlyMap<string, LoadedHandler>;

const moduleName = /^(?!.*\.(?:test|spec)\.)(?!.*\.d\.ts$).*\.(?:mjs|js|ts|mts)$/;

/**
 * Imports every module of a folder; each function that one exports is the handler of the operation of its name. A module
 * that has changed is imported anew, what it imports itself is not. Throws `ConfigurationError` with the file, and the line
 * where a module cannot be read.
 */
export const loadHandlers = async (folder: string): Promise<ProposedHandlers> => {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw flawed(
      { file: folder, rule: 'handlers', message: 'cannot be read.', remedy: 'Name a folder with --handlers.' },
      cause,
    );
  });
  const loaded = new Map<string, LoadedHandler>();
  for (const name of names.filter((each) => moduleName.test(each)).sort()) {
    const file = join(folder, name);
    for (const [id, value] of Object.entries(await importAnew(file))) {
      if (typeof value !== 'function') continue;
      const other = loaded.get(id);
      if (other !== undefined) {
        const remedy = 'Keep one of them.';
        throw flawed({ file, rule: 'handlers', message: `exports "${id}", which ${other.file} exports too.`, remedy });
      }
      loaded.set(id, { file, handler: understood(value as AnyHandler) }); // what it does with a request is its author's business
    }
  }
  return loaded;
};

/** Throws `ConfigurationError` for a handler that no operation of the document calls. */
export const requireOperations = (handlers: ProposedHandlers, operationIds: readonly string[]): void => {
  for (const [id, { file }] of handlers) {
    if (operationIds.includes(id)) continue;
    const remedy = 'Add the operation by an overlay, or correct the name of the export.';
    throw flawed({
      file,
      rule: 'handlers',
      message: `exports "${id}", which is no operation of the document.`,
      remedy,
    });
  }
};

/** Node keeps a module for as long as its address is the same. */
const importAnew = async (file: string): Promise<Readonly<Record<string, unknown>>> => {
  const { mtimeMs } = await stat(file);
  try {
    return (await import(`${pathToFileURL(file).href}?changed=${mtimeMs}`)) as Record<string, unknown>; // a module's exports
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    const isType = 'code' in error && error.code === 'ERR_UNKNOWN_FILE_EXTENSION';
    const remedy = isType ? 'Write it in JavaScript, or run Node 22.18 or later.' : 'Correct the module.';
    throw flawed(
      {
        file,
        line: await lineIn(error, file),
        rule: 'handlers',
        message: `cannot be loaded: ${error.message}.`,
        remedy,
      },
      cause,
    );
  }
};

/** The first place in the file that is named: by the stack, or for what cannot be parsed by Node's own check. */
const lineIn = async (error: Error, file: string): Promise<number | undefined> => {
  const place = new RegExp(`${escaped(file)}:(\\d+)`);
  const checked = error instanceof SyntaxError ? await syntaxCheck(file) : '';
  const line = place.exec(checked + (error.stack ?? ''))?.[1];
  return line === undefined ? undefined : Number(line);
};

const escaped = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** The error of an import does not say in which line a module cannot be parsed. */
const syntaxCheck = (file: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['--check', file], (_error, _output, said) => resolve(said));
  });

/**
 * A handler of another bundle throws another `Problem` than this one, or a plain error with a `status`: both are refusals
 * and no faults.
 */
const understood =
  (handler: AnyHandler): AnyHandler =>
  async (request, world) => {
    const work = await refusing(() => handler(request, world));
    return (input) => refusing(() => work(input));
  };

const refusing = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem || !isRefusal(error)) throw error;
    const { status, message, headers = {} } = error;
    throw new Problem(status, message, { headers, cause: error });
  }
};

const isRefusal = (error: unknown): error is Error & { status: number; headers?: Problem['headers'] } =>
  error instanceof Error &&
  'status' in error &&
  typeof error.status === 'number' &&
  error.status >= 400 &&
  error.status < 500;
