/** Whatever a server has written can be moved, and is afterwards what it was: byte for byte, and in every answer. */
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Atoll } from '../../../src/cli/entries/atoll.ts';
import { runHere } from '../../support/command.ts';
import { someOf } from '../../support/long-run.ts';
import { basic } from '../../support/requests.ts';
import { writtenRepository, type Content, type Repository } from './repository.ts';
import { movedSites } from './sites.ts';

jest.setTimeout(120_000);

/** A command that must end well, of the site of a repository. */
const run = async ({ site }: Repository, ...args: readonly string[]): Promise<string> => {
  const { code, out, error } = await runHere([...args, ...(site === undefined ? [] : ['--site', site])]);
  expect({ args, code, out, error }).toEqual({ args, code: 0, out: expect.any(String), error: '' });
  return out;
};

/** A command that asks a running server. */
const runAt = async ({ url }: Atoll, ...args: readonly string[]): Promise<void> => {
  expect(await runHere([...args, '--url', url])).toMatchObject({ code: 0, error: '' });
};

/** Deletes what the writes have made, so that the way back has much to do. */
const upset = async (atoll: Atoll): Promise<void> => {
  const { headers } = basic('admin');
  for (const [type, limit] of [
    ['node', '200'],
    ['media', '200'],
    ['file', '200'],
    ['taxonomy_term', '5'],
  ] as const) {
    for (const { url } of (await atoll.entities({ type, limit, order: '-id' })).entities) {
      const { status } = await atoll.fetch(url, { method: 'DELETE', headers });
      // What goes with a term is gone when its turn comes.
      expect([204, 404]).toContain(status);
    }
  }
};

const memory = { fixture: 'empty' };

type Way = (repository: Repository) => Promise<Content>;

/** By what it may go, and what it is then. */
const ways: Readonly<Record<string, Way>> = {
  'a restart': ({ data, withServer, contentOf }) => withServer({ data }, contentOf),

  'an export to a directory and its import': async (repository) => {
    const { data, withServer, contentOf } = repository;
    const folder = await mkdtemp(join(repository.folder, 'way-'));
    const [made, again] = [join(folder, 'export'), join(folder, 'data')];
    await run(repository, 'export', made, '--data', data);
    expect(await run(repository, 'check', '--data', made)).toContain('is whole: no faults');
    await run(repository, 'import', made, '--data', again);
    expect(await run(repository, 'check', '--data', again)).toContain('is whole: no faults');
    return withServer({ data: again }, contentOf);
  },

  'an export to a tar file and its import': async (repository) => {
    const { data, archive, withServer, contentOf } = repository;
    const folder = await mkdtemp(join(repository.folder, 'way-'));
    const [made, again] = [join(folder, 'export.tar'), join(folder, 'data')];
    await run(repository, 'export', made, '--data', data);
    expect((await readFile(made)).equals(await readFile(archive))).toBe(true);
    await run(repository, 'import', made, '--data', again);
    return withServer({ data: again }, contentOf);
  },

  'an import into a running server': ({ archive, withServer, contentOf }) =>
    withServer(memory, async (atoll) => {
      await runAt(atoll, 'import', archive);
      return contentOf(atoll);
    }),

  'a fixture that it becomes': async (repository) => {
    const { data, withServer, contentOf } = repository;
    const made = join(await mkdtemp(join(repository.folder, 'way-')), 'export');
    await run(repository, 'export', made, '--data', data);
    return withServer({ fixture: made }, contentOf);
  },

  'a fork': ({ data, withServer, contentOf }) =>
    withServer({ data }, async (atoll) => contentOf(await atoll.world({ from: 'main' }))),

  'a snapshot that is loaded after changes': ({ archive, withServer, contentOf }) =>
    withServer(memory, async (atoll) => {
      await runAt(atoll, 'import', archive);
      await atoll.snapshots.save('before');
      await upset(atoll);
      await atoll.snapshots.load('before');
      return contentOf(atoll);
    }),

  'changes that are put back one by one': ({ archive, withServer, contentOf }) =>
    withServer(memory, async (atoll) => {
      await runAt(atoll, 'import', archive);
      await atoll.snapshots.save('before');
      await upset(atoll);
      const { removed, total } = await atoll.differences({ from: 'before' });
      expect(removed).toBeGreaterThan(10);
      for (let left = total; left > 0; left -= 1) {
        const [first] = (await atoll.differences({ from: 'before' })).entries;
        if (first === undefined) break;
        await atoll.putBack({ type: first.type, id: first.id, from: 'before' });
      }
      return contentOf(atoll);
    }),
};

describe.each(someOf(movedSites))('What every kind of write makes of $name', (moved) => {
  let repository: Repository;
  beforeAll(async () => {
    repository = await writtenRepository(moved);
  });
  afterAll(() => repository.remove());

  it('is all there', () => {
    const records = [...repository.content.files].filter(([name]) => name.endsWith('.json'));
    const text = records.map(([, record]) => JSON.stringify(JSON.parse(record))).join('\n');
    expect(moved.traces.filter((trace) => !text.includes(trace))).toEqual([]);
  });

  it('is whole by `atoll check`', async () => {
    expect(await run(repository, 'check', '--data', repository.data)).toContain('is whole: no faults');
  });

  const { configuration } = moved;
  if (configuration !== undefined) {
    it('fits the site that a second import of its configuration makes', async () => {
      const { folder, site = '', data } = repository;
      const again = ['site', 'import', join(folder, configuration), '--out', site, '--data', data];
      expect((await runHere(again)).out).toContain('All stored records fit.');
    });
  }

  it.each(Object.entries(ways))('is the same after %s', async (_what, way) => {
    const { files, answers } = await way(repository);
    expect(files).toEqual(repository.content.files);
    expect(answers).toEqual(repository.content.answers);
  });
});
