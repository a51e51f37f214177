/**
 * Prints which share of the rules of `src/checks` the expected answers restate, as `test/expected/restated.yml` says:
 * `node scripts/expected-share.mjs [--missing]`. Fails when that file names what does not exist.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const ruleMakers = new Set(['contractRule', 'referenceRule', 'adviceRule']);

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

const restatedRules = parse(readFileSync(join(root, 'test/expected/restated.yml'), 'utf8'));
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

const share = Math.round((100 * restated.size) / rules.length);
console.log(`rules of src/checks: ${restated.size} of ${rules.length}, ${share} %`);
if (process.argv.includes('--missing')) console.log(rules.filter((rule) => !restated.has(rule)).join('\n'));
for (const name of unknown) console.error(`test/expected/restated.yml names what does not exist: ${name}`);
process.exitCode = unknown.length > 0 ? 1 : 0;
