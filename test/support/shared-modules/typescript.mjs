/** Hooks of Node: with them it imports the TypeScript files of this project, and `@jest/globals`. They have a thread of their own. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { isTypeScript, keptFile } from './kept-files.mjs';

const globals = new URL('globals.mjs', import.meta.url).href;
/** Of one run, as the build's for a program: else each server of a test would read and check the documents. */
const prepared = fileURLToPath(new URL('../../../coverage/prepared.json', import.meta.url));
let folder;

export const initialize = async (given) => {
  ({ folder } = given);
  await mkdir(folder, { recursive: true });
};

export const resolve = (specifier, context, next) =>
  specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context);

export const load = async (url, context, next) =>
  isTypeScript(url) ? { format: 'module', shortCircuit: true, source: await javaScriptOf(url) } : next(url, context);

const javaScriptOf = async (url) => {
  if (url.endsWith('/src/cli/entries/prepared-file.ts')) return `export const prepared = ${JSON.stringify(prepared)};`;
  const source = await readFile(new URL(url), 'utf8');
  const file = keptFile(folder, url, source);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const { code, map } = await transform(source, {
    filename: fileURLToPath(url),
    swcrc: false,
    sourceMaps: true,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
  });
  // Whoever finds the code finds its map too.
  await put(`${file}.map`, map);
  await put(file, code);
  return code;
};

/** Several processes may write the same file. */
const put = async (file, text) => {
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, text);
  await rename(unfinished, file);
};
