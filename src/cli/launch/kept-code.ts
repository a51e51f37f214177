/**
 * Loads a program of the package with the code that V8 compiled of it at an earlier start, which saves half of a start. The code is
 * kept in a file next to the program. The file can be missing, damaged, of another user or of another Node, and its place can be
 * read-only: then V8 compiles the program again. `ATOLL_KEPT_CODE=off` switches it off.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInThisContext, Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { importModule } from '../../basics/import-module.ts';
import type * as program from './program.ts';

/** A command that soon ends has compiled too little for the next start of a server, so it keeps none. */
type Keeping = { readonly keepsCode?: boolean };

/** `name` is that of the file in the folder of the bundles. */
export const loadProgram = (name: string, keeping?: Keeping): typeof program =>
  loadWithKeptCode(fileURLToPath(new URL(name, import.meta.url)), keeping) as typeof program; // the build made it of that module

/** After this the functions that a start and the first requests need have been compiled. In milliseconds. */
const delayMs = 900;

/** Settings of V8 (`--max-old-space-size`) that few starts have do not take the place of all others. In milliseconds. */
const settingsMs = 24 * 60 * 60 * 1000;

/** Two checksums stand before the code: of the program, and of the code. */
const headLength = 8;

/** What a module of CommonJS gets, and what it imports with: Node refuses `import()` to kept code. */
const parameters = 'exports, require, module, __filename, __dirname, __importModule';

/** Returns what the CommonJS module exports. `file` is absolute, and has only ASCII. Throws what the module throws. */
export const loadWithKeptCode = (file: string, { keepsCode = true }: Keeping = {}): unknown => {
  const require = createRequire(file);
  // Jest gives each test file another global object. A script would get that of the process.
  if (runInThisContext('globalThis') !== globalThis) return require(file);
  const program = readFileSync(file);
  const codeFile = file.replace(/\.cjs$/, `-${process.version}-${process.arch}.code`);
  const isOff = process.env['ATOLL_KEPT_CODE'] === 'off';
  const kept = isOff ? undefined : readCode(codeFile, file, program);
  const script = new Script(`(function (${parameters}) {${program.toString('latin1')}\n})`, {
    filename: file,
    cachedData: kept,
  });
  const isOfUse = kept !== undefined && (script.cachedDataRejected !== true || isNew(codeFile));
  if (keepsCode && !isOfUse && !isOff) keepSoon(script, codeFile, program);
  const run = script.runInThisContext() as (...values: unknown[]) => void; // the function above
  const module = { exports: {} };
  run(module.exports, require, module, file, dirname(file), importModule);
  return module.exports;
};

/** Whole code of this Node is refused when the settings of V8 are others. */
const isNew = (codeFile: string): boolean => {
  const written = statSync(codeFile, { throwIfNoEntry: false })?.mtimeMs;
  return written !== undefined && Date.now() - written < settingsMs;
};

/** The checksum finds a program that somebody has changed, and code that was written in part. */
const headOf = (program: Buffer, code: Buffer): Buffer => {
  const head = Buffer.alloc(headLength);
  head.writeUInt32LE(crc32(program), 0);
  head.writeUInt32LE(crc32(code), headLength / 2);
  return head;
};

const readCode = (codeFile: string, file: string, program: Buffer): Buffer | undefined => {
  try {
    const opened = openSync(codeFile, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      if (!isTrusted(opened, file)) return undefined;
      const whole = readFileSync(opened);
      const code = whole.subarray(headLength);
      return headOf(program, code).equals(whole.subarray(0, headLength)) ? code : undefined;
    } finally {
      closeSync(opened);
    }
  } catch {
    return undefined;
  }
};

const writableByOthers = 0o022;

/**
 * Code runs as the program does. So it must be a file of this user, or of the owner of the program, which nobody else may write.
 * Windows has no such modes.
 */
const isTrusted = (opened: number, file: string): boolean => {
  const { uid, mode } = fstatSync(opened);
  const own = process.getuid?.();
  if (own === undefined) return true;
  return (uid === own || uid === statSync(file).uid) && (mode & writableByOthers) === 0;
};

/** Keeps the code some time after the start, or when the process ends before. */
const keepSoon = (script: Script, file: string, program: Buffer): void => {
  const { cachedDataVersionTag } = process.getBuiltinModule('node:v8');
  const tag = cachedDataVersionTag();
  const keep = (): void => {
    clearTimeout(timer);
    process.off('exit', keep);
    // Code that is made with other settings of V8 is of no use to the next start.
    if (cachedDataVersionTag() === tag) writeCode(script, file, program);
  };
  const timer = setTimeout(keep, delayMs);
  timer.unref();
  process.on('exit', keep);
};

/** Nothing fails here. Another process may do the same: the file appears whole, and its name is free or taken. */
const writeCode = (script: Script, file: string, program: Buffer): void => {
  const part = `${file}.${process.pid}`;
  try {
    // First, because making the code takes time, which would be lost where nothing can be written.
    const opened = openSync(part, 'wx', 0o644);
    try {
      const code = script.createCachedData();
      writeSync(opened, headOf(program, code));
      writeSync(opened, code);
    } finally {
      closeSync(opened);
    }
    renameSync(part, file);
  } catch {
    rmSync(part, { force: true });
  }
};
