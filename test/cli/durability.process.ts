/** The commands of docs/use/durability.md, and `atoll export`, `import` and `check` on damaged data. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { exportStarter, root } from '../support/atoll.ts';
import { runHere } from '../support/command.ts';
import { programFile, startProgram } from '../support/program.ts';

type Outcome = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

let place: string;
let path: string;

/** A line of a shell in the test's directory, where `atoll` is the built program. */
const shell = (line: string): Promise<Outcome> =>
  new Promise((resolve) => {
    const env = { ...process.env, PATH: path };
    execFile('sh', ['-c', line], { cwd: place, env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });

/** The same line in this process, where `./` is the test's directory. */
const here = async (line: string): Promise<Outcome> => {
  const [, ...args] = line.split(' ').map((word) => (word.startsWith('./') ? join(place, word) : word));
  const { code, out, error } = await runHere(args);
  return { code, stdout: out, stderr: error };
};

const everyFile = async (directory: string): Promise<ReadonlyMap<string, string>> => {
  const entries = await readdir(join(place, directory), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map((file) => readFile(file, 'base64')));
  return new Map(files.map((file, index) => [file.slice(join(place, directory).length), texts[index] ?? '']));
};

const filesOf = async (kind: string): Promise<string[]> =>
  (await readdir(join(place, 'atoll-data'))).filter((name) => name.startsWith(kind));

/** Names `atoll-data` again after a test that damages it. */
const withCopy = async (damage: (data: string) => Promise<void>, look: (data: string) => Promise<void>) => {
  const data = join(place, 'damaged');
  await cp(join(place, 'atoll-data'), data, { recursive: true });
  try {
    await damage(data);
    await look(data);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
};

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'atoll-durability-'));
  const bin = join(place, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'atoll'), `#!/bin/sh\nexec "${process.execPath}" "${programFile}" "$@"\n`);
  await chmod(join(bin, 'atoll'), 0o755);
  path = `${bin}${delimiter}${process.env['PATH'] ?? ''}`;
  await exportStarter(join(place, 'starter'));
  await runHere(['import', '--data', join(place, 'atoll-data'), '--from', join(place, 'starter')]);
}, 60_000);
afterAll(() => rm(place, { recursive: true, force: true }));

const guide = readFileSync(join(root, 'docs/use/durability.md'), 'utf8');
const commands = [...guide.matchAll(/```sh\n([^`]*)```/g)].flatMap(([, block = '']) => block.trim().split('\n'));

describe('docs/use/durability.md', () => {
  it('has commands that succeed in the order in which they stand', async () => {
    expect(commands.length).toBeGreaterThanOrEqual(7);
    for (const command of commands) {
      const outcome = await shell(command);
      expect([command, outcome.code, outcome.stderr]).toEqual([command, 0, '']);
    }
  }, 60_000);

  it('names the exit codes that the program has', async () => {
    expect((await here('atoll check --data ./nothing-here')).code).toBe(2);
    expect((await here('atoll import --data ./restored --from ./archive')).code).toBe(2);
    expect((await here('atoll export --data ./atoll-data --to ./bin')).code).toBe(2);
    const server = await startProgram(['--data', join(place, 'atoll-data')]);
    try {
      for (const command of ['check --data ./atoll-data', 'export --data ./atoll-data --to ./other']) {
        const { code, stderr } = await here(`atoll ${command}`);
        expect([code, stderr]).toEqual([3, expect.stringContaining(`"pid":${server.child.pid}`)]);
      }
    } finally {
      await server.stop();
    }
  }, 60_000);
});

describe('atoll export, import, check', () => {
  it('export, import and export again give the same bytes', async () => {
    await here('atoll export --data ./restored --to ./again');
    expect(await everyFile('again')).toEqual(await everyFile('archive'));
  }, 30_000);

  it('export and import bring back what a server has filled, with its accounts', async () => {
    const server = await startProgram(['--data', join(place, 'served'), '--fixture', 'empty']);
    await server.stop();
    await here('atoll export --data ./served --to ./served-archive');
    const { code, stderr } = await here('atoll import --data ./served-again --from ./served-archive');
    expect([code, stderr]).toEqual([0, '']);
    await here('atoll export --data ./served-again --to ./served-twice');
    expect(await everyFile('served-twice')).toEqual(await everyFile('served-archive'));
    expect([...(await everyFile('served-archive')).keys()]).toContain('/user/2.json');
  }, 30_000);

  it('check ends with 4 on a snapshot that was cut, and an export of it writes nothing', async () => {
    const [snapshot = ''] = await filesOf('snapshot-');
    await withCopy(
      (data) => truncate(join(data, snapshot), 1000),
      async () => {
        for (const command of ['check --data ./damaged', 'export --data ./damaged --to ./never']) {
          const { code, stderr } = await here(`atoll ${command}`);
          expect([code, stderr]).toEqual([4, expect.stringContaining(snapshot)]);
        }
        expect(await readdir(place)).not.toContain('never');
      },
    );
  }, 30_000);

  it('check reports bytes of another length, and export leaves them out; both end with 4', async () => {
    const wound = async (data: string): Promise<void> => {
      const found = [...(await everyFile('damaged/blobs')).keys()];
      await truncate(join(data, 'blobs', found[0] ?? ''), 3);
    };
    await withCopy(wound, async () => {
      const check = await here('atoll check --data ./damaged');
      expect([check.code, check.stdout]).toEqual([4, expect.stringMatching(/fault: file:\d+: its bytes/)]);
      const exported = await here('atoll export --data ./damaged --to ./partial');
      expect([exported.code, exported.stderr]).toEqual([4, expect.stringContaining('left out')]);
      expect((await here('atoll check --data ./partial')).stdout).toContain('has lost its bytes');
    });
  }, 30_000);

  it('check notes a blob that nothing names, and changes nothing', async () => {
    const key = 'ab/ab000000000000000000000000000000';
    const add = async (data: string): Promise<void> => {
      await mkdir(join(data, 'blobs/public/ab'), { recursive: true });
      await writeFile(join(data, 'blobs/public', key), 'orphan');
    };
    await withCopy(add, async () => {
      const before = await everyFile('damaged');
      const { code, stdout } = await here('atoll check --data ./damaged');
      expect([code, stdout]).toEqual([0, expect.stringContaining(`The blob ${key} is named by no record`)]);
      expect(await everyFile('damaged')).toEqual(before);
    });
  }, 30_000);

  it('import refuses an export whose counter is too low, with 4, and makes no repository', async () => {
    await cp(join(place, 'archive'), join(place, 'edited'), { recursive: true });
    const file = join(place, 'edited/export.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"node": 30', '"node": 3'));
    const { code, stderr } = await here('atoll import --data ./from-edited --from ./edited');
    expect([code, stderr]).toEqual([4, expect.stringContaining('above the counter node, 3')]);
    expect(await readdir(place)).not.toContain('from-edited');
  }, 30_000);
});
