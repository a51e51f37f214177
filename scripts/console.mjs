/**
 * Builds the console into `dist/console/`: static files, each also compressed, and small enough. `build.mjs` runs this file as
 * a process of its own: the memory that Vite takes must not stay in the server that `npm start` becomes.
 */
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

const folder = 'dist/console';

/** It is there as a whole or not at all: a server may be running. */
const unfinished = 'dist/console-unfinished';

/** The most that the files may have together as gzip has them, in bytes. */
const mostBytes = 350 * 1024;

/** Shorter files are sent as they are: they fit into one packet. */
const leastBytes = 1024;

/** The path of a module from the root, as esbuild names it. Undefined for a module that the build has made. */
const pathOf = (id) => {
  const [file] = id.split('?');
  return id.startsWith('\0') || !file.includes('/') ? undefined : relative('.', file).split(sep).join('/');
};

/** Collects, in the form of esbuild's metafile, which modules are in the scripts and what these import. */
const collectModules = (metafile) => ({
  name: 'modules of the console',
  generateBundle(_options, files) {
    for (const chunk of Object.values(files).filter(({ type }) => type === 'chunk')) {
      const inputs = {};
      for (const id of Object.keys(chunk.modules)) {
        const path = pathOf(id);
        if (path === undefined) continue;
        const imported = (this.getModuleInfo(id)?.importedIds ?? []).map(pathOf).filter((each) => each !== undefined);
        const imports = imported.map((each) => ({ path: each, kind: 'import-statement' }));
        metafile.inputs[path] = { bytes: 0, imports };
        inputs[path] = { bytesInOutput: chunk.modules[id].renderedLength };
      }
      metafile.outputs[`${folder}/${chunk.fileName}`] = { bytes: chunk.code.length, imports: [], exports: [], inputs };
    }
  },
});

/** Writes a file's `.br` and `.gz` beside it. Returns its size as gzip has it. */
const compress = async (file) => {
  const bytes = await readFile(file);
  if (bytes.length < leastBytes) return bytes.length;
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes, quality), promisify(gzip)(bytes, { level: 9 })]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
  return gz.length;
};

/** Replaces what is in the folder. Returns esbuild's metafile of it. Throws when a source is wrong, or the files are too large. */
const buildConsole = async () => {
  const metafile = { inputs: {}, outputs: {} };
  await build({
    configFile: 'console/vite.config.ts',
    logLevel: 'warn',
    plugins: [collectModules(metafile)],
    build: { outDir: `../${unfinished}` },
  });
  const entries = await readdir(unfinished, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sizes = await Promise.all(files.map(compress));
  const size = sizes.reduce((sum, one) => sum + one, 0);
  if (size > mostBytes) {
    throw new Error(
      `The console has ${kib(size)} compressed; it may have ${kib(mostBytes)}. Take something out of it.`,
    );
  }
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
  return metafile;
};

const kib = (bytes) => `${Math.ceil(bytes / 1024)} KiB`;

// Nobody waits for it any more when the build was killed.
process.on('disconnect', () => process.exit(1));
const metafile = await buildConsole();
process.send?.(metafile, () => process.exit(0));
