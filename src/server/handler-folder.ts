/** Loads a user's own handlers from a folder and checks that the document has an operation for each. */
import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Problem } from '../problem.ts';
import { flawError } from '../site/read-yaml.ts';
import type { AnyHandler } from '../engine/handler.ts';

/** A handler and the file that exports it. */
export type LoadedHandler = { readonly file: string; readonly handler: AnyHandler };

/** By operation id. */
export type ProposedHandlers = ReadonlyMap<string, LoadedHandler>;

const moduleName = /^(?!.*\.(?:test|spec)\.)(?!.*\.d\.ts$).*\.(?:mjs|js|ts|mts)$/;

/**
 * Imports every module of a folder. Each exported function becomes the handler of the operation with its name. A changed
 * module is imported again, but the modules that it imports are not. Throws `ConfigurationError` with the file, and with the
 * line when a module cannot be loaded.
 */
export const loadHandlers = async (folder: string): Promise<ProposedHandlers> => {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw flawIn(folder, 'cannot be read.', 'Name a folder with --handlers.', { cause });
  });
  const loaded = new Map<string, LoadedHandler>();
  for (const name of names.filter((each) => moduleName.test(each)).sort()) {
    const file = join(folder, name);
    for (const [id, value] of Object.entries(await importAnew(file))) {
      if (typeof value !== 'function') continue;
      const other = loaded.get(id);
      if (other !== undefined) {
        throw flawIn(file, `exports "${id}", which ${other.file} exports too.`, 'Keep one of them.');
      }
      loaded.set(id, { file, handler: withProblems(value as AnyHandler) }); // its author is responsible for its type
    }
  }
  return loaded;
};

/** Throws `ConfigurationError` for a handler without an operation in the document. */
export const requireOperations = (handlers: ProposedHandlers, operationIds: readonly string[]): void => {
  for (const [id, { file }] of handlers) {
    if (operationIds.includes(id)) continue;
    const remedy = 'Add the operation by an overlay, or correct the name of the export.';
    throw flawIn(file, `exports "${id}", which is no operation of the document.`, remedy);
  }
};

const flawIn = (
  file: string,
  message: string,
  remedy: string,
  { line, cause }: { readonly line?: number | undefined; readonly cause?: unknown } = {},
): Error => flawError({ file, line, rule: 'handlers', message, remedy }, cause);

/** Node caches a module by its URL, so the time of the last change is part of the URL. */
const importAnew = async (file: string): Promise<Readonly<Record<string, unknown>>> => {
  const { mtimeMs } = await stat(file);
  try {
    return (await import(`${pathToFileURL(file).href}?changed=${mtimeMs}`)) as Record<string, unknown>; // a module's exports
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    const isType = 'code' in error && error.code === 'ERR_UNKNOWN_FILE_EXTENSION';
    const remedy = isType ? 'Write it in JavaScript, or run Node 22.18 or later.' : 'Correct the module.';
    const line = await lineIn(error, file);
    throw flawIn(file, `cannot be loaded: ${error.message}.`, remedy, { line, cause });
  }
};

/** The first line of the file that the stack names, or that Node's syntax check names. */
const lineIn = async (error: Error, file: string): Promise<number | undefined> => {
  const lineOfFile = new RegExp(`${escaped(file)}:(\\d+)`);
  const syntaxErrors = error instanceof SyntaxError ? await syntaxCheck(file) : '';
  const line = lineOfFile.exec(syntaxErrors + (error.stack ?? ''))?.[1];
  return line === undefined ? undefined : Number(line);
};

const escaped = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** The error of an import lacks the line of a syntax error. */
const syntaxCheck = (file: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['--check', file], (_error, _output, errors) => resolve(errors));
  });

/**
 * A handler in another bundle throws a `Problem` of another class, or a plain error with a `status`. Both are refusals here,
 * not unexpected errors.
 */
const withProblems =
  (handler: AnyHandler): AnyHandler =>
  async (request, world) => {
    const answer = await asProblem(() => handler(request, world));
    return (input) => asProblem(() => answer(input));
  };

const asProblem = async <T>(work: () => Promise<T>): Promise<T> => {
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
