/** The rules of what runs without Node: no module of Node, and nothing that `script-src 'self'` refuses. */
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import ts from 'typescript';
import { builtEngine, type BuiltEngine } from './support/built-engine.ts';

// A loaded machine takes long to build the engine and to hash passwords.
jest.setTimeout(120_000);

let built: BuiltEngine;
beforeAll(async () => {
  built = await builtEngine();
});

/** Modules that a text asks for. A scan without a parse takes a sentence of a library for an import. */
const importsIn = (text: string): string[] => {
  const file = ts.createSourceFile('bundle.js', text, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JS);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isCall =
      ts.isCallExpression(node) &&
      (node.expression.kind === ts.SyntaxKind.ImportKeyword || nameOf(node.expression) === 'require') &&
      node.arguments.some((argument) => ts.isStringLiteralLike(argument));
    const isNamed =
      ts.isImportDeclaration(node) || (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined);
    if (isCall || isNamed) found.push(text.slice(node.pos, node.end));
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return found;
};

/** Calls that make code of a text: `eval(…)`, `Function(…)`, `new Function(…)`, a timer with a text. */
const evaluations = (text: string): string[] => {
  const file = ts.createSourceFile('bundle.js', text, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JS);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && (node.text === 'eval' || node.text === 'Function')) {
      found.push(text.slice(Math.max(0, node.pos - 40), node.end + 40));
    }
    const isTimer = ts.isCallExpression(node) && /^set(Timeout|Interval)$/.test(nameOf(node.expression));
    const [first] = isTimer ? node.arguments : [];
    if (first !== undefined && ts.isStringLiteralLike(first)) found.push(text.slice(node.pos, node.end));
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return found;
};

const nameOf = (node: ts.Node): string => {
  if (ts.isIdentifier(node)) return node.text;
  return ts.isPropertyAccessExpression(node) ? node.name.text : '';
};

describe('The bundle for where there is no Node', () => {
  it('asks for no other module, and the sites of the package for the bytes that both have', () => {
    const imports = Object.values(built.metafile.outputs).flatMap((output) => output.imports);
    expect(imports).toEqual([]);
    expect(importsIn(built.text)).toEqual([]);
    const shared = expect.stringMatching(/^import ?\{ ?bytes as \w+ ?\} ?from ?"\.\/shared-bytes\.js";$/) as unknown;
    expect(built.siteTexts.map(importsIn)).toEqual([[shared], [shared]]);
  });

  it('makes no code of texts, nor does a prepared site', () => {
    expect(evaluations('const a = () => Function("return 1")(); window.setTimeout("a()", 1); eval("2")')).toHaveLength(
      3,
    );
    expect(evaluations(built.text)).toEqual([]);
    expect(built.siteTexts.flatMap(evaluations)).toEqual([]);
  });

  it('holds nothing that only a process has: commands, files, sockets, the readers of YAML', () => {
    const files = Object.values(built.metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    );
    expect(files).toContain('src/repository/engine/engine.ts');
    const foreign =
      /^(src\/(cli|main|guard|drupal|recording|proxy|twin|verify|target)[./]|node_modules\/(express|ajv|yaml|js-yaml|pino|openapi-backend|jsonwebtoken)\/)/;
    expect(files.filter((file) => foreign.test(file))).toEqual([]);
  });
});
