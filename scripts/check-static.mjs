/**
 * `npm run check:static`: generated files, types, lint, words, documents, format. Two lanes beside each other; what each says is printed
 * when it ends. What did not change since it was found right is passed over (`coverage/checked`, `coverage/formatted`).
 */
import { spawn } from 'node:child_process';
import { generate } from './generate-types.mjs';

/** Resolves with the exit code of a program of Node, whose output comes in one piece. */
const run = (...args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args);
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => said.push(bytes));
    child.on('error', reject);
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(said));
      resolve(code ?? 1);
    });
  });

const formatted = ['--cache', '--cache-strategy', 'content', '--cache-location', 'coverage/formatted'];

/** The programs of a lane, one after another. */
const lanes = [
  [['--max-semi-space-size=64', 'scripts/check-sources.mjs']],
  [
    ['scripts/lint-words.mjs'],
    ['scripts/lint-documents.mjs'],
    ['node_modules/prettier/bin/prettier.cjs', '--check', ...formatted, '.'],
  ],
];

await generate();
const codes = await Promise.all(
  lanes.map(async (programs) => {
    const ended = [];
    for (const args of programs) ended.push(await run(...args));
    return ended;
  }),
);
process.exitCode = Math.max(...codes.flat());
