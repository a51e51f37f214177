/** The door of the engine: what importing it loads, and that each of its names has a sentence. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
const door = 'src/openapi/openapi.ts';
const terms = 'src/openapi/openapi-terms.ts';
const engineParts = 'src/openapi/openapi-parts.ts';
const host = 'src/openapi/openapi-host.ts';

const parse = (path: string): ts.SourceFile =>
  ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true);

/** The modules that a file loads, now or later. A type loads nothing. */
const loadedBy = (path: string): string[] => {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword)
      names.push(textOf(node.moduleSpecifier));
    if (ts.isExportDeclaration(node) && !node.isTypeOnly && node.moduleSpecifier !== undefined)
      names.push(textOf(node.moduleSpecifier));
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      names.push(...namedIn(node.arguments[0]));
    ts.forEachChild(node, visit);
  };
  visit(parse(path));
  return names.map((name) => (name.startsWith('.') ? normalize(join(dirname(path), name)) : name));
};

/** A name that is made while the program runs is that of a module which was named before. */
const namedIn = (node: ts.Node | undefined): string[] =>
  node === undefined || !ts.isStringLiteral(node) ? [] : [node.text];

const textOf = (node: ts.Node | undefined): string => {
  if (node === undefined || !ts.isStringLiteral(node)) throw new Error('A module is named by a text.');
  return node.text;
};

/** Everything that importing a file loads. */
const closureOf = (path: string, loaded = new Set<string>()): Set<string> => {
  for (const name of loadedBy(path)) {
    if (loaded.has(name)) continue;
    loaded.add(name);
    if (name.endsWith('.ts')) closureOf(name, loaded);
  }
  return loaded;
};

describe('The door of the engine', () => {
  const loaded = [...closureOf(door)].sort();

  it('loads its own files, general tools and packages, and no file of the repository', () => {
    const foreign = loaded.filter((name) => !name.startsWith('src/openapi/'));
    expect(foreign).toEqual([
      '@fastify/busboy',
      'ajv-formats',
      'ajv/dist/2020.js',
      'json-schema-faker',
      'negotiator',
      'node:crypto',
      'node:stream',
      'node:url',
      'node:util',
      'node:vm',
      'src/basics/byte-streams.ts',
      'src/basics/configuration-error.ts',
      'src/basics/equal-values.ts',
      'src/basics/error-code.ts',
      'src/basics/formats/xml.ts',
      'src/basics/import-module.ts',
      'src/basics/in-time.ts',
      'src/basics/json-pointer.ts',
      'src/basics/json.ts',
      'src/basics/lazy-module.ts',
      'src/basics/lru-map.ts',
      'src/basics/markup.ts',
      'src/basics/secrets/digest.ts',
      'src/basics/time-limit.ts',
      'whatwg-mimetype',
    ]);
    expect(loaded).toContain('src/openapi/engine.ts');
  });

  it('has a light one beside it, which loads no validator', () => {
    const light = [...closureOf(terms)].filter((name) => !name.startsWith('src/')).sort();
    expect(light).toEqual(['negotiator', 'whatwg-mimetype']);
    expect([...closureOf(terms)]).not.toContain('src/openapi/schemas/schemas.ts');
  });

  it('has one of parts beside it, which loads no compiler of schemas', () => {
    const parts = [...closureOf(engineParts)];
    expect(parts.filter((name) => !name.startsWith('src/')).sort()).toEqual([
      '@apidevtools/swagger-parser',
      'json-schema-faker',
      'negotiator',
      'node:url',
      'node:util',
      'whatwg-mimetype',
      'yaml',
    ]);
    expect(parts).toContain('src/openapi/schemas/schemas.ts');
    expect(parts.filter((name) => !/^src\/(openapi|basics)\//.test(name) && name.startsWith('src/'))).toEqual([]);
  });

  it('has one for hosts beside it, which loads no package', () => {
    const loadedByHost = [...closureOf(host)];
    expect(loadedByHost.filter((name) => !/^src\/(openapi|basics)\//.test(name))).toEqual([]);
    expect(loadedByHost).toContain('src/openapi/host/exchange.ts');
  });
});
