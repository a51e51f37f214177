/** What the collector removes from a database, and what it leaves. */
import { utimes, writeFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../postgres/pglite.ts';
import { openDiskBlobStorage } from '../../../src/storage/storage.ts';
import { graceMs, livingBlobs } from '../../../src/team/collecting/blob-collector.ts';
import { changesKeptMs, createCollector, type Collector } from '../../../src/team/collecting/collector.ts';
import { createDatabaseClock } from '../../../src/team/database-clock.ts';
import { layersToMerge } from '../../../src/team/layers.ts';
import { whileWriting } from '../../../src/team/lease.ts';
import { createClock, type TestClock } from '../../support/time-and-chance.ts';
import { addNode, rename, startTwoProcesses, titleIn } from '../two-processes.ts';

export const describeCollector = (database: () => Database): void => {
  const processes = startTwoProcesses(database);
  let clock: TestClock;
  let collector: Collector;
  const collect = async (seconds: number): Promise<object> => {
    clock.advance(seconds);
    const collected = await collector.collect();
    if (collected === undefined) throw new Error('Another process collects.');
    return collected;
  };
  const grace = graceMs / 1000;
  const layers = async (): Promise<number> => (await database().query('select id from atoll_layers')).length;
  const blobDirectory = (): string => join(processes.directory(), 'blobs', 'public');

  beforeAll(async () => {
    clock = createClock(new Date().toISOString());
    const storage = await openDiskBlobStorage({
      ...{ directory: blobDirectory(), durability: 'os', drawsNames: true },
    });
    // As two schemes that lie in one bucket: each lists the keys of both.
    collector = createCollector({
      ...{
        database: database(),
        clock,
        storages: new Map([
          ['public', storage],
          ['private', storage],
        ]),
        process: 'collector-1',
      },
      warn: (message) => {
        throw new Error(message);
      },
    });
  });

  describe('the collector of a team', () => {
    it('removes the layers of a dropped world once nothing has named them for a while, and nothing else', async () => {
      const [first, second] = [processes.first(), processes.second()];
      await collect(0);
      await collect(grace);
      const before = await layers();
      const { name } = await first.worlds.fork({});
      const id = await addNode(second, name, 'kept by a fork');
      const fork = await second.worlds.fork({ from: name });
      await rename(first, name, 'of the dropped world alone');
      await first.worlds.drop(name);
      expect(await collect(0)).toMatchObject({ layers: 0 });
      expect(await collect(grace - 1)).toMatchObject({ layers: 0 });
      // The top of the dropped world. The layer below is the fork's too.
      expect(await collect(2)).toMatchObject({ layers: 1 });
      expect(await titleIn(first, fork.name, id)).toBe('kept by a fork');
      await second.worlds.drop(fork.name);
      expect(await collect(0)).toMatchObject({ layers: 0 });
      expect(await collect(grace)).toMatchObject({ layers: 2 });
      expect(await layers()).toBe(before);
      expect(await titleIn(second, 'main')).toBeDefined();
    });

    it('drops worlds whose time has come, and copies that a process has left behind', async () => {
      const { worlds } = processes.first();
      await worlds.fork({ name: 'for-an-hour', ttl: 3600 });
      await worlds.stage('main');
      expect(await collect(0)).toMatchObject({ worlds: 0 });
      expect(await collect(3601)).toMatchObject({ worlds: 1 });
      expect(await collect(5 * 3600)).toMatchObject({ worlds: 1 });
      expect(await database().query("select id from atoll_worlds where name like '#%' and id > 0")).toEqual([]);
    });

    it('removes old changes, and a process that knows less sees the world as it is', async () => {
      const [first, second] = [processes.first(), processes.second()];
      await rename(first, 'main', 'one');
      expect(await titleIn(second, 'main')).toBe('one');
      await rename(first, 'main', 'two');
      await rename(first, 'main', 'three');
      await collect(changesKeptMs / 1000 + 60);
      expect(await database().query('select seq from atoll_changes')).toEqual([]);
      expect(await titleIn(second, 'main')).toBe('three');
    });

    it('removes the rows of removed state, and leaves the others', async () => {
      const [main] = await database().query<{ id: number }>("select id from atoll_worlds where name = 'main'");
      const put = (key: string, value: string | null): Promise<unknown> =>
        database().query('insert into atoll_state (world, topic, key, value) values ($1, $2, $3, $4)', [
          ...[main?.id, 'collected', key, value],
        ]);
      await put('kept', '1');
      await put('removed', null);
      await collect(0);
      const rows = await database().query("select key from atoll_state where topic = 'collected'");
      expect(rows).toEqual([{ key: 'kept' }]);
    });

    it('removes bytes that no record names and that are older than an hour', async () => {
      const living: string[] = [];
      for await (const { scheme, key } of livingBlobs(database())) if (scheme === 'public') living.push(key);
      expect(living.length).toBeGreaterThan(0);
      const [old, young] = [`ab/ab${'0'.repeat(30)}`, `cd/cd${'0'.repeat(30)}`];
      for (const key of [old, young]) {
        await mkdir(dirname(join(blobDirectory(), key)), { recursive: true });
        await writeFile(join(blobDirectory(), key), 'bytes');
      }
      const before = new Date(Date.now() - 2 * 3_600_000);
      for (const key of [...living, old]) await utimes(join(blobDirectory(), key), before, before);
      expect(await collect(grace)).toMatchObject({ blobs: 0 });
      await whileWriting(database(), 'somebody', async () => {
        expect(await collect(grace)).toMatchObject({ blobs: 0 });
      });
      expect(await collect(grace)).toMatchObject({ blobs: 1 });
      expect(await collect(grace)).toMatchObject({ blobs: 0 });
      // What was deleted in a world stays for as long as a layer has it.
      const [first] = living;
      expect(await processes.first().worlds.main.world.blobs.get('public')?.keys()).toEqual([...living, young].sort());
      expect(first).toBeDefined();
    });

    it('lists the bytes now and then only, because that may be many', async () => {
      let lists = 0;
      const [storage] = processes.first().worlds.main.world.blobs.values();
      if (storage === undefined) throw new Error('There is no storage.');
      const keys = (): Promise<readonly string[]> => {
        lists += 1;
        return storage.keys();
      };
      const own = createCollector({
        ...{ database: database(), clock, storages: new Map([['public', { ...storage, keys }]]) },
        ...{ process: 'collector-1', warn: () => undefined },
      });
      for (let minute = 0; minute < 2 * (grace / 60); minute += 1) {
        await own.collect();
        clock.advance(60);
      }
      expect(lists).toBe(2);
    });

    it('is one process at a time', async () => {
      const storages = new Map<string, never>();
      const other = createCollector({
        ...{ database: database(), clock, storages, process: 'collector-2', warn: () => undefined },
      });
      expect(await collector.collect()).toBeDefined();
      expect(await other.collect()).toBeUndefined();
      await collector.close();
      expect(await other.collect()).toBeDefined();
      await other.close();
    });
  });

  describe('layers to merge', () => {
    it('are the small ones at the top, and never the last seven because of their number', () => {
      const few = Array<number>(12).fill(1);
      expect(layersToMerge(few)).toBe(12);
      expect(layersToMerge([1, 1, 1, 1, 1, 1000, 1000, 1000, 1000, 1000, 1000, 1000])).toBe(5);
      expect(layersToMerge([1, 1000, 1, 1, 1, 1, 1, 1000, 1, 1, 1, 1])).toBe(12);
      expect(layersToMerge([1, 9, 90, 900, 9000, 90_000, 1, 1, 1, 1, 1, 900_000])).toBe(5);
    });
  });

  describe('the clock of a team', () => {
    it('is that of the database on a machine whose clock is ten minutes late', async () => {
      const late = createDatabaseClock(database(), { now: () => Date.now() - 600_000 });
      await late.compare();
      expect(Math.abs(late.now() - Date.now())).toBeLessThan(60_000);
      const right = createDatabaseClock(database(), { now: () => 5 });
      expect(right.now()).toBe(5);
    });

    it('goes on as before when somebody sets the clock of the machine, a day ahead or an hour back', async () => {
      let set = 0;
      const clock = createDatabaseClock(database(), { now: () => Date.now() + set, steady: () => performance.now() });
      const isRight = (): boolean => Math.abs(clock.now() - Date.now()) < 60_000;
      await clock.compare();
      set = 86_400_000;
      expect(isRight()).toBe(true);
      set = -3_600_000;
      expect(isRight()).toBe(true);
      await clock.compare();
      expect(isRight()).toBe(true);
      // The database takes whole milliseconds.
      expect(Number.isInteger(clock.now())).toBe(true);
    });
  });
};
