/**
 * Finds turns of phrase that a native writer would put otherwise, in code, comments, messages, help and pages: negation at the
 * noun, inversion, and words that nobody says. `node scripts/lint-words.mjs [FILE or FOLDER …]` prints each with its remedy; without
 * a path it reads all that ships. Exit code 1 when it found something.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Each pattern with what to write in its place. `but` are right sentences that the pattern would find. */
const patterns = [
  {
    pattern: /\b(is|are|was|were) no (?!longer\b|more\b|less\b|fewer\b|such\b|one\b|way\b)[a-z]/,
    but: /\b([Tt]here|that|which) (is|are|was|were) no\b.* (there|left)|\b[Tt]here (is|are|was|were) no\b/,
    remedy: 'negate the verb: "is not a number"',
  },
  { pattern: /\bwhom\b/i, remedy: '"who", or turn the sentence round' },
  { pattern: /\banew\b/i, remedy: '"again", or "from the start"' },
  { pattern: /\bwhoever\b/i, remedy: '"anyone who"' },
  { pattern: /\bstands\b/i, but: /\bstands for\b/, remedy: '"is", "lies", "says"' },
  { pattern: /\btold\b/i, remedy: '"gets", "learns", "sees", or name who says it' },
  { pattern: /\bin the place of\b/i, remedy: '"in place of", "for"' },
  {
    pattern: /(^|[/*.#] )Of (a|an|the|each|every|what|which|several|two) /,
    remedy: 'subject first: "The name of X …"',
  },
  { pattern: /(?<!-)\bbeside\b(?!-)/i, remedy: '"next to", "besides", "apart from"' },
  {
    pattern:
      /\bwhat (is|are|was|were) (not |never )?(kept|known|sent|written|read|shown|made|asked|found|left|given|stored|served|missing|missed|compared|refused|allowed|counted|changed)\b/i,
    remedy: 'name the thing: "the kept bytes", "the missing fields"',
  },
];

/** What ships, and the pages about it. What was recorded, and records of the past, keep their words. */
const places = [
  'src',
  'handlers',
  'console/src',
  'docs',
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'openapi.yaml',
];
const isRead = (file) => /\.(ts|tsx|yaml|md)$/.test(file) && !/(^|\/)generated\/|^docs\/inside\/decisions\//.test(file);

const filesIn = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [path];

const asked = process.argv.slice(2);
const files = (
  asked.length > 0 ? asked.map((path) => join(process.cwd(), path)) : places.map((path) => join(root, path))
)
  .flatMap(filesIn)
  .filter((file) => isRead(relative(root, file)));

let found = 0;
for (const file of files) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    for (const { pattern, but, remedy } of patterns) {
      const [match] = pattern.exec(line) ?? [];
      if (match === undefined || but?.test(line)) continue;
      found += 1;
      process.stdout.write(`${relative(root, file)}:${index + 1}: "${match.trim()}": ${remedy}\n    ${line.trim()}\n`);
    }
  }
}
if (found > 0) {
  process.stdout.write(`${found} turns of phrase to change.\n`);
  process.exitCode = 1;
}
