/** Collects the names that users write down: exports of the package, commands, options, variables, exit codes, control operations. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import ts from 'typescript';
import { parse } from 'yaml';
import { exitCodes, wholeProgram } from '../cli/program.ts';
import { optionVariables } from '../cli/options/option-rows.ts';
import { publicBrowserEntries, publicNodeEntries } from '../../scripts/public-entries.mjs';
import { preparedModule, type SiteParts } from '../../src/browser/browser.ts';
import { packagedSites } from '../../src/application/application-disk.ts';
import { root } from '../support/atoll.ts';

export type PublicNames = {
  /** The entries of the package, each with what it exports: values, and `type NAME`. */
  readonly exports: Readonly<Record<string, readonly string[]>>;
  /** The members of the exported types and classes, by name, whatever the entry. */
  readonly members: Readonly<Record<string, readonly string[]>>;
  /** The commands, each with its options. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
  readonly variables: readonly string[];
  readonly exitCodes: Readonly<Record<string, number>>;
  /** The operations of the control interface: method and path by id. */
  readonly control: Readonly<Record<string, string>>;
};

export const publicNames = async (): Promise<PublicNames> => ({
  ...(await exportedNames()),
  commands: await commandNames(),
  variables: await variableNames(),
  exitCodes,
  control: await controlOperations(),
});

/** The modules behind the entries, by the files of their types as `package.json` names them. */
const sources = new Map<string, string>([
  ...Object.entries(publicNodeEntries).map(([name, source]) => [`./dist/${name}.d.ts`, join(root, source)] as const),
  ...Object.entries(publicBrowserEntries).map(
    ([name, source]) => [`./dist/browser/${name}.d.ts`, join(root, source)] as const,
  ),
]);

/** The build writes a module for each site of the package. Whatever the site, it exports the same. */
const siteTypes = packagedSites.map((site = 'default-site') => `./dist/browser/${site}.d.ts`);
const noValidators = { text: '', validators: { modules: [], operations: {} } };
const noSite: SiteParts = {
  ...{ name: '', version: '', siteFiles: {}, icons: {}, fixtures: {} },
  ...{ document: noValidators, controlDocument: noValidators },
};
const namesOfSites = [...preparedModule(noSite).text.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);

type Entry = string | { readonly types: string } | { readonly import: { readonly types: string } };

const exportedNames = async (): Promise<Pick<PublicNames, 'exports' | 'members'>> => {
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, Entry>>;
  }; // our own file
  const program = ts.createProgram([...sources.values()], {
    ...{ target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext },
    ...{
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: [],
      allowImportingTsExtensions: true,
      noEmit: true,
    },
  });
  const checker = program.getTypeChecker();
  const members = new Map<string, Set<string>>();
  const namesIn = (entry: string, types: string): readonly string[] => {
    if (siteTypes.includes(types)) return namesOfSites;
    const source = program.getSourceFile(sources.get(types) ?? '');
    const module = source && checker.getSymbolAtLocation(source);
    if (source === undefined || module === undefined)
      throw new Error(`No module is known for the entry ${entry} of package.json.`);
    const ofTypes = namesOfTypes(source, checker);
    return checker
      .getExportsOfModule(module)
      .flatMap((exported) => {
        const names = shownNames(exported, ofTypes, checker);
        // A default export has a name of its own, too.
        if (names.length > 0 && exported.name !== 'default')
          addTo(members, exported.name, membersOf(aliased(exported, checker), checker));
        return names;
      })
      .sort();
  };
  const names = Object.entries(exports).map(([entry, content]): [string, readonly string[]] => {
    // A file that is no module exports no names.
    if (typeof content === 'string') return [entry, []];
    return [entry, namesIn(entry, 'import' in content ? content.import.types : content.types)];
  });
  return {
    exports: Object.fromEntries(names),
    members: Object.fromEntries([...members].sort().map(([name, all]) => [name, [...all].sort()])),
  };
};

const addTo = (all: Map<string, Set<string>>, name: string, members: readonly string[]): void => {
  if (members.length > 0) all.set(name, new Set([...(all.get(name) ?? []), ...members]));
};

/** Those that the sources declare by hand: what is generated has its names from the documents, which have their own test of breaking changes. */
const membersOf = (symbol: ts.Symbol, checker: ts.TypeChecker): readonly string[] => {
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const parts = type.isUnion() ? type.types : [type];
  return parts
    .flatMap((part) => checker.getPropertiesOfType(part))
    .filter(({ declarations = [] }) => declarations.some((each) => isOwnSource(each.getSourceFile().fileName)))
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('#'));
};

const isOwnSource = (file: string): boolean =>
  file.startsWith(join(root, 'src/')) &&
  !/\/src\/client\/generated\/(bundles|contract|control)\.ts$/.test(file.replaceAll('\\', '/'));

const aliased = (exported: ts.Symbol, checker: ts.TypeChecker): ts.Symbol =>
  (exported.flags & ts.SymbolFlags.Alias) === 0 ? exported : checker.getAliasedSymbol(exported);

/** What a module exports by `export type * from`: no value of it is there when the program runs. */
const namesOfTypes = (source: ts.SourceFile, checker: ts.TypeChecker): ReadonlySet<string> => {
  const modules = source.statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) && statement.isTypeOnly && statement.exportClause === undefined
      ? (statement.moduleSpecifier ?? [])
      : [],
  );
  const symbols = modules.flatMap((specifier) => checker.getSymbolAtLocation(specifier) ?? []);
  return new Set(symbols.flatMap((symbol) => checker.getExportsOfModule(symbol).map(({ name }) => name)));
};

const shownNames = (exported: ts.Symbol, ofTypes: ReadonlySet<string>, checker: ts.TypeChecker): readonly string[] => {
  const { name } = exported;
  const isValue = (aliased(exported, checker).flags & ts.SymbolFlags.Value) !== 0 && !isOfTypeExport(exported);
  if (isValue) return ofTypes.has(name) ? [] : [name];
  return [`type ${name}`];
};

const isOfTypeExport = ({ declarations = [] }: ts.Symbol): boolean =>
  declarations.length > 0 &&
  declarations.every((declaration) => ts.isExportSpecifier(declaration) && ts.isTypeOnlyExportDeclaration(declaration));

/** A command with those below it, each with its name. */
const withBelow = (command: Command, path: string): readonly (readonly [path: string, command: Command])[] => [
  [path, command],
  ...command.commands.flatMap((each) => withBelow(each, `${path} ${each.name()}`)),
];

const commandNames = async (): Promise<PublicNames['commands']> =>
  Object.fromEntries(
    withBelow(await wholeProgram(), 'atoll').map(([path, { options }]) => [
      path,
      // Of a former name no user should hear.
      options.flatMap(({ hidden, long, short }) => (hidden ? [] : (long ?? short ?? []))).sort(),
    ]),
  );

/** By these the program and the build talk with themselves. */
const internal = new Set(['ATOLL_BUILDS_CONSOLE', 'ATOLL_EXEC', 'ATOLL_TEST_TRAFFIC']);

/** What is read in the environment, and what a shown line for a shell has in it. A name that ends with `_` goes on with that of an account. */
const variableUses =
  /(?:\b(?:environment|process\.env)\[['`]|\$(?=ATOLL_)|(?:variable =|password:|token:) `)([A-Z][A-Z_]+)/g;

const variableNames = async (): Promise<readonly string[]> => {
  const names = (await readdir(join(root, 'src'), { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(names.map((name) => readFile(join(root, 'src', name), 'utf8')));
  const used = texts.flatMap((text) => [...text.matchAll(variableUses)].flatMap(([, name = '']) => name));
  const ofOptions = withBelow(await wholeProgram(), '').flatMap(([, { options }]) =>
    options.flatMap(({ envVar }) => envVar ?? []),
  );
  return [...new Set([...used, ...ofOptions, ...optionVariables])].filter((name) => !internal.has(name)).sort();
};

type ControlOperation = {
  readonly operationId?: string;
  readonly 'x-atoll-command'?: string;
  readonly 'x-atoll-function'?: string;
};

const readControl = async (): Promise<readonly (readonly [address: string, ControlOperation])[]> => {
  const file = join(root, 'src/server/control/openapi.yaml');
  type Operations = Readonly<Record<string, ControlOperation>>;
  const { paths } = parse(await readFile(file, 'utf8')) as { readonly paths: Readonly<Record<string, Operations>> }; // our own file
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
};

const controlOperations = async (): Promise<PublicNames['control']> =>
  Object.fromEntries(
    (await readControl()).flatMap(([address, { operationId }]) =>
      operationId === undefined ? [] : [[operationId, address]],
    ),
  );

/** Whether a line of the list, such as `commands: atoll clock get: --url`, follows from an operation of the control document that the list does not have yet. */
export const namesOfNewOperations = async (listed: PublicNames): Promise<(line: string) => boolean> => {
  const patterns = (await readControl()).flatMap(([, operation]) => {
    const { operationId = '', 'x-atoll-command': usage = '', 'x-atoll-function': called = '' } = operation;
    if (operationId === '' || operationId in listed.control) return [];
    const [command = ''] = usage.split(/ [<[]/, 1);
    const [, member = ''] = /^\w+\.(\w+)/.exec(called) ?? [];
    return [
      new RegExp(`^control: ${operationId} = `),
      ...(command === '' ? [] : [new RegExp(`^commands: atoll ${command}(: |$)`)]),
      ...(member === '' ? [] : [new RegExp(`^members: \\w+: ${member}$`)]),
    ];
  });
  return (line) => patterns.some((pattern) => pattern.test(line));
};
