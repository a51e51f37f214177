/** The rules of the house: which file may import what. The floors are read from the table in docs/architecture.md. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

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
const folders = new Set(sources.map(({ path }) => dirname(path)));

/** The rows of the table whose first column has this title, without their head. Cells are trimmed. */
const tableOf = (title: string): string[][] => {
  const lines = architecture.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${title} `));
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
};
const codeIn = (cell: string | undefined): string[] =>
  [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

const rooms = tableOf('Room').map(([room, floor, others = '']) => ({
  room: codeIn(room)[0] ?? '',
  floor: Number(floor),
  others: new Map(
    others
      .split(';')
      .flatMap((group) => codeIn(group).map((file): [string, number] => [file, Number.parseInt(group, 10)])),
  ),
}));
const sideways = tableOf('From').map(([from, to]) => `${codeIn(from)[0]} -> ${codeIn(to)[0]}`);

const floorOf = (path: string): number => {
  const room = rooms.find((each) => each.room === dirname(path));
  if (room === undefined) throw new Error(`${dirname(path)} is not in the table of docs/architecture.md`);
  return room.others.get(path.slice(dirname(path).length + 1, -'.ts'.length)) ?? room.floor;
};
const isRoof = (path: string): boolean => floorOf(path) === 8;
const edges = sources.flatMap(({ path, files }) => files.map((file) => ({ from: path, to: file })));
const show = ({ from, to }: { from: string; to: string }): string => `${from} -> ${to}`;

const mayImport = (from: string, to: string): boolean => {
  const [home, away] = [dirname(from), dirname(to)];
  if (floorOf(to) < floorOf(from)) return true;
  if (home === away) return (home !== 'src' && home !== 'handlers') || (isRoof(from) && isRoof(to));
  return floorOf(to) === floorOf(from) && sideways.includes(`${home} -> ${away}`);
};

/** Files that import a package from where it does not belong; `node:fs` stands for `node:fs/promises` too. */
const strangers = (name: string, isAllowed: (path: string) => boolean): string[] =>
  sources
    .filter(({ packages }) => packages.some((each) => each === name || each.startsWith(`${name}/`)))
    .map(({ path }) => path)
    .filter((path) => !isAllowed(path));

describe('The table of rooms', () => {
  it('names the folders that there are', () => {
    expect(rooms.map(({ room }) => room).sort()).toEqual([...folders].sort());
  });

  it('gives a floor to every room, and exceptions only for files that exist', () => {
    for (const { room, floor, others } of rooms) {
      expect([room, floor >= 0 && floor <= 8]).toEqual([room, true]);
      for (const [file, other] of others) {
        expect([room, file, existsSync(join(root, room, `${file}.ts`))]).toEqual([room, file, true]);
        expect([room, file, Number.isInteger(other) && other !== floor]).toEqual([room, file, true]);
      }
    }
  });

  it('allows no import between rooms of one floor that nobody needs', () => {
    const used = new Set(
      edges
        .filter(({ from, to }) => floorOf(from) === floorOf(to))
        .map(({ from, to }) => `${dirname(from)} -> ${dirname(to)}`),
    );
    expect(sideways.filter((pair) => !used.has(pair))).toEqual([]);
  });
});

describe('A file', () => {
  it('is found with what it imports', () => {
    const engine = sources.find(({ path }) => path === 'src/contract/engine.ts');
    expect(engine?.files).toEqual(expect.arrayContaining(['src/problem.ts', 'src/contract/router.ts', 'src/world.ts']));
    expect(edges.filter(({ to }) => !existsSync(join(root, to))).map(show)).toEqual([]);
  });

  it('imports from its own room or from a lower floor', () => {
    expect(edges.filter(({ from, to }) => !mayImport(from, to)).map(show)).toEqual([]);
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

  it('imports no package when it is on floor 0', () => {
    const words = sources.filter(({ path }) => floorOf(path) === 0);
    expect(words.length).toBeGreaterThanOrEqual(4);
    expect(words.filter(({ packages }) => packages.length > 0).map(({ path }) => path)).toEqual([]);
  });

  it('imports a package only where it belongs', () => {
    expect(strangers('openapi-backend', (path) => path === 'src/contract/backend.ts')).toEqual([]);
    expect(strangers('express', (path) => path.startsWith('src/http/') || path === 'src/app.ts')).toEqual([]);
    expect(strangers('lowdb', (path) => path.startsWith('src/storage/'))).toEqual([]);
    expect(strangers('node:fs', (path) => [2, 7, 8].includes(floorOf(path)))).toEqual([]);
    expect(
      sources.flatMap(({ packages }) => packages.filter((name) => name === 'fs' || name.startsWith('fs/'))),
    ).toEqual([]);
  });

  it('outside control and the roof knows of storage the ports alone', () => {
    const implementations = edges.filter(
      ({ from, to }) => dirname(to) === 'src/storage' && floorOf(to) === 2 && dirname(from) !== 'src/storage',
    );
    const strange = implementations.filter(({ from }) => dirname(from) !== 'src/control' && !isRoof(from));
    expect(strange.map(show)).toEqual([]);
  });

  it('in storage knows of content the words alone', () => {
    const known = edges.filter(({ from, to }) => dirname(from) === 'src/storage' && dirname(to) === 'src/content');
    expect([...new Set(known.map(({ to }) => to))]).toEqual(['src/content/entity.ts']);
  });

  it('other than main leaves the commands and the environment alone', () => {
    const commands = edges.filter(({ from, to }) => dirname(to) === 'src/cli' && dirname(from) !== 'src/cli');
    expect(commands.filter(({ from }) => from !== 'src/main.ts').map(show)).toEqual([]);
    expect(edges.filter(({ to }) => to === 'src/main.ts').map(show)).toEqual([]);
    const environment = sources.filter(({ text }) => /process\.env\b|process\['env'\]/.test(text));
    expect(environment.map(({ path }) => path).filter((path) => path !== 'src/main.ts')).toEqual([]);
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
    const mute = sources.filter(({ text, path }) => !text.startsWith('/**') && !path.endsWith('generated.ts'));
    expect(mute.map(({ path }) => path)).toEqual([]);
  });
});
