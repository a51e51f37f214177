/** The scripts of package.json: that they are few, that pages and comments name such as exist, and the two that take a word. */
import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../support/atoll.ts';

const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const scriptsOf = (folder: string): string[] => {
  const { scripts = {} } = JSON.parse(read(join(folder, 'package.json'))) as { scripts?: object }; // our own file
  return Object.keys(scripts);
};

type Ended = { readonly code: number; readonly output: string; readonly errors: string };
const run = (...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root }, (error, output, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), output, errors }),
    );
  });

/** The names that a script lists when it gets none. */
const listed = async (script: string): Promise<string[]> =>
  [...(await run(script)).output.matchAll(/^ {2}(\S+) /gm)].map(([, name = '']) => name);
const [suites, benches] = await Promise.all([listed('scripts/suite.mjs'), listed('scripts/run-bench.mjs')]);

/** The files that may name a script, below the root. */
const files = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['package.json', '.ci/run', 'examples/README.md'],
  ...['.github', 'bench', 'docs', 'scripts', 'src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(md|mjs|ts|sh|ya?ml)$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  ),
];
const examples = readdirSync(join(root, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => join('examples', name));

/** Each `npm run NAME` of a text, with the word that follows `--`. */
const named = (text: string): { readonly script: string; readonly word: string | undefined }[] =>
  [...text.matchAll(/npm run (?:--silent )?([a-z:-]*[a-z])(?: -- ([a-z][a-z0-9:-]*[a-z0-9]))?/g)].map(
    ([, script = '', word]) => ({ script, word }),
  );

describe('The scripts of package.json', () => {
  it('are at most twenty', () => {
    expect(scriptsOf('.').length).toBeLessThanOrEqual(20);
  });

  it('are those that pages, comments and workflows name, with suites and benchmarks that exist', () => {
    const known = new Set([...scriptsOf('.'), ...examples.flatMap(scriptsOf)]);
    const words = new Map([
      ['test:suite', suites],
      ['bench:suite', benches],
    ]);
    const all = files.flatMap((file) => named(read(file)).map((each) => ({ file, ...each })));
    const wrong = all.filter(
      ({ script, word }) => !known.has(script) || (word !== undefined && !(words.get(script) ?? [word]).includes(word)),
    );
    expect(wrong).toEqual([]);
    expect(all.filter(({ script }) => words.has(script)).length).toBeGreaterThan(50);
  });
});

describe('npm run check:static', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> }; // our own file
  const parts = (name: string): readonly string[] => (scripts[name] ?? '').split(' && ');
  const runs = (program: string): boolean => read('scripts/check-static.mjs').includes(`'${program}'`);

  it('is the program that runs its parts', () => {
    expect(scripts['check:static']).toBe('node scripts/check-static.mjs');
  });

  it('checks the types of the projects that the type check names', () => {
    const named = parts('typecheck').flatMap((part) => /^tsc(?: -p (\S+))? --noEmit$/.exec(part)?.slice(1, 2) ?? []);
    const linted = [...read('eslint.config.mjs').matchAll(/\bproject: '(?:(\S+)\/)?tsconfig\.json'/g)];
    expect(named.length).toBeGreaterThan(1);
    expect(new Set(linted.map(([, folder]) => folder))).toEqual(new Set(named));
    expect(runs('scripts/check-sources.mjs')).toBe(true);
  });

  it('does what the lint does besides ESLint, and looks at the format', () => {
    const others = parts('lint').flatMap((part) => /^node (scripts\/lint-\S+)$/.exec(part)?.slice(1) ?? []);
    expect(others).toContain('scripts/lint-words.mjs');
    expect([...others, 'node_modules/prettier/bin/prettier.cjs'].filter((program) => !runs(program))).toEqual([]);
  });
});

describe('npm run test:suite', () => {
  it('lists each suite in a line, with how long it takes and what it needs', async () => {
    const { code, output } = await run('scripts/suite.mjs');
    const lines = output.split('\n').filter((line) => line.startsWith('  '));
    expect(code).toBe(0);
    expect(lines.length).toBeGreaterThanOrEqual(18);
    for (const line of lines) expect(line).toMatch(/^ {2}\S+ +\d+ (s|min)\b.* \S/);
    expect(output).toMatch(/^ {2}browser .*\(needs Chromium/m);
    expect(output).toMatch(/^ {2}postgres .*--short .*\(needs PostgreSQL/m);
  });

  it('lists every suite of Jest, and a short form where Jest has one', async () => {
    const { errors } = await run('scripts/jest.mjs', '--suite', 'none');
    const names = /^Error: .* There are ([^.]+)\./m.exec(errors)?.[1]?.split(', ') ?? [];
    expect(names.length).toBeGreaterThan(10);
    expect(suites).toEqual(expect.arrayContaining(names.filter((name) => !name.endsWith('-short'))));
    const { output } = await run('scripts/suite.mjs');
    for (const name of names.filter((each) => each.endsWith('-short'))) {
      expect(output).toMatch(new RegExp(`^ {2}${name.replace(/-short$/, '')} .*--short `, 'm'));
    }
  });

  it('refuses a word that is not a suite, and a short form that a suite does not have', async () => {
    const unknown = await run('scripts/suite.mjs', 'brwoser');
    expect(unknown).toEqual({
      code: 2,
      output: '',
      errors: `There is no suite "brwoser". There are ${suites.join(', ')}.\n`,
    });
    const long = await run('scripts/suite.mjs', 'browser', '--short');
    expect(long).toMatchObject({ code: 2, errors: 'The suite "browser" has no short form.\n' });
  });

  it('runs a suite with what follows its name, and ends as it does', async () => {
    const listedTests = await run('scripts/suite.mjs', 'in-browser', '--short', '--listTests', 'cases/wire');
    expect(listedTests).toMatchObject({ code: 0, output: expect.stringMatching(/cases\/wire\.test\.ts\n$/) });
    const failed = await run('scripts/suite.mjs', 'clients', 'nobody');
    expect(failed).toMatchObject({ code: 1, errors: expect.stringContaining('There is no part nobody.') });
  });
});

describe('npm run bench:suite', () => {
  it('lists files of bench/, and refuses another word', async () => {
    const inFolder = readdirSync(join(root, 'bench'));
    for (const name of benches)
      expect(inFolder).toEqual(expect.arrayContaining([expect.stringMatching(`^${name}\\.(ts|mjs)$`)]));
    expect(await run('scripts/run-bench.mjs', 'none')).toMatchObject({
      code: 2,
      errors: `There is no benchmark "none". There are ${benches.join(', ')}.\n`,
    });
  });
});

type Job = {
  readonly container?: { readonly image: string };
  readonly steps: readonly { readonly run?: string }[];
};
type Workflow = { readonly jobs: Readonly<Record<string, Job>> };

/** Whether a job runs Node itself. The others try what has a Node of its own. */
const runsNode = ({ steps }: Job): boolean => steps.some(({ run = '' }) => /\b(?:npm|npx|node) /.test(run));

describe('The workflows', () => {
  it('run on the oldest Node that the suite `nodes` runs on, and on its other lines', () => {
    const [oldest = '', ...others] = [...read('test/system/nodes/run.mjs').matchAll(/'((\d+)\.\d+\.\d+)'/g)];
    for (const name of readdirSync(join(root, '.github/workflows'))) {
      const { jobs } = parse(read(join('.github/workflows', name))) as Workflow;
      const images = Object.values(jobs)
        .filter(runsNode)
        .map(({ container }) => container?.image);
      expect([name, images.length > 0]).toEqual([name, true]);
      expect([name, images]).toEqual([name, images.map(() => expect.stringMatching(/^node:/))]);
      for (const image of images) {
        if (!image?.includes('$')) expect(image).toContain(`node:${oldest[1]}-`);
      }
    }
    const lines = /node: \[(.*)\]/.exec(read('.github/workflows/check.yml'))?.[1]?.split(', ') ?? [];
    expect(lines).toEqual(others.map(([, , line]) => line));
  });
});
