/** Which test files load a source file, and which of them are likeliest to notice a change of a line. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';

/** So many come first because they are near; the others, because they speak of what is changed. */
const nearest = 4;
/** They come after them: what they ask is in data, whose words are not in their text. */
const expectedAnswers = ['test/expected/default.test.ts', 'test/expected/access.test.ts'];
/** Lines before and after a change whose words count too. */
const around = 4;

const filesIn = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name}`.replaceAll('\\', '/'))
    .filter((name) => /\.(?:ts|mjs)$/.test(name));

/** Relative modules that a file loads: what it imports of types alone is gone when it runs. */
const importsOf = (file, text) => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const names = [];
  const visit = (node) => {
    const isImport = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
    if (isImport && node.moduleSpecifier !== undefined && !isOfTypes(node)) names.push(node.moduleSpecifier.text);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      if (ts.isStringLiteral(node.arguments[0])) names.push(node.arguments[0].text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names.filter((name) => name.startsWith('.')).map((name) => posix.join(dirname(file), name));
};

const isOfTypes = (node) => node.isTypeOnly === true || node.importClause?.isTypeOnly === true;

/** How far every file is that can be reached, by steps of `next`. */
const distancesFrom = (file, next) => {
  const distances = new Map([[file, 0]]);
  for (const [at, distance] of distances) {
    for (const other of next.get(at) ?? []) if (!distances.has(other)) distances.set(other, distance + 1);
  }
  return distances;
};

const wordsOf = (text) => new Set(text.match(/[A-Za-z][\w-]{3,}/g));

/** `src/repository/links/typed-link.ts` is tested in `test/links/typed-link.test.ts`. `test/contract` is of no folder of the source. */
const namesIn = (file) => new Set(file.split(/[/.]/).filter((name) => !['test', 'contract', 'ts'].includes(name)));

/** `testsOf` gives the test files that load the source file of a change, in the order in which they are tried. */
export const createNearestTests = (root) => {
  const files = ['src', 'handlers', 'test', 'scripts'].flatMap((folder) => filesIn(root, folder));
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const imported = new Map(files.map((file) => [file, importsOf(file, texts.get(file))]));
  const importing = new Map();
  for (const [file, others] of imported) {
    for (const other of others) importing.set(other, [...(importing.get(other) ?? []), file]);
  }
  const tests = files
    // What starts the built program tests one that has no mutant.
    .filter((file) => file.endsWith('.test.ts') && !texts.get(file).includes('startProgram'))
    .map((test) => ({ test, loaded: distancesFrom(test, imported), words: wordsOf(texts.get(test)) }));

  /** A word that few tests have says more. */
  const weightsOf = (words) =>
    [...words].map((word) => [
      word,
      Math.log(tests.length / (1 + tests.filter((test) => test.words.has(word)).length)),
    ]);

  /** A long file has many words by chance. */
  const likenessOf = (weights, words) =>
    weights.reduce((sum, [word, weight]) => sum + (words.has(word) ? weight : 0), 0) / Math.sqrt(words.size);

  const testsOf = ({ file, line }) => {
    const names = namesIn(file);
    const distances = distancesFrom(file, importing);
    const lines = texts
      .get(file)
      .split('\n')
      .slice(Math.max(0, line - 1 - around), line + around);
    const weights = weightsOf(wordsOf(lines.join('\n')));
    const related = tests
      .filter(({ test }) => distances.has(test))
      .map(({ test, loaded, words }) => {
        const shared = [...namesIn(test)].filter((name) => names.has(name)).length;
        return {
          ...{ test, size: loaded.size, distance: distances.get(test) - shared },
          likeness: likenessOf(weights, words) * (1 + 2 * shared),
        };
      })
      .sort((one, other) => one.distance - other.distance || one.size - other.size || (one.test < other.test ? -1 : 1));
    const isAsked = ({ test }) => expectedAnswers.includes(test);
    const others = related
      .slice(nearest)
      .sort((one, other) => Number(isAsked(other)) - Number(isAsked(one)) || other.likeness - one.likeness);
    return [...related.slice(0, nearest), ...others].map(({ test }) => test);
  };
  return { testsOf };
};
