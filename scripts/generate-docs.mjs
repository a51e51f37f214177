/**
 * Generates docs/use/not-emulated.md from the code, the table of docs/use/differences.md from data/differences.yml, that of
 * docs/use/commands.md from the table of start options and the document of the control interface, and the lists of llms.txt from the pages. With `--check` it only compares, and ends with 1 if one of them is stale.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { absences, silences } from './contract-silences.mjs';
import { llmsText } from './llms-pages.mjs';
import { optionRows } from './option-table.mjs';

const root = join(import.meta.dirname, '..');
const page = 'docs/use/not-emulated.md';
const differencesPage = 'docs/use/differences.md';
const commandsPage = 'docs/use/commands.md';

/** The folders whose comments mark guesses with `open:`. */
const folders = ['src', 'handlers', 'data/site', 'data/sites'];

const sources = async () => {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true });
      return names.filter((name) => /\.(ts|ya?ml)$/.test(name)).map((name) => join(folder, name));
    }),
  );
  return ['openapi.yaml', ...found.flat()].sort();
};

/** The comments of a text, each as one line without comment signs. Successive lines of `//` or `#` are one comment. */
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

/** All guesses in the code: the text from each `open:` to the end of its comment. */
const openMarks = async () => {
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

Where the contract is silent, Atoll had to choose. This page lists each choice and its source. Your client should not depend on them
unless your own repository does the same. [Differences](differences.md) lists where Atoll departs from a real site on purpose.

## Where the contract says nothing

"Recorded": seen on a real site. "Platform": read in the platform's code. "Decided": chosen by Atoll.

${table(
  ['Topic', 'What the contract does not say', 'What Atoll does', 'Source'],
  silences.map(({ topic, unspecified, choice, source }) => [topic, unspecified, choice, source]),
)}

## What Atoll does not have

${table(['Part', 'Instead'], absences)}

## Guesses

In ${marks.length} places of the code no source decides. Their comments say:

${table(
  ['Where', 'What is guessed'],
  marks.map(({ file, guess }) => [`\`${file}\``, sentence(guess)]),
)}
`;
};

/** A page with another text between the comments `<!-- NAME -->` and `<!-- /NAME -->`. */
const withPart = async (file, name, part) => inPart(await readFile(join(root, file), 'utf8'), name, part);

const inPart = (text, name, part) =>
  // A function: `$` in a text stays as it is.
  text.replace(new RegExp(`(?<=<!-- ${name} -->\n\n)[^]*?(?=\n\n<!-- /${name} -->)`), () => part);

const differencesText = async () => {
  const { differences } = parse(await readFile(join(root, 'data/differences.yml'), 'utf8'));
  const rows = differences.map(({ question, real, atoll, why }) => [question, real, atoll, why]);
  return withPart(differencesPage, 'differences', table(['Question', 'A real site', 'Atoll', 'Why'], rows));
};

/** The operations of the control interface that have a command or a function, in the order of the document. */
const operationsTable = async () => {
  const { paths } = parse(await readFile(join(root, 'src/server/control/openapi.yaml'), 'utf8'));
  const code = (text) => (text === undefined ? '' : `\`${text}\``);
  const rows = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .map(({ summary, 'x-atoll-help': help = summary, ...operation }) => [
      code(operation['x-atoll-command']?.replace(/=\w+/, '')),
      code(operation['x-atoll-function']?.replace(/^server/, 'atoll').replace(/\(.*/, '')),
      code(operation['x-atoll-tool']),
      help,
    ])
    .filter(([command, called]) => command + called !== '');
  const head = ['Command of a running server', 'Function', 'Tool and action', 'What it does'];
  return table(head, rows);
};

const commandsText = async () =>
  inPart(
    await withPart(commandsPage, 'options', table(['Option', 'What it does', 'Also in'], await optionRows())),
    'operations',
    await operationsTable(),
  );

const formatted = async (file, text) =>
  format(text, { ...(await resolveConfig(join(root, file))), parser: 'markdown' });

/** What is generated, by file. */
const generated = {
  [page]: async () => formatted(page, await pageText()),
  [differencesPage]: async () => formatted(differencesPage, await differencesText()),
  [commandsPage]: async () => formatted(commandsPage, await commandsText()),
  'llms.txt': () => llmsText(root),
};

const main = async () => {
  const isCheck = process.argv.includes('--check');
  for (const [name, write] of Object.entries(generated)) {
    const file = join(root, name);
    const written = await write();
    if ((await readFile(file, 'utf8').catch(() => '')) === written) continue;
    if (!isCheck) {
      await writeFile(file, written);
    } else {
      process.stderr.write(`${name} is not what its sources say. Run \`npm run docs:generate\`.\n`);
      process.exitCode = 1;
    }
  }
};

if (process.argv[1] === import.meta.filename) await main();
