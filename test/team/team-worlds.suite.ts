/** What two processes promise of the worlds that they share: what one of them does, the other sees at its next request. */
import { mkdtemp, rename as moveFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { entityTypes } from '../../src/repository/repository.ts';
import { basicCredentials } from '../../src/basics/formats/basic-credentials.ts';
import { DatabaseProblem, type Database } from './postgres/pglite.ts';
import { longestChain } from '../../src/team/layers.ts';
import { createMemoryBlobStorage } from '../../src/storage/storage.ts';
import { baseUrl } from '../support/atoll.ts';
import { startTestProcess, type TestProcess } from './team-process.ts';
import { addNode, get, removeNode, rename, startTwoProcesses, titleIn, worldIn } from './two-processes.ts';
import type { Entity } from '../../src/openapi/openapi-records.ts';
import { Problem } from '../../src/openapi/openapi-terms.ts';

const admin = { headers: { authorization: basicCredentials('admin', 'islandora') } };

export const describeTeamWorlds = (database: () => Database): void => {
  const processes = startTwoProcesses(database);
  let first: TestProcess;
  let second: TestProcess;
  beforeAll(() => {
    [first, second] = [processes.first(), processes.second()];
  });
  const chainOf = async (world: string): Promise<readonly number[]> => {
    const [row] = await database().query<{ chain: number[] }>('select chain from atoll_worlds where name = $1', [
      world,
    ]);
    return row?.chain ?? [];
  };

  describe('a world of a team', () => {
    it('that one process forks is answered by the other, and both see what each writes', async () => {
      await rename(first, 'main', 'before the fork');
      const { name, from } = await first.worlds.fork({ from: 'main' });
      expect(from).toMatchObject({ kind: 'world', name: 'main' });
      expect(await titleIn(second, name)).toBe('before the fork');
      await rename(second, name, 'of the fork');
      await rename(first, 'main', 'after the fork');
      expect(await Promise.all([first, second].map((each) => titleIn(each, name)))).toEqual([
        'of the fork',
        'of the fork',
      ]);
      expect(await Promise.all([first, second].map((each) => titleIn(each, 'main')))).toEqual(
        Array(2).fill('after the fork'),
      );
      expect(await get(second, `/~${name}/node/5?_format=json`)).toBe(200);
    });

    it('without an origin begins with what the main world was filled with', async () => {
      await rename(first, 'main', 'changed since');
      const { name, from, records } = await second.worlds.fork({});
      expect(from).toEqual({ kind: 'fixture', name: 'starter', taken: null });
      expect(await titleIn(first, name)).not.toBe('changed since');
      expect(records).toBe((await first.worlds.list())[0]?.records);
    });

    it('begins with a fixture that the first process writes, and the second finds', async () => {
      const [one, two] = [await first.worlds.fork({ from: 'empty' }), await second.worlds.fork({ from: 'empty' })];
      expect(two.records).toBe(one.records);
      const [chain, other] = [await chainOf(one.name), await chainOf(two.name)];
      expect(chain.slice(1)).toEqual(other.slice(1));
      expect(await titleIn(second, one.name)).toBeUndefined();
    });

    it('has its own name: of racing forks one gets it, and drawn names are never the same', async () => {
      const racing = [first, second, first, second].map(({ worlds }) => worlds.fork({ name: 'raced' }));
      const ended = await Promise.allSettled(racing);
      expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const refusals = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
      for (const refusal of refusals) {
        expect(refusal).toMatchObject({ status: 409, message: 'There is a world "raced" already.' });
      }
      const drawn = await Promise.all([first, second, first, second].map(({ worlds }) => worlds.fork({})));
      expect(new Set(drawn.map(({ name }) => name)).size).toBe(4);
      await first.worlds.drop(drawn[3]?.name ?? '');
      expect(drawn.map(({ name }) => name)).not.toContain((await second.worlds.fork({})).name);
    });

    it('is refused with the texts of a server that is alone', async () => {
      const refusal = async (work: unknown): Promise<unknown> => {
        try {
          await work;
          return 'no refusal';
        } catch (error) {
          return error instanceof Problem ? [error.status, error.message] : error;
        }
      };
      const { worlds } = second;
      expect(await refusal(worlds.fork({ name: 'Not a name' }))).toEqual([
        422,
        '"Not a name" cannot be the name of a world.',
      ]);
      expect(await refusal(worlds.fork({ from: 'nothing' }))).toEqual([
        422,
        'There is no world, snapshot or fixture "nothing".',
      ]);
      expect(await refusal(worlds.drop('main'))).toEqual([409, 'The main world cannot be dropped.']);
      expect(await refusal(worlds.setTtl('main', 5))).toEqual([
        409,
        'The main world always stays, so it can have no ttl.',
      ]);
      for (const work of [
        worlds.setTtl('nothing', 5),
        worlds.reset('nothing'),
        worlds.compare('nothing'),
        worlds.revision('nothing'),
        worlds.stage('nothing'),
        worlds.hold('nothing'),
        worlds.saveSnapshot('nothing', 's'),
        worlds.deleteSnapshot('nothing', 's'),
        worlds.listSnapshots('nothing'),
      ]) {
        expect(await refusal(work)).toEqual([404, 'There is no world "nothing".']);
      }
      expect(await refusal(worlds.reset('main', 'no'))).toEqual([404, 'There is no snapshot "no".']);
      expect(await refusal(worlds.compare('main', 'no'))).toEqual([
        404,
        'There is no world, snapshot or fixture "no".',
      ]);
      expect(await worlds.drop('nothing')).toBe(false);
      expect(await worlds.deleteSnapshot('main', 'no')).toBe(false);
      expect(await get(second, '/~nothing/node/5?_format=json')).toBe(404);
    });

    it('that was dropped, or whose time has come, is gone everywhere, and its name is free', async () => {
      for (const end of [
        async (name: string) => first.worlds.drop(name),
        async (name: string) => first.worlds.setTtl(name, 0),
      ]) {
        await first.worlds.fork({ name: 'short' });
        expect(await get(second, '/~short/node/5?_format=json')).toBe(200);
        await end('short');
        expect(await get(second, '/~short/node/5?_format=json')).toBe(404);
        expect(await get(first, '/~short/node/5?_format=json')).toBe(404);
        expect((await second.worlds.list()).map(({ name }) => name)).not.toContain('short');
      }
      const { name, expires, created } = await second.worlds.fork({ name: 'short', ttl: 60 });
      expect((expires ?? 0) - created).toBe(60_000);
      expect(await second.worlds.setTtl(name, null)).toMatchObject({ expires: null });
      await second.worlds.drop(name);
    });

    it('is reset by one process while the other keeps replies and records of it', async () => {
      const before = await titleIn(first, 'main');
      await rename(first, 'main', 'to be forgotten');
      const id = await addNode(first, 'main', 'to be forgotten');
      const path = `/node/${id}?_format=json`;
      expect([await get(second, path), await get(second, path)]).toEqual([200, 200]);
      const view = second.worlds.main.world;
      await first.worlds.reset('main');
      expect(await get(second, path)).toBe(404);
      expect(await titleIn(second, 'main')).toBe(before);
      // A request in progress finishes in the old state, and what it writes is refused.
      const [old] = await view.store.getMany([`node:${id}`]);
      expect(old?.id).toBe(id);
      await expect(
        view.store.transact([], () => ({ changes: [{ remove: `node:${id}` }], result: undefined })),
      ).rejects.toMatchObject({ status: 503 });
      // Ids are drawn from where they were.
      expect(await addNode(second, 'main', 'again')).toBe(id);
    });

    it('is saved by one process and loaded by the other, also in another world', async () => {
      const { worlds } = first;
      await rename(first, 'main', 'saved');
      expect(await worlds.saveSnapshot('main', 'one')).toBe(true);
      await rename(second, 'main', 'later');
      await second.worlds.reset('main', 'one');
      expect(await titleIn(first, 'main')).toBe('saved');
      expect(await second.worlds.saveSnapshot('main', 'one')).toBe(false);
      const { name, from } = await second.worlds.fork({ from: 'one' });
      expect(from).toMatchObject({ kind: 'snapshot', name: 'one' });
      await rename(first, name, 'other');
      await second.worlds.saveSnapshot(name, 'one');
      await second.worlds.reset(name);
      expect(await titleIn(first, name)).toBe('saved');
      await second.worlds.reset(name, 'one');
      expect(await titleIn(first, name)).toBe('other');
      expect((await worlds.listSnapshots('main')).map((each) => each.name)).toEqual(['one']);
      expect((await second.worlds.list()).find((each) => each.name === name)).toMatchObject({ snapshots: 1 });
      expect(await second.worlds.deleteSnapshot('main', 'one')).toBe(true);
      expect(await worlds.listSnapshots('main')).toEqual([]);
    });

    it('that is forked again and again has a short chain, and shows each record as it was written last', async () => {
      let name = (await first.worlds.fork({ name: 'generation-0' })).name;
      const ids: number[] = [];
      for (let generation = 1; generation <= longestChain + 6; generation += 1) {
        ids.push(await addNode(first, name, `${generation}`));
        const last = ids.at(-2);
        if (generation % 4 === 0 && last !== undefined) await removeNode(second, name, last);
        name = (await second.worlds.fork({ from: name, name: `generation-${generation}` })).name;
      }
      expect((await chainOf(name)).length).toBeLessThanOrEqual(longestChain + 2);
      for (const [at, id] of ids.entries()) {
        const isRemoved = (at + 2) % 4 === 0 && at + 1 < ids.length;
        expect([id, await titleIn(first, name, id)]).toEqual([id, isRemoved ? undefined : `${at + 1}`]);
      }
      const { store } = (await worldIn(first, name)).world;
      const { total, entities } = await store.list('node', { offset: 0, limit: 1000 });
      expect([total, new Set(entities.map(({ id }) => id)).size]).toEqual([entities.length, entities.length]);
      const all = await second.worlds.list();
      expect(all.find((each) => each.name === name)?.records).toBe(await countOf(first, name));
      expect(all.find((each) => each.name === 'generation-0')?.records).toBe(await countOf(first, 'generation-0'));
    });

    it('is compared with what it was made from, or with anything else', async () => {
      const { name } = await first.worlds.fork({ from: 'main' });
      expect(await differences(second, name)).toEqual([]);
      const revision = await second.worlds.revision(name);
      expect(await second.worlds.revision(name)).toBe(revision);
      await rename(first, name, 'another');
      const id = await addNode(second, name, 'new');
      expect(await second.worlds.revision(name)).not.toBe(revision);
      expect(await differences(second, name)).toEqual([`added node:${id}`, 'changed node:5']);
      expect(await differences(first, 'main', name)).toEqual(['changed node:5', `removed node:${id}`]);
      const fromEmpty = await differences(first, name, 'empty');
      expect(fromEmpty).toContain('added node:5');
      expect(fromEmpty).not.toContain('added taxonomy_term:21');
      await removeNode(first, name, id);
      expect(await differences(second, name)).toEqual(['changed node:5']);
      await second.worlds.reset(name);
      expect(await differences(first, name)).toEqual([]);
    });

    it('is staged: trials in the copy reach nobody, and it is put back and ended', async () => {
      const rows = async (): Promise<number> =>
        (await database().query("select id from atoll_worlds where name like '#%' and id > 0")).length;
      const listed = (await first.worlds.list()).length;
      const stage = await first.worlds.stage('main');
      expect(stage.world().name).toBe('main');
      expect([await rows(), (await second.worlds.list()).length]).toEqual([1, listed]);
      const change = { changes: [{ remove: 'node:5' } as const], result: undefined };
      await stage.world().store.transact([], () => change);
      expect(await stage.world().store.getMany(['node:5'])).toEqual([undefined]);
      expect(await titleIn(second, 'main')).toBeDefined();
      await stage.renew();
      expect((await stage.world().store.getMany(['node:5']))[0]?.id).toBe(5);
      await stage.end();
      expect(await rows()).toBe(0);
    });

    it('is not answered for while the database is away, but whether the process lives is', async () => {
      let isAway = false;
      const refuse = (): Promise<never> => Promise.reject(new DatabaseProblem('The database cannot be reached.'));
      const third = await startTestProcess(
        {
          ...database(),
          query: (...call) => (isAway ? refuse() : database().query(...call)),
          transaction: (work) => (isAway ? refuse() : database().transaction(work)),
        },
        processes.directory(),
      );
      const node = '/node/5?_format=json';
      expect([await get(third, node), await get(third, node)]).toEqual([200, 200]);
      isAway = true;
      expect([await get(third, node), await get(third, '/~other/node/5?_format=json')]).toEqual([503, 503]);
      expect(await get(third, '/_atoll/health')).toBe(200);
      isAway = false;
      expect(await get(third, node)).toBe(200);
      await third.stop();
    });

    it('refuses a process with a directory of bytes that is not that of the others', async () => {
      const directory = await mkdtemp(join(tmpdir(), 'atoll-team-'));
      const started = (): Promise<TestProcess> => startTestProcess(database(), directory);
      await expect(started()).rejects.toThrow('has no file atoll-team');
      await writeFile(join(directory, 'atoll-team'), 'another');
      await expect(started()).rejects.toThrow('has the bytes of another database');
      await writeFile(join(directory, 'atoll.json'), '');
      await expect(started()).rejects.toThrow('holds a repository of its own');
      await rm(directory, { recursive: true });
    });

    it('says of bytes that they cannot be reached, not that there are none, while the directory is away', async () => {
      const directory = processes.directory();
      const bytes = '/_flysystem/fedora/2019-03/fleet-at-anchor.png';
      const read = async (): Promise<number> => (await processes.second().fetch(`${baseUrl}${bytes}`, admin)).status;
      expect(await read()).toBe(200);
      await moveFile(directory, `${directory}-away`);
      expect(await read()).toBe(503);
      await moveFile(`${directory}-away`, directory);
      expect(await read()).toBe(200);
    });

    it('is held as it was while others write, and its whole content is replaced', async () => {
      const { name } = await first.worlds.fork({ from: 'main' });
      const held = await first.worlds.hold(name);
      const before = await titleIn(second, name);
      await rename(second, name, 'later');
      const entities: Entity[] = [];
      for await (const entity of held.content.entities) entities.push(entity);
      await held.release();
      const node = entities.find(({ type, id }) => type === 'node' && id === 5);
      expect(node?.fields['title']?.[0]?.['value']).toBe(before);
      expect(entities.length).toBe((await second.worlds.list()).find((each) => each.name === name)?.records);
      const only = entities.filter(({ type }) => type === 'user');
      await second.worlds.replaceContent(name, {
        entities: only,
        counters: { node: 70 },
        blobs: createMemoryBlobStorage(),
      });
      expect(await countOf(first, name)).toBe(only.length);
      await first.worlds.reset(name);
      expect(await titleIn(second, name)).toBe(before);
    });
  });
};

const countOf = async (process: TestProcess, world: string): Promise<number> => {
  const { store } = (await worldIn(process, world)).world;
  let sum = 0;
  for (const type of entityTypes) sum += (await store.list(type, { offset: 0, limit: 0 })).total;
  return sum;
};

const differences = async ({ worlds }: TestProcess, world: string, from?: string): Promise<readonly string[]> => {
  const { before, after } = await worlds.compare(world, from);
  const kindOf = (key: Parameters<typeof before.records.get>[0]): string =>
    !before.records.has(key) ? 'added' : after.records.has(key) ? 'changed' : 'removed';
  return [...new Set([...before.records.keys(), ...after.records.keys()])].map((key) => `${kindOf(key)} ${key}`).sort();
};
