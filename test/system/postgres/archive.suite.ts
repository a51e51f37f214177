/** A whole repository between a folder, a real PostgreSQL and running servers, and the bytes that two processes share. */
import { createHash } from 'node:crypto';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runHere } from '../../support/command.ts';
import { startPostgres, type Postgres } from '../../support/postgres.ts';
import { startProgram, withDirectory, type RunningProgram } from '../../support/program.ts';
import { basic, titleBody } from '../../support/requests.ts';
import { filesOfTar } from '../../support/tar.ts';
import { until } from '../../support/until.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

const admin = basic('admin').headers;
const rename = (url: string, title: string): Promise<Response> =>
  fetch(`${url}/node/2?_format=json`, {
    method: 'PATCH',
    headers: { ...admin, 'Content-Type': 'application/json' },
    body: JSON.stringify(titleBody(title)),
  });
const title = async (url: string): Promise<string | undefined> => {
  const node = (await (await fetch(`${url}/node/2?_format=json`)).json()) as { title?: { value: string }[] }; // a node
  return node.title?.[0]?.value;
};

/** Runs a command that must succeed. */
const well = async (...args: string[]): Promise<void> => {
  const { code, error } = await runHere(args);
  expect([code, error]).toEqual([0, '']);
};

/** The name and the hash of each file of an archive, in their order. */
const contentOf = async (archive: string): Promise<readonly string[]> =>
  [...filesOfTar(await readFile(archive))].map(
    ([name, bytes]) => `${name} ${createHash('sha256').update(bytes).digest('hex')}`,
  );

const expectSame = async (one: string, other: string): Promise<void> => {
  expect(await contentOf(other)).toEqual(await contentOf(one));
  expect((await readFile(one)).equals(await readFile(other))).toBe(true);
};

const stopAll = async (programs: readonly RunningProgram[]): Promise<void> => {
  for (const program of programs) expect(await program.stop()).toBe(0);
};

describe('A repository', () => {
  it('is the same to the last byte after folder → database → folder, and while servers run', async () => {
    await withDirectory(async (directory) => {
      const at = (name: string): string => join(directory, name);
      const folder = await startProgram(['--data', at('data'), '--fixture', 'sample:30']);
      await rename(folder.url, 'moved');
      await stopAll([folder]);
      await well('export', at('first.tar'), '--data', at('data'));
      await well('export', at('first'), '--data', at('data'));
      const url = await postgres.database();
      await well('import', at('first'), '--store', url, '--data', at('bytes'));
      await well('export', at('second.tar'), '--store', url, '--data', at('bytes'));
      await expectSame(at('first.tar'), at('second.tar'));
      const twice = await runHere(['import', at('first'), '--store', url, '--data', at('bytes')]);
      expect([twice.code, twice.error]).toEqual([2, expect.stringContaining('holds a repository already')]);
      expect(twice.error).not.toContain('secret');

      const shared = ['--store', url, '--data', at('bytes')];
      const processes = [await startProgram(shared), await startProgram(shared)] as const;
      const [one, other] = processes;
      expect([await title(one.url), await title(other.url)]).toEqual(['moved', 'moved']);
      await well('export', at('third.tar'), '--url', other.url);
      await expectSame(at('first.tar'), at('third.tar'));
      await rename(one.url, 'later');
      await well('import', at('first.tar'), '--url', other.url, '--yes');
      expect([await title(one.url), await title(other.url)]).toEqual(['moved', 'moved']);
      await well('export', at('fourth.tar'), '--url', one.url);
      await expectSame(at('first.tar'), at('fourth.tar'));
      await stopAll(processes);

      await well('export', at('fifth'), '--store', url, '--data', at('bytes'));
      await well('import', at('fifth'), '--data', at('back'));
      await well('export', at('sixth.tar'), '--data', at('back'));
      await expectSame(at('first.tar'), at('sixth.tar'));
    });
  });

  it('is of one moment when it is exported while others write', async () => {
    await withDirectory(async (directory) => {
      const shared = ['--store', await postgres.database(), '--data', join(directory, 'bytes')];
      const processes = [await startProgram(shared), await startProgram(shared)] as const;
      const [one, other] = processes;
      const response = await fetch(`${one.url}/_atoll/export`);
      await rename(other.url, 'changed meanwhile');
      await writeFile(join(directory, 'during.tar'), Buffer.from(await response.arrayBuffer()));
      const fork = (await runHere(['world', 'fork', 'there', '--from', 'empty', '--url', one.url])).out.trim();
      await well('import', join(directory, 'during.tar'), '--url', fork, '--yes');
      expect(await title(fork)).not.toBe('changed meanwhile');
      expect(await title(one.url)).toBe('changed meanwhile');
      await stopAll(processes);
    });
  });
});

describe('Two processes over one directory of bytes', () => {
  it('leave uploads in progress alone when one of them starts, and remove what was left a day ago', async () => {
    await withDirectory(async (directory) => {
      const bytes = join(directory, 'bytes');
      const shared = ['--store', await postgres.database(), '--data', bytes];
      const one = await startProgram(shared);
      const form = await fetch(`${one.url}/_atoll/model?type=media`);
      expect(form.status).toBe(200);
      const sending = request(`${one.url}/file/upload/media/file/field_media_file?_format=json`, {
        method: 'POST',
        headers: {
          ...admin,
          'Content-Type': 'application/octet-stream',
          'Content-Disposition': 'file; filename="slow.txt"',
        },
      });
      const answered = new Promise<number>((resolve, reject) => {
        sending.on('response', (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        sending.on('error', reject);
      });
      // A small body would wait in memory.
      sending.write('the first half, '.repeat(64 * 1024));
      const temporary = async (): Promise<readonly string[]> => {
        const schemes = await readdir(join(bytes, 'blobs'));
        const names = await Promise.all(
          schemes.map(async (scheme) => {
            const folder = join(bytes, 'blobs', scheme, 'temporary');
            return (await readdir(folder)).map((name) => join(folder, name));
          }),
        );
        return names.flat();
      };
      await until(async () => (await temporary()).length === 1, 'the upload has begun', 60_000);
      const [arriving = ''] = await temporary();
      const abandoned = join(arriving, '..', 'f'.repeat(32));
      await writeFile(abandoned, 'left by a process that was killed');
      const longAgo = new Date(Date.now() - 2 * 24 * 3600 * 1000);
      await utimes(abandoned, longAgo, longAgo);
      const other = await startProgram(shared);
      expect(await temporary()).toEqual([arriving]);
      sending.end('the second half');
      expect(await answered).toBe(201);
      await stopAll([one, other]);
    });
  });
});
