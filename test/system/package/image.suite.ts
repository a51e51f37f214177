/**
 * The image of `Dockerfile` without a container daemon: an ordinary user carries out its steps in an empty directory, and the
 * program starts there with nothing that it may write to but its data.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, lstat, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../support/atoll.ts';
import { readDockerfile, wordsOf, type Stage } from '../../support/dockerfile.ts';
import { freePort } from '../../support/free-port.ts';

/** Root gives its rights away, as the image does. */
const ordinary = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const minutes = 60_000;

let place: string;
let image: string;
let last: Stage;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'atoll-image-'));
  image = join(place, 'image');
  const stages = readDockerfile(await readFile(join(root, 'Dockerfile'), 'utf8'));
  last = stages.at(-1) as Stage; // a Dockerfile has one
  for (const stage of stages.slice(0, -1)) await carryOut(stage);
  for (const { name, flags, text } of last.instructions) {
    // Files of the bases, such as Node itself, are those of this machine.
    if (name !== 'COPY' || flags.get('from') !== 'build') continue;
    const [source = '', target = ''] = wordsOf(text);
    await cp(join(place, source), join(image, target), { recursive: true });
  }
  await eachEntry(join(image, 'app'), async (path, isDirectory) => {
    await chmod(path, isDirectory ? 0o555 : 0o444);
    if (ordinary.uid !== undefined) await chown(path, 0, 0);
  });
  if (ordinary.uid !== undefined) await chown(join(image, 'data'), ordinary.uid, ordinary.gid);
}, 10 * minutes);
afterAll(async () => {
  await eachEntry(join(image, 'app'), (path, isDirectory) => chmod(path, isDirectory ? 0o755 : 0o644));
  await rm(place, { recursive: true, force: true });
});

const eachEntry = async (path: string, visit: (path: string, isDirectory: boolean) => Promise<void>): Promise<void> => {
  const isDirectory = (await lstat(path)).isDirectory();
  if (isDirectory) for (const name of await readdir(path)) await eachEntry(join(path, name), visit);
  await visit(path, isDirectory);
};

/** What `.dockerignore` lets through: it forbids everything and names exceptions. */
const allowedNames = async (): Promise<readonly string[]> =>
  (await readFile(join(root, '.dockerignore'), 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));

/** Carries out a stage with absolute paths below `place`. */
const carryOut = async ({ instructions }: Stage): Promise<void> => {
  let folder = place;
  for (const { name, text } of instructions) {
    if (name === 'WORKDIR') {
      folder = join(place, text);
      await mkdir(folder, { recursive: true });
      if (ordinary.uid !== undefined) for (const each of [place, folder]) await chown(each, ordinary.uid, ordinary.gid);
    } else if (name === 'COPY') await copyContext(folder, wordsOf(text));
    else if (name === 'RUN') await run(folder, text);
    else throw new Error(`This suite does not know ${name} in a stage that builds.`);
  }
};

const copyContext = async (folder: string, words: readonly string[]): Promise<void> => {
  const allowed = await allowedNames();
  const sources = words.slice(0, -1);
  for (const name of sources.includes('.') ? allowed : sources) {
    if (!allowed.includes(name)) throw new Error(`.dockerignore leaves out ${name}.`);
    await cp(join(root, name), join(folder, name), { recursive: true });
  }
  if (ordinary.uid === undefined) return;
  const { uid, gid } = ordinary;
  for (const name of await readdir(folder)) {
    if (name !== 'node_modules') await eachEntry(join(folder, name), (path) => chown(path, uid, gid));
  }
};

/** An environment with nothing of this run, and a home that is empty. */
const environment = (): NodeJS.ProcessEnv => ({
  PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(':'),
  HOME: join(place, 'home'),
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(?:https?_proxy|no_proxy|npm_config_registry|NODE_EXTRA_CA_CERTS)$/i.test(name),
    ),
  ),
});

const run = (folder: string, command: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd: folder, env: environment(), ...ordinary, maxBuffer: 64 * 1024 * 1024 };
    execFile('sh', ['-ec', command], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command} ended with ${String(error.code)}:\n${stdout}${stderr}`));
    });
  });

/** The program as the image starts it, with paths below the image. */
const start = (words: readonly string[]): ChildProcess => {
  const here = words.map((word) => word.replace(/^\/(?=app|data)/, `${image}/`));
  const [, ...args] = here;
  const env = { ...environment(), NODE_ENV: 'production', TMPDIR: join(image, 'data') };
  return spawn(process.execPath, args, { cwd: join(image, 'data'), env, ...ordinary });
};

const instruction = (name: string): readonly string[] =>
  wordsOf(last.instructions.find((each) => each.name === name)?.text.replace(/^CMD /, '') ?? '');

const ended = async (child: ChildProcess): Promise<{ readonly code: number | null; readonly said: string }> => {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
};

describe('The image', () => {
  it('has less than 200 MB with Node and its base', async () => {
    let bytes = 0;
    await eachEntry(join(image, 'app'), async (path) => {
      bytes += (await lstat(path)).size;
    });
    const node = (await lstat(process.execPath)).size;
    // Alpine has 8 MB, and the two libraries of C++ 3 MB.
    const whole = (bytes + node) / 1e6 + 11;
    process.stdout.write(
      `/app ${(bytes / 1e6).toFixed(1)} MB, Node ${(node / 1e6).toFixed(1)} MB, all ${whole.toFixed(0)} MB\n`,
    );
    expect(whole).toBeLessThan(200);
  });

  it('has no tool of the build, no sources, no types and no cache', async () => {
    const names: string[] = [];
    await eachEntry(join(image, 'app'), async (path) => void names.push(path.slice(image.length)));
    const unwanted = /\/(?:npm|yarn|esbuild|typescript|vite|jest|\.cache|_cacache)\/|\.tsx?$|\.map$|\/\.git/;
    expect(names.filter((name) => unwanted.test(name))).toEqual([]);
    expect((await readdir(join(image, 'app'))).sort()).toEqual([
      ...['LICENSE', 'data', 'dist', 'docs', 'llms.txt', 'node_modules', 'openapi.yaml', 'package.json', 'src'],
    ]);
  });

  it('refuses published passwords on a host that others reach, as every server does', async () => {
    const { code, said } = await ended(start([...instruction('ENTRYPOINT'), ...instruction('CMD')]));
    expect([code, said]).toEqual([2, expect.stringContaining('Add --demo-accounts')]);
  });

  it('serves, is healthy, writes only its data, and ends in order', async () => {
    const port = String(await freePort());
    const child = start([
      ...instruction('ENTRYPOINT'),
      ...instruction('CMD'),
      '--port',
      port,
      '--demo-accounts',
      '--json',
    ]);
    const end = ended(child);
    const [ready] = (await once(child.stdout as NonNullable<typeof child.stdout>, 'data')) as [Buffer];
    expect(String(ready)).toContain('"ready":true');
    const health = instruction('HEALTHCHECK').map((word) => word.replace('8000', port));
    expect(await ended(start(health))).toEqual({ code: 0, said: expect.stringMatching(/^ok {2}durability full/) });
    for (const path of ['/node/1?_format=json', '/llms.txt', '/_atoll/docs/uploading.md']) {
      expect([path, (await fetch(`http://127.0.0.1:${port}${path}`)).status]).toEqual([path, 200]);
    }
    child.kill('SIGTERM');
    expect((await end).code).toBe(0);
    expect((await ended(start(health))).code).toBe(2);
    expect(await readdir(join(image, 'data'))).not.toEqual([]);
  });

  it('can reach a bucket: what S3 needs is in it', async () => {
    const script = "await import('@aws-sdk/client-s3'); await import('@aws-sdk/lib-storage'); console.log('loaded');";
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      ...{ cwd: join(image, 'app'), env: environment(), ...ordinary },
    });
    expect(await ended(child)).toEqual({ code: 0, said: expect.stringContaining('loaded') });
  });
});
