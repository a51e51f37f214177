/** The rules of the house: which file may import what. The order of the rooms is read from docs/inside/architecture.md. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const architecture = readFileSync(join(root, 'docs/inside/architecture.md'), 'utf8');

/** A TypeScript file of the program with what it imports: paths from the root, and packages by their first words. */
type Source = { readonly path: string; readonly text: string; readonly files: string[]; readonly packages: string[] };

const read = (path: string): Source => {
  const text = readFileSync(join(root, path), 'utf8');
  const imported = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  return {
    path,
    text,
    files: imported
      .filter((name) => name.startsWith('.'))
      .map((name) => normalize(join(dirname(path), name)))
      .filter((name) => name.endsWith('.ts')),
    packages: imported.filter((name) => !name.startsWith('.')),
  };
};

const everything = ['src', 'handlers'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
);
const sources = everything.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts')).map(read);

/** The fenced block after this heading. */
const blockAfter = (heading: string): string => {
  const [, rest = ''] = architecture.split(`\n## ${heading}\n`);
  return /```text\n([\s\S]*?)```/.exec(rest)?.[1] ?? '';
};

/** The rooms in their order, as the page lists them. */
const line = blockAfter('The line of rooms')
  .split(/[\s→,]+/)
  .filter((word) => word !== '');

/** A room is a folder below `src` with all its folders, or a single file in `src` itself; `handlers` is one too. */
const roomOf = (path: string): string => {
  const [first = '', second = ''] = path.split('/');
  return first === 'src' ? second.replace(/\.ts$/, '') : first;
};

const edges = sources.flatMap(({ path, files }) => files.map((file) => ({ from: path, to: file })));
const show = ({ from, to }: { from: string; to: string }): string => `${from} -> ${to}`;

/** Files that import a package from where it does not belong; `node:fs` stands for `node:fs/promises` too. */
const strangers = (name: string, isAllowed: (path: string) => boolean): string[] =>
  sources
    .filter(({ packages }) => packages.some((each) => each === name || each.startsWith(`${name}/`)))
    .map(({ path }) => path)
    .filter((path) => !isAllowed(path));

describe('The line of rooms', () => {
  it('names every room once, and no other', () => {
    expect([...line].sort()).toEqual([...new Set(sources.map(({ path }) => roomOf(path)))].sort());
  });

  it('has no room of more than 25 files in one folder', () => {
    const counts = new Map<string, number>();
    for (const { path } of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
  });
});

describe('A file', () => {
  it('is found with what it imports', () => {
    const engine = sources.find(({ path }) => path === 'src/engine/engine.ts');
    expect(engine?.files).toEqual(expect.arrayContaining(['src/problem.ts', 'src/engine/router.ts', 'src/world.ts']));
    expect(edges.filter(({ to }) => !existsSync(join(root, to))).map(show)).toEqual([]);
  });

  it('imports from its own room or from a room that stands before it', () => {
    const backwards = edges.filter(({ from, to }) => line.indexOf(roomOf(to)) > line.indexOf(roomOf(from)));
    expect(backwards.map(show)).toEqual([]);
  });

  it('is not imported in a circle', () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      if (done.has(path) || trail.includes(path)) return;
      for (const { to } of edges.filter(({ from }) => from === path)) visit(to, [...trail, path]);
      done.add(path);
    };
    for (const { path } of sources) visit(path, []);
    expect(circles).toEqual([]);
  });

  it('imports a package only where it belongs', () => {
    const isIn =
      (...rooms: string[]) =>
      (path: string) =>
        rooms.includes(roomOf(path));
    expect(strangers('openapi-backend', (path) => path === 'src/engine/backend.ts')).toEqual([]);
    expect(strangers('express', isIn('server'))).toEqual([]);
    expect(strangers('lowdb', isIn('storage'))).toEqual([]);
    expect(strangers('csv-parse', isIn('drupal'))).toEqual([]);
    expect(strangers('js-yaml', isIn('site', 'drupal'))).toEqual([]);
    expect(
      strangers('node:fs', isIn('site', 'drupal', 'storage', 'document', 'worlds', 'server', 'client', 'cli')),
    ).toEqual([]);
    expect(
      sources.flatMap(({ packages }) => packages.filter((name) => name === 'fs' || name.startsWith('fs/'))),
    ).toEqual([]);
  });

  it('of storage knows of other rooms the model alone', () => {
    const foreign = edges.filter(({ from, to }) => roomOf(from) === 'storage' && roomOf(to) !== 'storage');
    const others = foreign.filter(({ to }) => !['problem', 'model', 'site'].includes(roomOf(to)));
    expect(others.map(show)).toEqual([]);
  });

  it('other than main leaves the commands and the environment alone', () => {
    const commands = edges.filter(({ from, to }) => roomOf(to) === 'cli' && roomOf(from) !== 'cli');
    expect(commands.filter(({ from }) => from !== 'src/main.ts').map(show)).toEqual([]);
    expect(edges.filter(({ to }) => to === 'src/main.ts').map(show)).toEqual(['src/guard.ts -> src/main.ts']);
    const environment = sources.filter(({ text }) => /process\.env\b|process\['env'\]/.test(text));
    // The library finds there whether `atoll exec` runs it.
    expect(environment.map(({ path }) => path).sort()).toEqual(['src/atoll.ts', 'src/main.ts']);
  });

  it('has named exports and a name that says what is inside', () => {
    expect(sources.filter(({ text }) => /^export default\b/m.test(text)).map(({ path }) => path)).toEqual([]);
    expect(
      everything.filter((path) => /(^|\/)(index\.ts$|utils?|helpers?|common|shared|misc)(\/|\.ts$|$)/.test(path)),
    ).toEqual([]);
    const names = sources.map(({ path }) => path).filter((path) => !/(^|\/)[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(path));
    expect(names).toEqual([]);
  });

  it('opens with a sentence that says what lives in it', () => {
    const mute = sources.filter(({ text, path }) => !text.startsWith('/**') && roomOf(path) !== 'generated');
    expect(mute.map(({ path }) => path)).toEqual([]);
  });
});
