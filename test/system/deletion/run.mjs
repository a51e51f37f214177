/**
 * Deletes parts of the program, each in a copy of its own, and holds what is left to its types and some of its tests:
 * `npm run test:suite -- deletion`, or `run.mjs --part team` for one row of `parts.mjs`. Tests of a deleted part go with it, and so
 * do those that import one of them. What is in the way of a deletion is an error of the compiler, which is printed.
 */
import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { generate } from '../../../scripts/generate-types.mjs';
import { copyTree } from './copied-tree.mjs';
import { deletions } from './parts.mjs';

const root = join(import.meta.dirname, '../../..');
const { values } = parseArgs({ options: { part: { type: 'string', multiple: true } } });
const names = values.part ?? Object.keys(deletions);
const unknown = names.filter((name) => !Object.hasOwn(deletions, name));
if (unknown.length > 0)
  throw new Error(`parts.mjs has no ${unknown.join(', ')}, but ${Object.keys(deletions).join(', ')}.`);

/** Runs Node to its end. Throws with what it wrote when it does not end with `code`. */
const run = (folder, args, code = 0) => {
  const ended = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const written = `${ended.stdout}${ended.stderr}`;
  if (ended.status !== code)
    throw new Error(`${args.join(' ')} ended with ${ended.status ?? ended.signal}:\n${written}`);
  return written;
};

const deletePart = (tree, { paths, lines }) => {
  const files = paths.reduce((sum, path) => sum + tree.deletePath(path), 0);
  const texts = Object.entries(lines).flatMap(([path, ofPath]) => ofPath.map((text) => [path, text]));
  for (const [path, text] of texts) tree.deleteLine(path, text);
  const dependents = tree.deleteDependents();
  return `${files} files, ${texts.length} ${texts.length === 1 ? 'line' : 'lines'} and ${dependents.length} files of tests deleted`;
};

const compiler = 'node_modules/typescript/bin/tsc';

/** Whether a project has a file that is changed. One that has none is as the whole tree has it, which `npm run typecheck` checks. */
const isConcerned = (tree, project) =>
  project === '.' ||
  run(root, [compiler, '--listFilesOnly', '-p', project])
    .split('\n')
    .some((file) => tree.isChanged(relative(root, file).replaceAll('\\', '/')));

const check = (name) => {
  const part = deletions[name];
  const tree = copyTree(root);
  const stop = () => {
    tree.remove();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
  try {
    console.log(`${name}: ${deletePart(tree, part)}`);
    const lost = part.tests.filter((path) => !tree.has(path));
    if (lost.length > 0) throw new Error(`${lost.join(', ')} went with the part.`);
    for (const project of part.projects.filter((each) => isConcerned(tree, each)))
      run(tree.folder, [compiler, '--noEmit', '-p', project]);
    console.log(`${name}: the rest type-checks`);
    const tested = run(tree.folder, ['scripts/jest.mjs', ...part.tests]);
    console.log(`${name}: ${/^Tests: +(.+)$/m.exec(tested)?.[1] ?? 'no test ran'}`);
    for (const { args, code, says } of part.commands) {
      const said = run(tree.folder, ['coverage/main.js', ...args], code);
      if (!said.includes(says)) throw new Error(`atoll ${args.join(' ')} does not say "${says}":\n${said}`);
    }
    return true;
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    return false;
  } finally {
    tree.remove();
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop);
  }
};

await generate();
const kept = names.filter((name) => !check(name));
console.log(kept.length === 0 ? 'Every part can be deleted.' : `Not to be deleted: ${kept.join(', ')}`);
process.exitCode = kept.length === 0 ? 0 : 1;
