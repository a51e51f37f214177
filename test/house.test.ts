/** The rules of the house: which file may import what. The tables of the parts are read from docs/inside/architecture.md, the line of the console too. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { publicBrowserEntries, publicNodeEntries } from '../scripts/public-entries.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const architecture = readFileSync(join(root, 'docs/inside/architecture.md'), 'utf8');

/** A TypeScript file of the program with what it imports: paths from the root, and packages by their first words. */
type Source = { readonly path: string; readonly text: string; readonly files: string[]; readonly packages: string[] };

const sourceName = /\.tsx?$/;

const read = (path: string): Source => {
  const text = readFileSync(join(root, path), 'utf8');
  const imported = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  return {
    path,
    text,
    files: imported
      .filter((name) => name.startsWith('.'))
      .map((name) => normalize(join(dirname(path), name)))
      .filter((name) => sourceName.test(name)),
    packages: imported.filter((name) => !name.startsWith('.')),
  };
};

const namesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
const everything = ['src', 'handlers'].flatMap(namesBelow);
const sources = everything.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts')).map(read);

/** The fenced block after this heading. */
const blockAfter = (heading: string): string => {
  const [, rest = ''] = architecture.split(`\n${heading}\n`);
  return /```text\n([\s\S]*?)```/.exec(rest)?.[1] ?? '';
};

/** The rows of the table whose first heading is this, without markup: the texts of its cells. */
const tableUnder = (heading: string): string[][] => {
  const lines = architecture.split('\n');
  const first = lines.findIndex((line) => line.startsWith(`| ${heading} `));
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
  return lines.slice(first + 2, first + length).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
};

const namesOf = (cell: string): string[] => cell.split(/[\s,]+/).filter((word) => word !== '');

/** The parts, each with those that it may import. `cli` may import all. */
const parts = new Map(tableUnder('Part').map(([name = '', , imported = '']) => [name, namesOf(imported)]));

/** A part is a folder of `src`; `handlers` is one, too. */
const partOf = (path: string): string => {
  const [first = '', second = ''] = path.split('/');
  return first === 'src' ? second : first;
};

/** A room is a folder of a part. Files beside the rooms are in none. */
const roomOf = (path: string): string | undefined => {
  const [, part = '', room = '', file] = path.split('/');
  return file === undefined ? undefined : `${part}/${room}`;
};

const isGenerated = (path: string): boolean => /^src\/\w+\/generated\//.test(path);

type Edge = { readonly from: string; readonly to: string };
const edgesOf = (from: readonly Source[]): Edge[] =>
  from.flatMap(({ path, files }) => files.map((file) => ({ from: path, to: file })));
const edges = edgesOf(sources);
const show = ({ from, to }: Edge): string => `${from} -> ${to}`;

/** Folders with more than 25 sources. */
const fullFolders = (files: readonly Source[]): (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 25);
};

/** Circles of imports, each as a text. */
const circlesIn = (files: readonly Pick<Source, 'path' | 'files'>[]): string[] => {
  const imports = new Map(files.map(({ path, files: to }) => [path, to]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
    if (done.has(path) || trail.includes(path)) return;
    for (const to of imports.get(path) ?? []) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return circles;
};

const oddName = /(^|\/)(index\.tsx?$|utils?|helpers?|common|shared|misc)(\/|\.tsx?$|$)/;
const plainName = /(^|\/)[a-z0-9]+(-[a-z0-9]+)*\.tsx?$/;
const pathsWhere = (files: readonly Source[], isOdd: (source: Source) => boolean): string[] =>
  files.filter(isOdd).map(({ path }) => path);

/** Files that import a package from where it does not belong; `node:fs` stands for `node:fs/promises` too. */
const strangers = (name: string, isAllowed: (path: string) => boolean): string[] =>
  sources
    .filter(({ packages }) => packages.some((each) => each === name || each.startsWith(`${name}/`)))
    .map(({ path }) => path)
    .filter((path) => !isAllowed(path));

describe('The parts', () => {
  it('are those of the table, at most 15 entries of src, none above 23,000 lines', () => {
    expect([...parts.keys()].sort()).toEqual([...new Set(sources.map(({ path }) => partOf(path)))].sort());
    expect(readdirSync(join(root, 'src')).length).toBeLessThanOrEqual(15);
    const lines = new Map<string, number>();
    for (const { path, text } of sources.filter((source) => !isGenerated(source.path)))
      lines.set(partOf(path), (lines.get(partOf(path)) ?? 0) + text.split('\n').length - 1);
    expect([...lines].filter(([, count]) => count > 23_000)).toEqual([]);
  });

  it('have a README of one screen that names the part, its way in, and how to run its tests', () => {
    const lacking = [...parts.keys()]
      .filter((part) => part !== 'handlers')
      .filter((part) => {
        const file = join(root, 'src', part, 'README.md');
        const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
        return !(/npm test -- test\//.test(text) && text.split('\n').length <= 60);
      });
    expect(lacking).toEqual([]);
  });

  it('have no rooms that import each other, nor a circle of rooms', () => {
    const rooms = edges
      .filter(({ from, to }) => partOf(from) === partOf(to) && from.startsWith('src/') && ![from, to].some(isGenerated))
      .map(({ from, to }) => [roomOf(from), roomOf(to)] as const)
      .flatMap(([from, to]) => (from === undefined || to === undefined || from === to ? [] : [{ from, to }]));
    const imports = new Map<string, Set<string>>();
    for (const { from, to } of rooms) imports.set(from, (imports.get(from) ?? new Set()).add(to));
    expect([...imports.values()].flatMap((each) => [...each]).length).toBeGreaterThan(100);
    expect(circlesIn([...imports].map(([path, each]) => ({ path, files: [...each] })))).toEqual([]);
  });

  it('have no folder of more than 25 files', () => {
    expect(fullFolders(sources.filter(({ path }) => !isGenerated(path)))).toEqual([]);
  });
});

/** How many names the doors of a part may give, by its name. `basics` is a library, and nobody imports `cli`. */
const limits = new Map(tableUnder('Doors of').map(([name = '', , most = '']) => [name, Number(most)]));

/** `src/storage/storage-export.ts` is a door of `storage`: it lies beside the rooms, and only exports what is behind it. */
const doors = sources.filter(isDoor).map(({ path }) => path);

function isDoor({ path, text }: Source): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1, -'.ts'.length);
  const isNamed = name === partOf(path) || name.startsWith(`${partOf(path)}-`);
  return isNamed && roomOf(path) === undefined && statementsIn(text).every((each) => ts.isExportDeclaration(each));
}

function statementsIn(text: string): readonly ts.Statement[] {
  return ts.createSourceFile('door.ts', text, ts.ScriptTarget.Latest, true).statements;
}

/** The exports of a door: what each gives, and whether a sentence stands before it. */
const exportsOf = (door: string) => {
  const text = sources.find(({ path }) => path === door)?.text ?? '';
  return statementsIn(text).flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) return [];
    const { exportClause } = statement;
    const given = exportClause !== undefined && ts.isNamedExports(exportClause) ? exportClause.elements : [];
    const hasSentence = ts.getLeadingCommentRanges(text, statement.pos) !== undefined;
    return { names: given.map(({ name }) => name.text), hasSentence };
  });
};

describe('The doors', () => {
  const doorsOf = (part: string): string[] => doors.filter((path) => partOf(path) === part);

  it('are one to four for each part but tools and the command line, five for the engine', () => {
    expect([...limits.keys()].sort()).toEqual(
      [...parts.keys()].filter((name) => !['basics', 'cli'].includes(name)).sort(),
    );
    for (const part of limits.keys()) {
      const own = doorsOf(part);
      expect(own).toContain(part === 'handlers' ? 'handlers/handlers.ts' : `src/${part}/${part}.ts`);
      expect(own.length).toBeLessThanOrEqual(part === 'openapi' ? 5 : 4);
    }
  });

  it('give one name at a time, each with its sentence, as many as the table allows', () => {
    const others = doors.flatMap((door) =>
      exportsOf(door).filter(({ names, hasSentence }) => names.length !== 1 || !hasSentence),
    );
    expect(others).toEqual([]);
    const counts = [...limits.keys()].map((part) => [part, doorsOf(part).flatMap(exportsOf).length] as const);
    expect(counts.filter(([part, count]) => count > (limits.get(part) ?? 0))).toEqual([]);
  });

  it('are for others: no file of a part imports its own', () => {
    expect(edges.filter(({ from, to }) => doors.includes(to) && partOf(from) === partOf(to)).map(show)).toEqual([]);
  });
});

describe('A file', () => {
  it('is found with what it imports', () => {
    const engine = sources.find(({ path }) => path === 'src/repository/engine/engine.ts');
    expect(engine?.files).toEqual(
      expect.arrayContaining([
        'src/openapi/openapi-terms.ts',
        'src/repository/engine/finish.ts',
        'src/repository/world.ts',
      ]),
    );
    expect(edges.filter(({ to }) => !existsSync(join(root, to))).map(show)).toEqual([]);
  });

  it('imports from its own part, what is generated, or from those that the table allows', () => {
    const isAllowed = ({ from, to }: Edge): boolean => {
      const [own, other] = [partOf(from), partOf(to)];
      const allowed = parts.get(own) ?? [];
      return own === other || isGenerated(to) || allowed.includes(other) || allowed.includes('all');
    };
    expect(edges.filter((edge) => !isAllowed(edge)).map(show)).toEqual([]);
  });

  it('imports another part by its doors alone', () => {
    const isForeign = ({ from, to }: Edge): boolean =>
      partOf(from) !== partOf(to) && limits.has(partOf(to)) && !isGenerated(to) && !doors.includes(to);
    const ofConsole = edgesOf(consoleSources).filter(({ to }) => to.startsWith('src/'));
    expect([...edges, ...ofConsole].filter(isForeign).map(show)).toEqual([]);
  });

  it('outside of team says nothing of several processes, apart from options and messages of the command line', () => {
    const severalProcesses = /\b(?:several|all|both|other|each)(?: other)? process(?:es)?\b|\bteam server\b/i;
    const others = sources.filter(({ path }) => partOf(path) !== 'team' && !isGenerated(path));
    const speaking = others.filter(({ text }) => severalProcesses.test(text));
    expect(speaking.map(({ path }) => path).sort()).toEqual([
      'src/cli/serving/content-lines.ts',
      'src/server/options/content-options.ts',
    ]);
  });

  it('of the rim is imported by its rooms alone, and those by one line of a composing file', () => {
    const rim = ['team', 'sites', 'checks', 'browser', 'mcp'];
    const roomsOf = (part: string): string[] => [`src/${part}/`, `src/cli/${part}/`, `src/mcp/${part}/`];
    const lines = rim.flatMap((part) => {
      const isOfPart = (path: string): boolean =>
        !isGenerated(path) && roomsOf(part).some((room) => path.startsWith(room));
      return edges.filter(({ from, to }) => isOfPart(to) && !isOfPart(from)).map(show);
    });
    // The entry `atoll-server/verify` goes with its part.
    expect(lines.filter((line) => !line.startsWith('src/cli/entries/provider-testing.ts ')).sort()).toEqual([
      'src/cli/rim.ts -> src/cli/browser/part.ts',
      'src/cli/rim.ts -> src/cli/checks/part.ts',
      'src/cli/rim.ts -> src/cli/mcp/part.ts',
      'src/cli/rim.ts -> src/cli/sites/part.ts',
      'src/cli/rim.ts -> src/team/team.ts',
      'src/mcp/rim.ts -> src/mcp/checks/part.ts',
      'src/mcp/rim.ts -> src/mcp/sites/part.ts',
    ]);
  });

  it('is not imported in a circle', () => {
    expect(circlesIn(sources)).toEqual([]);
  });

  it('imports a package only where the table has it', () => {
    const table = new Map(tableUnder('Import').map(([name = '', where = '']) => [name, namesOf(where)]));
    const packageOf = (name: string): string =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/');
    const used = new Map<string, Set<string>>();
    for (const { path, packages } of sources)
      for (const name of packages.filter((each) => !each.startsWith('node:')).map(packageOf))
        used.set(name, (used.get(name) ?? new Set()).add(partOf(path)));
    const listed = [...table].filter(([name]) => !/^node:|\./.test(name));
    expect(new Map([...used].map(([name, where]) => [name, [...where].sort()]))).toEqual(
      new Map(listed.map(([name, where]) => [name, [...where].sort()])),
    );
    expect(strangers('node:fs', (path) => (table.get('node:fs') ?? []).includes(partOf(path)))).toEqual([]);
    expect(strangers('openapi-backend', () => false)).toEqual([]);
    const modules = sources.filter(({ path }) => partOf(path) === 'openapi').flatMap(({ packages }) => packages);
    expect([...new Set(modules.filter((name) => name.startsWith('node:')))]).toEqual(['node:stream']);
  });

  it('of the heart imports nothing of Node, nor its types', () => {
    const inner = sources.filter(({ path }) => ['repository', 'handlers'].includes(partOf(path)));
    expect(pathsWhere(inner, ({ text }) => /^(?:import|export)\s[^;]*?from 'node:[^']+';/m.test(text))).toEqual([]);
  });

  it('other than those of the command line leaves the environment alone', () => {
    const environment = sources.filter(({ text }) => /process\.env\b|process\['env'\]/.test(text));
    // The library and the fixtures of tests find there whether `atoll exec` runs them.
    expect(environment.map(({ path }) => path).sort()).toEqual([
      'src/cli/entries/in-process-atoll.ts',
      'src/cli/entries/main.ts',
      // Before any option is read: whether compiled code is kept.
      'src/cli/launch/kept-code.ts',
      'src/cli/testing/test-server.ts',
    ]);
  });

  it('other than the writer of XML has no markup of XML in it', () => {
    const written = /['"`](?:<\?xml version|<svg|<!\[CDATA\[)|\bxmlns="/;
    expect(pathsWhere(sources, ({ text }) => written.test(text))).toEqual(['src/basics/formats/xml.ts']);
  });

  it('has named exports and a name that says what is inside', () => {
    expect(pathsWhere(sources, ({ text }) => /^export default\b/m.test(text))).toEqual([]);
    expect(everything.filter((path) => oddName.test(path))).toEqual([]);
    expect(pathsWhere(sources, ({ path }) => !plainName.test(path))).toEqual([]);
  });

  it('opens with a sentence that says what lives in it', () => {
    const mute = sources.filter(({ text, path }) => !text.startsWith('/**') && !isGenerated(path));
    expect(mute.map(({ path }) => path)).toEqual([]);
  });
});

/** What a test imports of the library counts as a door: the modules behind the entries of the package, which users import too. */
const entries: readonly string[] = [...Object.values(publicNodeEntries), ...Object.values(publicBrowserEntries)];

/**
 * A room is tested in `test/ROOM` or `test/PART/ROOM`, and the files next to the rooms of a part in `test/PART`. Folders that belong to a
 * room and have another name, each with its reason:
 */
const otherFolders: Readonly<Record<string, readonly string[]>> = {
  // The same tests on a server of PostgreSQL, which a suite installs: all such suites are in `test/system`.
  'test/system/postgres': ['team/postgres'],
  // Times the statements of the database by themselves, beside those that a request sends.
  'bench/team': ['team/postgres', 'team'],
};

/** The folders that may import a file behind a door. */
const foldersOf = (path: string): readonly string[] => {
  const part = partOf(path);
  const room = roomOf(path.replace(/^handlers\//, 'src/handlers/'));
  const others = Object.keys(otherFolders).filter((folder) => otherFolders[folder]?.includes(room ?? part));
  return [
    ...(room === undefined ? [] : [`test/${room.slice(room.indexOf('/') + 1)}`]),
    `test/${room ?? part}`,
    ...others,
  ];
};

describe('A test, a benchmark and a script', () => {
  const users = ['test', 'bench', 'scripts']
    .flatMap(namesBelow)
    .filter((path) => /\.m?ts$|\.mjs$/.test(path) && !/\.d\.m?ts$|node_modules/.test(path))
    .map(read);
  const inner = edgesOf(users).filter(
    ({ to }) =>
      /^(?:src|handlers)\//.test(to) &&
      partOf(to) !== 'basics' &&
      !isGenerated(to) &&
      !doors.includes(to) &&
      !entries.includes(to),
  );
  const isOwn = ({ from, to }: Edge): boolean => foldersOf(to).some((folder) => from.startsWith(`${folder}/`));

  it('imports a part by its doors, and what is behind them only in the test folder of that room', () => {
    expect(users.some(({ path }) => path === 'test/collections/model.test.ts')).toBe(true);
    expect(inner.length).toBeGreaterThan(200);
    // Take the name from a door of the part, or move the test, or what it needs of the room, to one of these folders.
    const misplaced = inner.filter((edge) => !isOwn(edge));
    expect(misplaced.map((edge) => `${show(edge)} (a door, or in ${foldersOf(edge.to).join(', ')})`)).toEqual([]);
  });

  it('has no other folder than it needs', () => {
    const used = Object.keys(otherFolders).filter((folder) => inner.some(({ from }) => from.startsWith(`${folder}/`)));
    expect(used).toEqual(Object.keys(otherFolders));
  });
});

/** What the console is made of: `console/src/ui/menu.tsx` is in the room `ui`, `console/src/main.tsx` in `main`. */
const consoleNames = namesBelow('console/src');
const consoleSources = consoleNames.filter((path) => sourceName.test(path)).map(read);
const consoleEdges = edgesOf(consoleSources);
const consoleRoomOf = (path: string): string => (path.split('/')[2] ?? '').replace(sourceName, '');

/** Rooms with commas between them have the same place in the line. */
const consoleLine = blockAfter('### The console')
  .split('→')
  .map((place) => place.split(',').map((word) => word.trim()));
const placeOf = (path: string): number => consoleLine.findIndex((rooms) => rooms.includes(consoleRoomOf(path)));

describe('The console', () => {
  it('has the rooms of its line, each once, and no other', () => {
    const rooms = consoleLine.flat();
    expect([...rooms].sort()).toEqual([...new Set(consoleSources.map(({ path }) => consoleRoomOf(path)))].sort());
    expect(consoleLine.length).toBeGreaterThan(4);
    expect(fullFolders(consoleSources)).toEqual([]);
  });

  it('imports from its own rooms what stands before, no page from another page, and nothing in a circle', () => {
    const own = consoleEdges.filter(({ to }) => to.startsWith('console/'));
    expect(own.length).toBeGreaterThan(50);
    expect(own.filter(({ to }) => !existsSync(join(root, to))).map(show)).toEqual([]);
    const isAllowed = ({ from, to }: Edge): boolean =>
      placeOf(to) < placeOf(from) || consoleRoomOf(to) === consoleRoomOf(from);
    expect(own.filter((edge) => !isAllowed(edge)).map(show)).toEqual([]);
    expect(circlesIn(consoleSources)).toEqual([]);
  });

  it('knows of the server its client and the generated types alone, and the server nothing of it', () => {
    const foreign = consoleEdges.filter(({ to }) => !to.startsWith('console/src/'));
    expect(foreign.filter(({ to }) => !/^src\/client\//.test(to)).map(show)).toEqual([]);
    const modules = consoleSources.flatMap(({ packages }) => packages);
    expect(modules.filter((name) => name.startsWith('node:'))).toEqual([]);
    expect(edges.filter(({ to }) => to.startsWith('console/')).map(show)).toEqual([]);
  });

  it('is of files that open with a sentence, have named exports and plain names', () => {
    expect(pathsWhere(consoleSources, ({ text }) => !text.startsWith('/**'))).toEqual([]);
    expect(pathsWhere(consoleSources, ({ text }) => /^export default\b/m.test(text))).toEqual([]);
    expect(pathsWhere(consoleSources, ({ path }) => !plainName.test(path))).toEqual([]);
    expect(consoleNames.filter((path) => oddName.test(path))).toEqual([]);
  });
});

/** The table of `scripts/bundle-browser.mjs`: modules of the server, by those that take their place. */
const bundling = readFileSync(join(root, 'scripts/bundle-browser.mjs'), 'utf8');
const tableOf = (name: string): Map<string, string> => {
  const [, rows = ''] = new RegExp(`const ${name} = \\{\\n([\\s\\S]*?)\\n\\};`).exec(bundling) ?? [];
  return new Map([...rows.matchAll(/'([^']+)': '([^']+)'/g)].map(([, from = '', to = '']) => [from, to]));
};
const replacements = [
  ...[...tableOf('platform').values()].map((name) => `src/browser/platform/${name}.ts`),
  ...[...tableOf('replaced').values()].map((name) => `src/browser/${name}`),
];

describe('What runs without Node', () => {
  // `prepared-site/` makes a site ready, in Node.
  const own = sources.filter(({ path }) => /^src\/browser\/(?!prepared-site\/)/.test(path));

  it('takes the place of modules that there are', () => {
    expect(replacements.length).toBeGreaterThan(5);
    expect(replacements.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect([...tableOf('replaced').keys()].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('replaces nothing that the table does not name', () => {
    const opening = /^\/\*\* Replaces /;
    const unnamed = own.filter(({ path, text }) => opening.test(text) && !replacements.includes(path));
    // `globals.ts` puts them in the place of Node's globals.
    expect(unnamed.map(({ path }) => path)).toEqual(['src/browser/platform/timers.ts']);
  });

  it('imports of Node its types, and what the bundle replaces', () => {
    const imported = own.flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '(node:[^']+)';/gm)].map(([, name = '']) => ({
        path,
        name,
      })),
    );
    expect(imported.filter(({ name }) => !tableOf('platform').has(name))).toEqual([]);
    expect(imported.length).toBeGreaterThan(0);
  });
});
