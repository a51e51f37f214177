/** Writes the types of the package's entries: `node scripts/declarations.mjs FOLDER`. What several entries have in common is in files that they share. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import ts from 'typescript';
import { optionComments } from './option-table.mjs';
import { publicBrowserEntries, publicNodeEntries } from './public-entries.mjs';

const root = join(import.meta.dirname, '..');

/** Packages that are inside the bundle of the client, and so are their types. */
const inlined = ['openapi-fetch', 'openapi-typescript-helpers'];

/** One program for all of them: what runs without Node has types of browsers, too. */
const createProgram = (files, outDir) => {
  const configFile = join(root, 'src/browser/tsconfig.json');
  const { config } = ts.readConfigFile(configFile, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(configFile));
  return ts.createProgram(
    files.map((file) => join(root, file)),
    {
      ...options,
      ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, outDir, rootDir: root },
      // Whether they are right is for `npm run typecheck`.
      ...{ noCheck: true, incremental: false, tsBuildInfoFile: undefined },
    },
  );
};

const declarationOf = (path) => path.replace(/(?:\.d)?\.[jt]s$/, '.d.ts');

/** How the options of a function are declared in the source: by the table of start options. */
const optionsType = /\bOptionsOf<typeof startOptions, '(\w+)'>/;

/** Writes such options one by one, each with its sentence, for editors and readers: they do not see the table. */
const withOptions = async (program, source, text) => {
  const [reference, host] = optionsType.exec(text) ?? [];
  if (reference === undefined) return text;
  const checker = program.getTypeChecker();
  const find = (node) =>
    ts.isTypeReferenceNode(node) && optionsType.test(node.getText()) ? node : ts.forEachChild(node, find);
  const comments = await optionComments(host);
  const members = checker
    .getTypeFromTypeNode(find(source))
    .getProperties()
    .map((property) => {
      const type = checker.getNonNullableType(checker.getTypeOfSymbol(property));
      // In full: the file of the function does not import the names of other types.
      const { NoTruncation, InTypeAlias } = ts.TypeFormatFlags;
      const written = checker.typeToString(type, source, NoTruncation | InTypeAlias);
      return `    /** ${comments.get(property.name)} */\n    readonly ${property.name}?: ${written} | undefined;`;
    });
  return text.replace(reference, () => `{\n${members.join('\n')}\n}`);
};

/**
 * Makes the declarations of those modules that are reached, in a folder below the package, where packages are found. An entry only
 * exports what its module does, so that no file has to import another entry.
 */
const declarationsIn = (folder, entries) => {
  const program = createProgram(Object.values(entries), folder);
  const entryFolder = join(folder, 'entries');
  const textOf = (file) => {
    const entry = entries[declarationOf(relative(entryFolder, file)).slice(0, -'.d.ts'.length)];
    if (entry !== undefined) return `export * from ${JSON.stringify(join(folder, declarationOf(entry)))};\n`;
    const source = program.getSourceFile(join(root, relative(folder, file).replace(/\.d\.ts$/, '.ts')));
    let declarations;
    const forceDeclarations = true;
    program.emit(source, (_, text) => (declarations = text), undefined, true, undefined, forceDeclarations);
    return withOptions(program, source, declarations);
  };
  return {
    name: 'declarations',
    resolveId: (id, importer) => {
      if (importer === undefined) return join(entryFolder, `${id}.d.ts`);
      if (id.startsWith(folder)) return id;
      return id.startsWith('.') && importer.startsWith(folder)
        ? declarationOf(resolve(dirname(importer), id))
        : undefined;
    },
    load: async (file) => {
      if (!file.startsWith(folder)) return undefined;
      const text = await textOf(file);
      // The other plugin takes only files that are there.
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return text;
    },
  };
};

const withTabs = {
  name: 'tabs',
  renderChunk: (text) => text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4)),
};

/**
 * Writes them into a folder. Those for Node are in its folder `types`, as declarations of CommonJS, which both kinds of modules can
 * import; the files beside it export them to each kind.
 */
const writeDeclarations = async (out) => {
  await mkdir(join(root, 'coverage'), { recursive: true });
  const folder = await mkdtemp(join(root, 'coverage/declarations-'));
  try {
    const named = (prefix, files) => Object.entries(files).map(([name, file]) => [`${prefix}/${name}`, file]);
    const entries = Object.fromEntries([
      ...named('types', publicNodeEntries),
      ...named('browser', publicBrowserEntries),
    ]);
    const bundle = await rollup({
      input: Object.fromEntries(Object.keys(entries).map((name) => [name, name])),
      external: /^(?:node:|msw$)/,
      plugins: [
        declarationsIn(folder, entries),
        // At the end it would let files import entries, which for another kind of module are another module.
        {
          ...dts({ includeExternal: inlined, compilerOptions: { noLib: true, types: [] } }),
          generateBundle: undefined,
        },
      ],
    });
    await bundle.write({
      dir: out,
      entryFileNames: '[name].d.ts',
      chunkFileNames: ({ name }) => `types/shared-${name.replace(/\.d$/, '')}.d.ts`,
      hoistTransitiveImports: false,
      plugins: [withTabs],
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  for (const site of ['default-site', 'starter-site']) {
    const text = "import type { PreparedSite } from './browser.js';\nexport declare const site: PreparedSite;\n";
    await writeFile(join(out, `browser/${site}.d.ts`), text);
  }
  await writeFile(join(out, 'types/package.json'), '{ "type": "commonjs" }\n');
  for (const name of Object.keys(publicNodeEntries)) {
    for (const ending of ['ts', 'cts'])
      await writeFile(join(out, `${name}.d.${ending}`), `export * from './types/${name}.js';\n`);
  }
};

await writeDeclarations(process.argv[2]);
