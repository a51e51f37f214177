/** Collects the names that users write down: exports of the package, commands, options, variables, exit codes, control operations. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import ts from 'typescript';
import { parse } from 'yaml';
import { commands } from '../../src/cli/all-commands.ts';
import { createProgram } from '../../src/cli/command-line.ts';
import type { CommandContext } from '../../src/cli/command-context.ts';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { root } from '../support/atoll.ts';

/** The source of each entry of `exports`, as `scripts/declarations.mjs` has it. The modules of sites are written by the build. */
const entries: Readonly<Record<string, string>> = {
  '.': 'src/cli/entries/atoll.ts',
  './client': 'src/client/client.ts',
  './client/file': 'src/client/file-source.ts',
  './verify': 'src/cli/entries/provider-testing.ts',
  './jest': 'src/cli/testing/jest.ts',
  './vitest': 'src/cli/testing/vitest.ts',
  './playwright': 'src/cli/testing/playwright.ts',
  './browser': 'src/browser/create-atoll.ts',
  './msw': 'src/browser/msw.ts',
  './service-worker': 'src/browser/service-worker/register.ts',
  './service-worker/worker': 'src/browser/service-worker/serve-repository.ts',
};

export type PublicNames = {
  /** The entries of the package, each with what it exports: values, and `type NAME`; a type of options with its members. */
  readonly exports: Readonly<Record<string, readonly string[]>>;
  /** The commands, each with its options. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
  readonly variables: readonly string[];
  readonly exitCodes: Readonly<Record<string, number>>;
  /** The operations of the control interface: method and path by id. */
  readonly control: Readonly<Record<string, string>>;
};

export const publicNames = async (): Promise<PublicNames> => ({
  exports: await exportedNames(),
  commands: await commandNames(),
  variables: await variableNames(),
  exitCodes,
  control: await controlOperations(),
});

const exportedNames = async (): Promise<PublicNames['exports']> => {
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { exports: object }; // our own file
  const files = Object.values(entries).map((file) => join(root, file));
  const program = ts.createProgram(files, {
    ...{
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    },
    ...{ types: [], allowImportingTsExtensions: true, noEmit: true },
  });
  const checker = program.getTypeChecker();
  const namesOf = (entry: string): readonly string[] => {
    const source = program.getSourceFile(join(root, entries[entry] ?? ''));
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) return [];
    const ofTypes = namesOfTypes(source, checker);
    return checker
      .getExportsOfModule(module)
      .flatMap((symbol) => shownNames(symbol, ofTypes, checker))
      .sort();
  };
  return Object.fromEntries(Object.keys(exports).map((entry) => [entry, namesOf(entry)]));
};

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
  const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
  const { name } = exported;
  if ((symbol.flags & ts.SymbolFlags.Value) !== 0 && !isOfTypeExport(exported)) return ofTypes.has(name) ? [] : [name];
  if (!name.endsWith('Options')) return [`type ${name}`];
  const members = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).map((member) => member.name);
  return [`type ${name}`, ...members.map((member) => `type ${name}.${member}`)];
};

const isOfTypeExport = ({ declarations = [] }: ts.Symbol): boolean =>
  declarations.length > 0 &&
  declarations.every((declaration) => ts.isExportSpecifier(declaration) && ts.isTypeOnlyExportDeclaration(declaration));

const commandNames = async (): Promise<PublicNames['commands']> => {
  // Adding a command asks for nothing of the process but its environment.
  const program = await createProgram({ root, environment: {} } as CommandContext, commands);
  const below = (command: Command, path: string): [string, readonly string[]][] => [
    [path, command.options.map(({ long, short }) => long ?? short ?? '').sort()],
    ...command.commands.flatMap((each) => below(each, `${path} ${each.name()}`)),
  ];
  return Object.fromEntries(below(program, 'atoll'));
};

/** Variables that the program reads, and those that `exec` and `env` set; the last two go on with the name of an account. */
const variableNames = async (): Promise<readonly string[]> => {
  const names = (await readdir(join(root, 'src'), { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(names.map((name) => readFile(join(root, 'src', name), 'utf8')));
  const read =
    /(?:\b(?:environment|process\.env)(?:\.|\[')|\.env\('|variables\[`|\{ )((?:ATOLL|PG)_?[A-Z_]+)\b(?=['\]). :$])?/g;
  return [...new Set(texts.flatMap((text) => [...text.matchAll(read)].flatMap(([, name = '']) => name)))].sort();
};

const controlOperations = async (): Promise<PublicNames['control']> => {
  const file = join(root, 'src/server/control/openapi.yaml');
  type Operations = Readonly<Record<string, { readonly operationId?: string }>>;
  const { paths } = parse(await readFile(file, 'utf8')) as { readonly paths: Readonly<Record<string, Operations>> }; // our own file
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { operationId }]) =>
        operationId === undefined ? [] : [[operationId, `${method.toUpperCase()} ${path}`]],
      ),
    ),
  );
};
