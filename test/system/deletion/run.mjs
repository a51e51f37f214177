/**
 * Deletes parts of the program, one after the other in a copy, and holds what is left to its types and some of its tests:
 * `npm run test:suite -- deletion`, or `run.mjs --part team` for one row of `parts.mjs`, `--turn` for a third of them, as the commit
 * decides. Tests of a deleted part go with it, and so do those that import one of them. What is in the way of a deletion is an error of
 * the compiler, which is printed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { generate } from '../../../scripts/generate-types.mjs';
import { rowsOfTurn, turnOf } from '../../../scripts/turn.mjs';
import { copyTree } from './copied-tree.mjs';
import { deletions } from './parts.mjs';

const root = join(import.meta.dirname, '../../..');
const { values } = parseArgs({
  options: { part: { type: 'string', multiple: true }, turn: { type: 'boolean', default: false } },
});
/** What composes the parts, and who imports what, decide whether a part can be deleted. */
const turn = values.turn ? turnOf(3, ['test/system/deletion', 'src/cli/rim.ts', 'src/mcp/rim.ts']) : 'all';
const names = values.part ?? rowsOfTurn(Object.keys(deletions), turn, 3);
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

/** The files of a project in the whole tree, as paths from its root. */
const filesOf = (project) =>
  run(root, [compiler, '--listFilesOnly', '-p', project])
    .split('\n')
    .map((file) => relative(root, file).replaceAll('\\', '/'));

/**
 * The projects that `npm run typecheck` checks besides that of the whole tree. Files of `test/browser` that import a deleted part go with it,
 * and what is left there imports what the whole tree has checked.
 */
const otherProjects = ['console'].map((project) => ({ project, files: filesOf(project) }));

/** Those that have a file that is changed. One that has none is as the whole tree has it. */
const concerned = (tree) =>
  otherProjects
    .filter(({ project, files }) => tree.has(`${project}/tsconfig.json`) && files.some((file) => tree.isChanged(file)))
    .map(({ project }) => project);

/** Starts a server, and holds what it answers to what is expected. */
const serve = async (folder, { args, asks }) => {
  const child = spawn(
    process.execPath,
    ['coverage/main.js', 'serve', '--port', '0', '--memory', '--json', '--log-level', 'warn', ...args],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise((resolve) => child.on('close', resolve));
  try {
    const [line] = await once(child.stdout, 'data');
    const { url } = JSON.parse(String(line));
    for (const { method = 'GET', path, body, status, says } of asks) {
      const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
      const text = await response.text();
      if (response.status !== status || !text.includes(says))
        throw new Error(`${method} ${path} is answered ${response.status}:\n${text}`);
    }
  } finally {
    child.kill('SIGTERM');
  }
  const code = await ended;
  if (code !== 0) throw new Error(`serve ${args.join(' ')} ended with ${code}.`);
};

const check = async (name, tree) => {
  const part = deletions[name];
  const begun = performance.now();
  const tell = (text) => console.log(`${name}: ${text} (${Math.round((performance.now() - begun) / 1000)} s)`);
  try {
    tell(deletePart(tree, part));
    const lost = part.tests.filter((path) => !tree.has(path));
    if (lost.length > 0) throw new Error(`${lost.join(', ')} went with the part.`);
    for (const project of ['.', ...concerned(tree)]) run(tree.folder, [compiler, '--noEmit', '-p', project]);
    tell('the rest type-checks');
    const tested = run(tree.folder, ['scripts/jest.mjs', ...part.tests]);
    tell(/^Tests: +(.+)$/m.exec(tested)?.[1] ?? 'no test ran');
    for (const { args, code, says } of part.commands) {
      const said = run(tree.folder, ['coverage/main.js', ...args], code);
      if (!said.includes(says)) throw new Error(`atoll ${args.join(' ')} does not say "${says}":\n${said}`);
    }
    if (part.serves !== undefined) {
      await serve(tree.folder, part.serves);
      tell(`serve ${part.serves.args.join(' ')} answers ${part.serves.asks.length} requests`);
    }
    return true;
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    return false;
  } finally {
    tree.putBack();
  }
};

await generate();
const tree = copyTree(root);
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    tree.remove();
    process.exit(1);
  });
try {
  const kept = [];
  for (const name of names) if (!(await check(name, tree))) kept.push(name);
  console.log(
    kept.length === 0
      ? `${turn === 'all' ? 'Every part' : `Each of ${names.join(', ')}`} can be deleted.`
      : `Not to be deleted: ${kept.join(', ')}`,
  );
  process.exitCode = kept.length === 0 ? 0 : 1;
} finally {
  tree.remove();
}
