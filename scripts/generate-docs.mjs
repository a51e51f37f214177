/** Writes the pages of docs/ that come from the code: docs/not-emulated.md. With `--check` it compares and ends with 1. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { absences, silences } from './contract-silences.mjs';

const root = join(import.meta.dirname, '..');
const page = 'docs/not-emulated.md';

/** Where guesses are marked (house: comments). */
const places = ['src', 'handlers', 'data/site'];

const sources = async () => {
  const found = await Promise.all(
    places.map(async (place) => {
      const names = await readdir(join(root, place), { recursive: true });
      return names.filter((name) => /\.(ts|ya?ml)$/.test(name)).map((name) => join(place, name));
    }),
  );
  return ['openapi.yaml', ...found.flat()].sort();
};

/** The comments of a text, each on one line and without its marks. Lines of `//` or `#` that follow each other are one. */
const commentsOf = (text, isYaml) => {
  const pattern = isYaml
    ? /(?:^[ \t]*|[ \t])#.*(?:\n[ \t]*#.*)*/gm
    : /\/\*\*[\s\S]*?\*\/|(?:^|[ \t])\/\/.*(?:\n[ \t]*\/\/.*)*/gm;
  return (text.match(pattern) ?? []).map((comment) =>
    comment
      .split('\n')
      .map((line) =>
        line
          .replace(/^\s*(\/\*\*|\*\/|\*|\/\/|#)/, '')
          .replace(/\*\/\s*$/, '')
          .trim(),
      )
      .join(' ')
      .trim(),
  );
};

/** Every guess in the code: the sentences from the mark to the end of its comment. */
export const openMarks = async () => {
  const marks = [];
  for (const file of await sources()) {
    const text = await readFile(join(root, file), 'utf8');
    for (const comment of commentsOf(text, !file.endsWith('.ts'))) {
      for (const [, guess] of comment.matchAll(/\bopen: (.*?)(?=\s+open: |$)/g)) marks.push({ file, guess });
    }
  }
  return marks;
};

const cell = (text) => text.replaceAll('|', '\\|');
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
const sentence = (text) => text[0].toUpperCase() + text.slice(1);

const pageText = async () => {
  const marks = await openMarks();
  if (marks.length === 0) throw new Error('No guess was found: the search is broken, or this page needs other words.');
  return `<!-- Written by \`npm run docs:generate\` from scripts/contract-silences.mjs and the \`open:\` marks in the code. -->

# What is not emulated

Where the contract is silent Atoll had to choose. A client should depend on none of this without asking its own repository: here is
what was chosen, and how well it is founded. Where a real site is known and Atoll departs from it on purpose,
[differences](differences.md) says so.

## Where the contract says nothing

"Recorded": seen on a real site. "Reference": read in the platform's code. "Decided": chosen here.

${table(
  ['In the contract', 'It does not say', 'Atoll', 'From'],
  silences.map(({ place, silent, choice, from }) => [place, silent, choice, from]),
)}

## What is not there

${table(['Part', 'Instead'], absences)}

## Guesses

${marks.length} places in the code where no source decides, by their own comments:

${table(
  ['Where', 'What is guessed'],
  marks.map(({ file, guess }) => [`\`${file}\``, sentence(guess)]),
)}
`;
};

const main = async () => {
  const file = join(root, page);
  const written = await format(await pageText(), { ...(await resolveConfig(file)), parser: 'markdown' });
  if (!process.argv.includes('--check')) return writeFile(file, written);
  if ((await readFile(file, 'utf8').catch(() => '')) === written) return undefined;
  process.stderr.write(`${page} is not what the code says. Run \`npm run docs:generate\`.\n`);
  process.exitCode = 1;
};

if (process.argv[1] === import.meta.filename) await main();
