/** Loads a user's own handlers from a folder. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inTime } from '../../basics/in-time.ts';
import { importModule } from '../../basics/import-module.ts';
import { openRegularFile, unreadableReason } from '../../basics/disk/regular-file.ts';
import { flawIn, type HandlerFunction, type LoadedHandler, type ProposedHandlers } from './proposed-handlers.ts';

const moduleName = /^(?!.*\.(?:test|spec)\.)(?!.*\.d\.ts$).*\.(?:mjs|js|ts|mts)$/;

/**
 * Imports every module of a folder. Each exported function becomes the handler of the operation with its name. A changed
 * module is imported again, but the modules that it imports are not. Throws `ConfigurationError` with the file, and with the
 * line when a module cannot be loaded.
 */
export const loadHandlers = async (folder: string): Promise<ProposedHandlers> => {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw flawIn(folder, `cannot be read: ${unreadableReason(cause)}.`, 'Name a folder with --handlers.', { cause });
  });
  const loaded = new Map<string, LoadedHandler>();
  for (const name of names.filter((each) => moduleName.test(each)).sort()) {
    const file = join(folder, name);
    for (const [id, value] of Object.entries(await importAnew(file))) {
      if (typeof value !== 'function') {
        if (!loaded.has(id)) loaded.set(id, { file, line: undefined, handler: undefined });
        continue;
      }
      const other = loaded.get(id);
      if (other?.handler !== undefined) {
        throw flawIn(file, `exports "${id}", which ${other.file} exports too.`, 'Keep one of them.');
      }
      const line = await lineOfExport(file, id);
      loaded.set(id, { file, line, handler: value as HandlerFunction }); // its author is responsible for its type
    }
  }
  return loaded;
};

type Exports = Readonly<Record<string, unknown>>;

/** Node caches a module by its URL, so the time of the last change is part of the URL. */
const importAnew = async (file: string): Promise<Exports> => {
  const mtimeMs = await changeTimeOf(file);
  try {
    const loading = importModule(`${pathToFileURL(file).href}?changed=${mtimeMs}`) as Promise<Exports>; // a module's exports
    return await withinTime(loading);
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    const isType = 'code' in error && error.code === 'ERR_UNKNOWN_FILE_EXTENSION';
    const remedy = isType ? 'Write it in JavaScript, or run Node 22.18 or later.' : 'Correct the module.';
    const line = await lineIn(error, file);
    throw flawIn(file, `cannot be loaded: ${error.message}.`, remedy, { line, cause });
  }
};

/** Node would wait for ever for a FIFO of this name. */
const changeTimeOf = async (file: string): Promise<number> => {
  const handle = await openRegularFile(file).catch((cause: unknown) => {
    throw flawIn(file, `cannot be read: ${unreadableReason(cause)}.`, 'Move it out of the folder.', { cause });
  });
  try {
    return (await handle.stat()).mtimeMs;
  } finally {
    await handle.close();
  }
};

const loadingMs = 10_000;

/** A top-level `await` that never ends would let the process end without a word. */
const withinTime = (loading: Promise<Exports>): Promise<Exports> =>
  inTime(loading, loadingMs, () => {
    throw new Error(`it has not ended after ${loadingMs / 1000} s, perhaps for an await outside of its functions`);
  });

/** The first line of the file that the stack names, or that Node's syntax check names. */
const lineIn = async (error: Error, file: string): Promise<number | undefined> => {
  // A stack names a module by its URL, a syntax check by its path.
  const lineOfFile = new RegExp(
    `(?:${escaped(pathToFileURL(file).href)}(?:\\?changed=[\\d.]+)?|${escaped(file)}):(\\d+)`,
  );
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

/** The line on which a function is exported. Undefined where the module exports it from another one, or in a list. */
const lineOfExport = async (file: string, name: string): Promise<number | undefined> => {
  const text = await readFile(file, 'utf8').catch(() => '');
  const declaration = new RegExp(
    `^[ \\t]*export[ \\t]+(?:async[ \\t]+)?(?:const|let|var|function[ \\t]*\\*?)[ \\t]*${escaped(name)}(?![\\w$])`,
    'm',
  );
  const at = declaration.exec(text)?.index;
  return at === undefined ? undefined : text.slice(0, at).split('\n').length;
};
