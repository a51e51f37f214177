/** Bytes that no record names any more. */
import { recordModel } from '../../src/repository/repository.ts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type BlobSweeper,
  createBlobSweeper,
  createMemoryBlobStorage,
  createRecordSet,
} from '../../src/storage/storage.ts';
import type { RecordSet } from '../../src/storage/storage-driver.ts';
import { until } from '../support/until.ts';
import { storeText } from './blob-storage.suite.ts';
import type { BlobStorage, Entity } from '../../src/openapi/openapi-records.ts';

let storage: BlobStorage;
let records: RecordSet;
let generations: { generation: number; kept: number; isFull: boolean; compactions: number };
let sweeper: BlobSweeper;

const setUp = (withGenerations: boolean): void => {
  storage = createMemoryBlobStorage();
  records = createRecordSet(recordModel);
  generations = { generation: 5, kept: 5, isFull: false, compactions: 0 };
  sweeper = createBlobSweeper({
    model: recordModel,
    storages: new Map([
      ['public', storage],
      ['private', storage],
    ]),
    freeze: records.freeze,
    ...(withGenerations
      ? {
          generations: {
            current: () => generations.generation,
            oldestKept: () => generations.kept,
            isOutOfSpace: () => generations.isFull,
            compact: () => void (generations.compactions += 1),
          },
        }
      : {}),
  });
};

const put = async (id: number, text: string, scheme = 'public'): Promise<Entity> => {
  const file: Entity = {
    ...{ type: 'file', id, uuid: `00000000-0000-4000-8000-00000000000${id}`, bundle: 'file' },
    blob: await storeText(storage, text),
    fields: { uri: [{ value: `${scheme}://${id}.txt` }] },
  };
  records.apply({ put: file });
  return file;
};
const remove = (file: Entity): Promise<void> => {
  records.apply({ remove: `file:${file.id}` });
  return sweeper.released(file);
};
const sizes = async (): Promise<number> => (await storage.keys()).length;
const withSize = (file: Entity, size: number): Entity => ({
  ...file,
  blob: { key: file.blob?.key ?? '', sha256: file.blob?.sha256 ?? '', size },
});

describe('bytes where no older records are kept', () => {
  beforeEach(() => setUp(false));

  it('go in a sweep, unless another record has the same ones, also of another scheme', async () => {
    const [one, other] = [await put(1, 'same'), await put(2, 'same', 'private')];
    await remove(one);
    await sweeper.sweep();
    expect(await sizes()).toBe(1);
    await remove(other);
    await sweeper.sweep();
    expect(await sizes()).toBe(0);
  });

  it('stay for each state that names them, until the last one goes', async () => {
    const file = await put(1, 'seen');
    const [first, second] = [sweeper.hold(records.freeze()), sweeper.hold(records.freeze())];
    const later = await put(2, 'later');
    await remove(file);
    await remove(later);
    const none = sweeper.hold(records.freeze());
    await sweeper.makeRoom();
    expect(await storage.keys()).toEqual([file.blob?.key]);
    for (const letGo of [first, none]) letGo();
    await sweeper.sweep();
    expect(await sizes()).toBe(1);
    second();
    second();
    await sweeper.sweep();
    expect(await sizes()).toBe(0);
  });

  it('go with the last state that names them, though later ones are held, when they are many', async () => {
    const [small, large] = [await put(1, 'few'), await put(2, 'many')];
    const letGo = sweeper.hold(records.freeze());
    await remove(small);
    const later = sweeper.hold(records.freeze());
    letGo();
    expect(await sizes()).toBe(2);
    const again = sweeper.hold(records.freeze());
    await remove(withSize(large, 20 * 1024 * 1024));
    sweeper.hold(records.freeze());
    later();
    again();
    await until(async () => (await sizes()) === 0, 'all are gone');
  });

  it('stay when a record names them again, and go when that one is removed', async () => {
    await remove(await put(1, 'again'));
    const again = await put(2, 'again');
    await sweeper.sweep();
    expect(await sizes()).toBe(1);
    await remove(again);
    await sweeper.sweep();
    expect(await sizes()).toBe(0);
  });

  it('are swept by themselves when many are released', async () => {
    const file = await put(1, 'large');
    records.apply({ remove: 'file:1' });
    await sweeper.released(withSize(file, 17 * 1024 * 1024));
    await sweeper.sweep();
    expect(await sizes()).toBe(0);
  });
});

describe('bytes of a directory', () => {
  beforeEach(() => setUp(true));

  it('stay until the generation in which they were released is kept no longer', async () => {
    await remove(await put(1, 'first'));
    await sweeper.sweep();
    expect(await sizes()).toBe(1);
    generations.generation = 6;
    const second = await put(2, 'second');
    await remove(second);
    generations.kept = 6;
    await sweeper.sweep();
    expect(await storage.keys()).toEqual([second.blob?.key]);
    generations.kept = 7;
    await sweeper.sweep();
    expect(await sizes()).toBe(0);
  });

  it('go at once when space is missing, for an upload and for the journal, but not those that a state names', async () => {
    const [held, one, other] = [await put(1, 'held'), await put(2, 'one'), await put(3, 'other')];
    const letGo = sweeper.hold(records.freeze());
    for (const file of [one, other]) records.apply({ remove: `file:${file.id}` });
    letGo();
    sweeper.hold(records.freeze());
    await remove(held);
    await sweeper.released(one);
    await sweeper.makeRoom();
    expect(await sizes()).toBe(2);
    generations.isFull = true;
    await sweeper.released(other);
    expect(await storage.keys()).toEqual([held.blob?.key]);
  });

  it('ask for a compaction when many bytes wait, and again while they still do', async () => {
    const [one, other] = [await put(1, 'one'), await put(2, 'other')];
    for (const { id } of [one, other]) records.apply({ remove: `file:${id}` });
    await sweeper.released(withSize(one, 256 * 1024 * 1024));
    expect(generations.compactions).toBe(0);
    await sweeper.released(withSize(other, 1));
    expect(generations.compactions).toBe(1);
    await sweeper.sweep();
    expect(generations.compactions).toBe(2);
    generations.kept = 6;
    await sweeper.sweep();
    expect([generations.compactions, await sizes()]).toEqual([2, 0]);
  });

  it('go at once when all records were replaced, apart from those that the new ones name', async () => {
    const [gone, stays] = [await put(1, 'gone'), await put(2, 'stays')];
    const former = records.freeze();
    records.apply({ remove: `file:${gone.id}` });
    await sweeper.replaced(former);
    expect(await storage.keys()).toEqual([stays.blob?.key]);
  });
});
