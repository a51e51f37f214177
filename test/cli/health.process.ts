/** A running server says what is wrong with its data directory, and so does `atoll check --bytes` beside it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../support/atoll.ts';
import { run, startProgram, withDirectory, type RunningProgram } from '../support/program.ts';
import { send } from '../support/server.ts';
import { until } from '../support/until.ts';

type Health = {
  readonly status: string;
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
};

let atoll: RunningProgram;
let data: string;
let finish: () => void;
let ended: Promise<void>;

/** A server that wants more space free than there is, so that every upload is refused. */
beforeAll(async () => {
  const begun = new Promise<void>((resolve) => {
    ended = withDirectory(async (directory) => {
      const site = join(directory, 'site');
      await cp(join(root, 'data/site'), site, { recursive: true });
      const file = join(site, 'site.yml');
      await writeFile(
        file,
        (await readFile(file, 'utf8')).replace(
          'upload_bytes: 1073741824 }',
          'upload_bytes: 1073741824, uploads: { free_bytes: 1000000000000000 } }',
        ),
      );
      data = join(directory, 'data');
      // The first start needs room for the fixture.
      await run(['serve', '--port', '0', '--json', '--data', data], { until: 'ready' });
      atoll = await startProgram(['--data', data, '--site', site, '--no-watch']);
      resolve();
      await new Promise<void>((end) => {
        finish = end;
      });
      await atoll.stop();
    });
  });
  await Promise.race([begun, ended]);
});
afterAll(async () => {
  finish();
  await ended;
});

const health = async (): Promise<Health> => (await (await fetch(`${atoll.url}/_atoll/health`)).json()) as Health; // the control document's own schema
const codes = async (): Promise<string[]> => (await health()).reasons.map(({ code }) => code);

const upload = () =>
  send(atoll, 'PUT', '/node/1/media/file/16', {
    body: 'x',
    headers: { 'Content-Type': 'text/plain', 'Content-Location': 'public://x.txt' },
  });

const flip = async (path: string): Promise<void> => {
  const bytes = await readFile(path);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  await writeFile(path, bytes);
};

describe('a server whose disk is full', () => {
  it('says so, and leaves one line in the log for each refused write', async () => {
    expect(await health()).toMatchObject({ status: 'degraded', reasons: [{ code: 'disk_full' }] });
    expect([(await upload()).status, (await upload()).status]).toEqual([507, 507]);
    const lines = (): string[] =>
      atoll
        .log()
        .split('\n')
        .filter((line) => line.includes('a write was refused'));
    await until(() => lines().length === 2, 'two lines are in the log');
    expect(lines()[0]).toContain('"status":507');
  });
});

/** A file with public bytes, and where they are. */
const publicFile = async () => {
  const { entities } = (await (await fetch(`${atoll.url}/_atoll/entities?type=file`)).json()) as {
    entities: { id: number }[];
  };
  for (const { id } of entities) {
    const [uri] = (await send(atoll, 'GET', `/entity/file/${id}?_format=json`)).json()['uri'] ?? [];
    const { url } = uri as { url: string; value: string }; // a file of the contract
    if (!url.startsWith('/sites/')) continue;
    const bytes = Buffer.from(await (await fetch(atoll.url + url)).arrayBuffer());
    const folder = join(data, 'blobs/public');
    for (const name of await readdir(folder, { recursive: true })) {
      const isSame = await readFile(join(folder, name)).then(
        (found) => found.equals(bytes),
        () => false,
      );
      if (isSame) return { id, url: atoll.url + url, blob: join(folder, name) };
    }
  }
  throw new Error('The starter fixture has no public file.');
};

describe('a server whose stored bytes were changed', () => {
  it('breaks the connection, says which file it is, and `check --bytes` finds it beside the server', async () => {
    const { id, url, blob } = await publicFile();
    const before = await run(['check', '--bytes', '--data', data]);
    expect([before.code, before.out]).toEqual([0, expect.stringContaining('are whole')]);
    await flip(blob);
    await expect(fetch(url).then((answer) => answer.arrayBuffer())).rejects.toThrow();
    expect((await fetch(url)).status).toBe(404);
    await until(async () => (await codes()).includes('bytes_damaged'), 'health says so');
    expect((await health()).reasons.at(-1)?.message).toContain(`file ${id}.`);
    expect(atoll.log().split(`The bytes of file ${id} `)).toHaveLength(2);
    const after = await run(['check', '--bytes', '--data', data]);
    expect([after.code, after.out]).toEqual([4, expect.stringMatching(new RegExp(`^fault: file:${id}: `))]);
  }, 30_000);
});
