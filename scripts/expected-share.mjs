/**
 * Prints which share of the rules of `src/checks` and of the tests of six folders the expected answers restate, as
 * `test/expected/restated.yml` says: `node scripts/expected-share.mjs [--missing]`. Fails when that file names what does not exist.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const ruleMakers = new Set(['contractRule', 'referenceRule', 'adviceRule']);
const testFolders = ['contract/cases', 'contract/rules', 'contract/permissions', 'handlers', 'access', 'links'];

/** The files of a folder and of those in it whose names end so, by their paths in the folder. */
const filesIn = (folder, ending) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => name.replaceAll('\\', '/'))
    .sort();

/** Calls a function with each node of a source file. */
const walk = (file, see) => {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    see(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
};

/** A text of the source, with `*` for what is only known when it runs. */
const textOf = (node) => {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `*${literal.text}`).join('');
  return '*';
};

/** The rules by file and name. The second of a name in a file ends with `#2`. */
const rulesOf = (files) => {
  const rules = [];
  for (const file of files) {
    const counts = new Map();
    walk(file, (node) => {
      if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || !ruleMakers.has(node.expression.text))
        return;
      const name = textOf(node.arguments[0]);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      rules.push(`${basename(file, '.ts')}/${name}${count === 1 ? '' : `#${count}`}`);
    });
  }
  return rules;
};

/** The titles of the tests of a file, each row of a table once with its table. */
const testsOf = (file) => {
  const titles = [];
  walk(file, (node) => {
    if (!ts.isCallExpression(node)) return;
    const called = node.expression;
    const isTable = ts.isCallExpression(called) && called.expression.getText() === 'it.each';
    if (!isTable && called.getText() !== 'it') return;
    titles.push(textOf(node.arguments[0]));
  });
  return titles;
};

const { rules: restatedRules, tests: restatedTests } = parse(
  readFileSync(join(root, 'test/expected/restated.yml'), 'utf8'),
);
const answers = new Set(filesIn('test/expected', '.yml'));
const unknown = [];

const rules = rulesOf(filesIn('src/checks', '.ts').map((name) => `src/checks/${name}`));
const restated = new Set();
for (const [file, places] of Object.entries(restatedRules)) {
  for (const [place, names] of Object.entries(places)) {
    if (!answers.has(place)) unknown.push(place);
    for (const name of names) {
      const rule = `${file}/${name}`;
      if (rules.includes(rule)) restated.add(rule);
      else unknown.push(rule);
    }
  }
}

const rows = [['rules of src/checks', restated.size, rules.length]];
const missing = rules.filter((rule) => !restated.has(rule));
for (const folder of testFolders) {
  let [found, all] = [0, 0];
  for (const name of filesIn(`test/${folder}`, '.test.ts').map((file) => `${folder}/${file}`)) {
    const titles = testsOf(`test/${name}`);
    const { by = [], only, but = [] } = restatedTests[name] ?? { only: [] };
    unknown.push(...by.filter((place) => !answers.has(place)));
    unknown.push(
      ...[...(only ?? []), ...but].filter((title) => !titles.includes(title)).map((title) => `${name}: ${title}`),
    );
    const isRestated = (title) => (only === undefined ? !but.includes(title) : only.includes(title));
    all += titles.length;
    found += titles.filter(isRestated).length;
    missing.push(...titles.filter((title) => !isRestated(title)).map((title) => `${name}: ${title}`));
  }
  rows.push([`tests of test/${folder}`, found, all]);
}

for (const [what, found, all] of rows) {
  console.log(
    `${what.padEnd(34)} ${String(found).padStart(4)} of ${String(all).padStart(4)}  ${Math.round((100 * found) / all)} %`,
  );
}
if (process.argv.includes('--missing')) console.log(missing.join('\n'));
for (const name of unknown) console.error(`test/expected/restated.yml names what does not exist: ${name}`);
process.exitCode = unknown.length > 0 ? 1 : 0;
