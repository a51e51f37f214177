/** Bundles the program, the library and the client. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { generate } from './generate-types.mjs';
import { quickMediaTypes } from './quick-media-types.mjs';
import { doorsOpen } from './through-doors.mjs';

// Whatever is bundled may have them in it.
await generate({ types: false });

// CommonJS packages need these, which an ES module does not have.
const commonJs = `import { createRequire as __createRequire } from 'node:module';
import { dirname as __dirnameOf } from 'node:path';
import { fileURLToPath as __pathOf } from 'node:url';
const require = __createRequire(import.meta.url);
const __filename = __pathOf(import.meta.url);
const __dirname = __dirnameOf(__filename);`;

/**
 * esbuild gives a CommonJS package that is imported dynamically only a default export. This plugin adds the named exports
 * that Node finds in it.
 */
const dynamicCommonJs = {
  name: 'dynamic CommonJS',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(yaml|json-p3|pino|transliteration)$/ }, ({ path, kind, namespace }) =>
      kind === 'dynamic-import' && namespace === 'file' ? { path, namespace: 'dynamic' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'dynamic' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => !['default', 'module.exports'].includes(name));
      return {
        contents: `import * as whole from '${path}'; export const { ${names.join(', ')} } = whole;`,
        resolveDir: import.meta.dirname,
      };
    });
  },
};

/** Other plugins load some files of the source in their own way. */
const bundled = (settings) => build({ ...settings, plugins: [...(settings.plugins ?? []), doorsOpen] });

const options = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  plugins: [dynamicCommonJs, quickMediaTypes],
  alias: { 'body-parser': './scripts/no-body-parser.cjs', debug: './scripts/no-debug.cjs' },
  // Optional: loaded only for a site that keeps bytes in S3, and for the text of a PDF.
  external: ['@aws-sdk/*', 'unpdf'],
  banner: { js: commonJs },
};

/** The decoders of pictures have their WebAssembly in them. */
const embeddedCodecs = {
  name: 'embedded codecs',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]pictures[\\/]codec-modules\.ts$/ }, () => ({
      contents: `
        import png from '@jsquash/png/codec/pkg/squoosh_png_bg.wasm';
        import jpeg from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm';
        export const pngModule = async () => png;
        export const jpegModule = async () => jpeg;`,
      loader: 'js',
      resolveDir: import.meta.dirname,
    }));
  },
};

const decoderEntry = 'src/application/decoding/decoder-entry.ts';

/** Bundles the program of the process that reads files (`src/application/decoding`). Returns its text, and esbuild's metafile. */
const bundleDecoder = async () => {
  const { metafile, outputFiles } = await bundled({
    ...options,
    format: 'cjs',
    // It is run as a text, which has no place. A decoder looks for its WebAssembly there, which it gets.
    define: { 'import.meta.url': '"file:///decoder"' },
    banner: {},
    loader: { '.wasm': 'binary' },
    minifyWhitespace: true,
    minifyIdentifiers: true,
    plugins: [...options.plugins, embeddedCodecs],
    entryPoints: { decoder: decoderEntry },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    write: false,
  });
  return { metafile, text: outputFiles[0].text };
};

/** A bundle gets the text of that program from a file beside it, or has it in it. `text` resolves with JavaScript for it. */
const withDecoder = (text) => ({
  name: 'with decoder',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]decoder-text\.ts$/ }, async () => ({
      contents: `
        import { readFile } from 'node:fs/promises';
        import { dirname, join } from 'node:path';
        import { fileURLToPath } from 'node:url';
        export const decoderFolder = dirname(fileURLToPath(import.meta.url));
        export const decoderText = async () => ${await text()};`,
      loader: 'js',
      resolveDir: import.meta.dirname,
    }));
  },
});

const withDecoderInside = withDecoder(async () => JSON.stringify((await bundleDecoder()).text));

/** Writes it into a folder under a name that changes with its content. Returns the name, and esbuild's metafile of it. */
const writeDecoder = async (folder) => {
  // It goes with the repository (`test/system/deletion`).
  if (!existsSync(decoderEntry)) return { name: '', metafile: { inputs: {}, outputs: {} } };
  const { metafile, text } = await bundleDecoder();
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
  const name = `decoder-${hash}.cjs`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text);
  const outputs = Object.values(metafile.outputs).map((output) => [join(folder, name), output]);
  return { name, metafile: { ...metafile, outputs: Object.fromEntries(outputs) } };
};

/** An old Node can read the first file, and learns there that it is too old. */
const program = {
  ...options,
  entryPoints: { main: 'src/cli/launch/guard.ts' },
  banner: { js: `#!/usr/bin/env node\n${commonJs}` },
};

/** The same modules as CommonJS, which has no `import.meta`. */
const asCommonJs = {
  format: 'cjs',
  define: { 'import.meta.url': '__moduleUrl', 'import.meta.dirname': '__dirname' },
  banner: { js: "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
};

/** Tells a bundle the name of the file of the program. */
const withProgramFile = async (folder) => ({
  define: { ATOLL_PROGRAM: JSON.stringify(`./${await programFileIn(folder)}`) },
});

/** V8 forgets whose code it keeps, and then Node refuses it `import()`. `src/cli/launch/kept-code.ts` gives the program another. */
const importFromOutside = {
  name: 'import from outside',
  setup: ({ onLoad }) => {
    const contents = `export const importModule = (address) =>
      typeof __importModule === 'function' ? __importModule(address) : import(address);`;
    onLoad({ filter: /[\\/]basics[\\/]import-module\.ts$/ }, () => ({ contents, loader: 'js' }));
  },
};

/** Few programs test a provider. What that needs is not evaluated before. */
const testingWhenAsked = {
  name: 'testing when asked',
  setup: ({ onLoad }) => {
    const contents = "export const providerTesting = () => require('../entries/provider-testing.ts');";
    onLoad({ filter: /[\\/]provider-testing-module\.ts$/ }, () => ({ contents, loader: 'js' }));
  },
};

/**
 * Packages of which most servers need none, or none soon. Beside the file of the program each has one of its own, so that no start
 * reads it.
 */
const seldom = [
  ...['@apidevtools/swagger-parser', 'chokidar', 'fast-png', 'fflate', 'json-p3', 'jsonwebtoken', 'pg'],
  ...['prom-client', 'transliteration'],
];

/** Bundles them. Returns esbuild's metafile, and the name of the file of each. */
const bundleSeldom = async (folder) => {
  const { metafile } = await bundled({
    ...options,
    ...asCommonJs,
    entryPoints: seldom.map((name) => ({ in: name, out: name.replace(/.*\//, '') })),
    outdir: folder,
    entryNames: '[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    minifyWhitespace: true,
    // Nobody looks for names of theirs in a log.
    minifyIdentifiers: true,
    plugins: [...options.plugins, required],
  });
  const files = Object.entries(metafile.outputs).map(([file, { entryPoint }]) => [
    entryPoint.replace(/^required:/, ''),
    `./${basename(file)}`,
  ]);
  return { metafile, files: new Map(files) };
};

/** An entry is what `require` returns of the package. */
const required = {
  name: 'required',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind === 'entry-point' ? { path, namespace: 'required' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
      resolveDir: import.meta.dirname,
    }));
  },
};

/** Loads packages from their own files where they are imported dynamically. */
const fromOwnFiles = (files) => ({
  name: 'from own files',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[^.]/ }, ({ path, kind }) =>
      kind === 'dynamic-import' && files.has(path) ? { path, namespace: 'own file' } : undefined,
    );
    onResolve({ filter: /.*/, namespace: 'own file' }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /.*/, namespace: 'own file' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(files.get(path))});`,
    }));
  },
});

/** Bundles the program into one file. `outfile` must be in a folder directly below the package. */
export const bundle = async (outfile) => {
  await bundled({ ...program, outfile, plugins: [...program.plugins, withDecoderInside] });
  await chmod(outfile, 0o755);
};

/**
 * Bundles the program into a folder directly below the package: all of it in one file of CommonJS, whose compiled code can be kept in
 * every Node (`src/cli/launch/kept-code.ts`), and `main.js`, which runs it. Returns esbuild's metafiles.
 */
export const bundleProgram = async (folder) => {
  const program = await bundleProgramFile(folder);
  return [await bundleExecutable(folder), program];
};

/** Bundles `main.js` into a folder that has the program's file. Returns esbuild's metafile. */
export const bundleExecutable = async (folder) => {
  const built = await bundled({
    ...program,
    ...(await withProgramFile(folder)),
    outdir: folder,
    splitting: true,
    minifyWhitespace: true,
  });
  await chmod(join(folder, 'main.js'), 0o755);
  return built.metafile;
};

/** Its name changes with its content, so that no process loads that of another build. */
const programFile = /^program-[A-Z0-9]{8}\.cjs$/;

/** The name of the program's file in a folder of bundles. */
export const programFileIn = async (folder) => {
  const name = (await readdir(folder)).find((each) => programFile.test(each));
  if (name === undefined) throw new Error(`${folder} does not have the program.`);
  return name;
};

/** Bundles the program's file alone. Returns esbuild's metafile of it and of the packages that have files of their own. */
export const bundleProgramFile = async (folder) => {
  const [packages, decoder] = await Promise.all([bundleSeldom(folder), writeDecoder(folder)]);
  const decoderFile = `readFile(join(decoderFolder, ${JSON.stringify(decoder.name)}), 'utf8')`;
  const { metafile } = await bundled({
    ...options,
    ...asCommonJs,
    entryPoints: { program: 'src/cli/launch/program.ts' },
    outdir: folder,
    entryNames: '[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    minifyWhitespace: true,
    plugins: [
      ...[fromOwnFiles(packages.files), ...options.plugins, importFromOutside, testingWhenAsked],
      withDecoder(async () => decoderFile),
    ],
  });
  const [file] = Object.keys(metafile.outputs);
  // It is read as one byte for each character. esbuild leaves others in tagged templates, where an escape means the same.
  const text = await readFile(file, 'utf8');
  await writeFile(
    file,
    text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
  return {
    inputs: { ...packages.metafile.inputs, ...decoder.metafile.inputs, ...metafile.inputs },
    outputs: { ...packages.metafile.outputs, ...decoder.metafile.outputs, ...metafile.outputs },
  };
};

/**
 * Bundles the library into a folder that has the program: `atoll.js` for `import` and `atoll.cjs` for `require`, and `verify`
 * and the fixtures likewise. The bundles contain the overridden dependencies, because npm ignores the overrides of a dependency.
 */
export const bundleLibrary = async (folder) => {
  const built = await Promise.all([bundleEntries(folder), bundleFixtures(folder)]);
  return built.flat();
};

/** The entries that are in the file of the program, with what each exports. Who imports one and who requires it get the same one. */
const programEntries = {
  atoll: { file: 'src/cli/launch/package-entry.ts', names: 'connectAtoll, startAtoll' },
  verify: {
    file: 'src/cli/launch/verify-entry.ts',
    names: 'proxy, TargetError, twin, twinReport, twinReportFormats, verify',
  },
};

const bundleEntries = async (folder) => {
  const { metafile } = await bundled({
    ...options,
    ...asCommonJs,
    define: { ...asCommonJs.define, ...(await withProgramFile(folder)).define },
    entryPoints: Object.fromEntries(Object.entries(programEntries).map(([name, { file }]) => [name, file])),
    outdir: folder,
    outExtension: { '.js': '.cjs' },
  });
  for (const [name, { names }] of Object.entries(programEntries)) {
    const text = `import library from './${name}.cjs';\nexport const { ${names} } = library;\n`;
    await writeFile(join(folder, `${name}.js`), text);
  }
  return [metafile];
};

/** The entries for the runners of tests. They load the library beside them when the first test begins. */
const bundleFixtures = async (folder) => {
  const kinds = [
    { library: './atoll.js', outExtension: {} },
    // Jest refuses `import()` in CommonJS.
    { library: './atoll.cjs', ...asCommonJs, outExtension: { '.js': '.cjs' }, supported: { 'dynamic-import': false } },
  ];
  const built = await Promise.all(
    kinds.map(({ library, ...kind }) =>
      bundled({
        ...options,
        ...kind,
        entryPoints: ['jest', 'vitest', 'playwright'].map((name) => `src/cli/testing/${name}.ts`),
        outdir: folder,
        plugins: [...options.plugins, libraryAt(library)],
      }),
    ),
  );
  return built.map(({ metafile }) => metafile);
};

/** Names the library by its file in place of bundling it. */
const libraryAt = (path) => ({
  name: 'library',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/entries\/atoll\.ts$/ }, () => ({ path, external: true }));
  },
});

/** Bundles any module of the source into one file. */
export const bundleModule = (entry, outfile) =>
  bundled({ ...options, entryPoints: [entry], outfile, plugins: [...options.plugins, withDecoderInside] });

/** Bundles the client and `file-source`. Browsers load the client too, so the platform is neutral. */
export const bundleClient = async (folder) => {
  const kinds = [
    { format: 'esm', outExtension: { '.js': '.js' } },
    { format: 'cjs', outExtension: { '.js': '.cjs' } },
  ];
  const built = await Promise.all(
    kinds.map((kind) =>
      bundled({
        ...kind,
        bundle: true,
        platform: 'neutral',
        target: 'es2022',
        // The fields of packages without `exports`.
        mainFields: ['module', 'main'],
        external: ['node:*'],
        metafile: true,
        legalComments: 'none',
        entryPoints: { client: 'src/client/client.ts', 'file-source': 'src/client/file-source.ts' },
        outdir: folder,
      }),
    ),
  );
  return built.map(({ metafile }) => metafile);
};
