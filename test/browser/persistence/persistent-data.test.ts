/** The main world of a page that keeps its repository: reloads, resets, snapshots, lost bytes, the key for tokens. */
import { repositoryWorld, recordModel } from '../../../src/repository/repository.ts';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { IDBObjectStore } from 'fake-indexeddb';
import { generatedSigningKey } from '../../../src/browser/signing-key.ts';
import { createRecordSet } from '../../../src/storage/storage.ts';
import { mainName } from '../../../src/openapi/openapi-host.ts';
import type { LocalWorlds } from '../../../src/server/server-worlds.ts';
import { bytesOf, chunksOf, storeText, takeAway } from '../../storage/blob-storage.suite.ts';
import { openHere, starterContent, type Opened } from './opened.ts';
import { refusePuts, testPlatform } from './test-platform.ts';
import type { Entity } from '../../../src/openapi/openapi-records.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

const blobsOf = ({ main }: LocalWorlds) => {
  const storage = main.world.blobs.get('public');
  if (storage === undefined) throw new Error('The site has no public files.');
  return storage;
};

const files = async ({ main }: LocalWorlds): Promise<readonly Entity[]> =>
  (await main.world.store.list('file', { offset: 0, limit: 1000 })).entities;

/** A file with bytes, as an upload makes it. */
const upload = async (worlds: LocalWorlds, text: string): Promise<Entity> => {
  const blob = await storeText(blobsOf(worlds), text);
  return worlds.main.world.store.transact([], (view) => {
    const id = view.nextId('file');
    const file: Entity = {
      ...{ type: 'file', id, uuid: worlds.main.world.ids.uuid(), bundle: 'file', blob },
      fields: { uri: [{ value: `public://made-${id}.txt` }], filesize: [{ value: blob.size }] },
    };
    return { changes: [{ put: file }], result: file };
  });
};

const read = async (worlds: LocalWorlds, file: Entity | undefined): Promise<string | undefined> =>
  file?.blob === undefined ? undefined : bytesOf(await blobsOf(worlds).open(file.blob));

/** All records without the names of their bytes, which each repository draws for itself. */
const content = ({ worlds }: Opened): unknown[] => {
  const records = createRecordSet(recordModel, worlds.main.freeze());
  return [
    records.counters(),
    ...[...records.all()].map(({ blob, ...record }) => ({ ...record, sha256: blob?.sha256 })),
  ];
};

describe('the main world of a page that keeps its repository', () => {
  it('begins with the fixture, and has after a reload what was made meanwhile', async () => {
    const platform = testPlatform();
    const first = await openHere(platform);
    const made = await upload(first.worlds, 'made by a visitor');
    const [fromFixture] = await files(first.worlds);
    const bytes = await read(first.worlds, fromFixture);
    const before = content(first);
    expect([first.isNew, first.worlds.list()[0]?.durability, bytes === undefined]).toEqual([true, 'full', false]);
    await first.leave();

    const again = await openHere(platform, () => Promise.reject(new Error('The repository is not new.')));
    expect([again.isNew, again.warnings, await again.health()]).toEqual([false, [], []]);
    expect(content(again)).toEqual(before);
    expect(await read(again.worlds, made)).toBe('made by a visitor');
    expect(await read(again.worlds, fromFixture)).toBe(bytes);
    await again.leave();
  });

  it('returns to the fixture by a reset, durably, and keeps no other bytes', async () => {
    const platform = testPlatform();
    const first = await openHere(platform);
    const fixture = content(first);
    const count = (await blobsOf(first.worlds).keys()).length;
    const made = await upload(first.worlds, 'made by a visitor');
    await first.worlds.reset(mainName);
    expect([content(first), await read(first.worlds, made)]).toEqual([fixture, undefined]);
    await first.leave();

    const again = await openHere(platform);
    expect([again.isNew, content(again), again.warnings]).toEqual([false, fixture, []]);
    expect((await blobsOf(again.worlds).keys()).length).toBe(count);
    await again.leave();
  });

  it('keeps everything when a reset finds no room', async () => {
    const platform = testPlatform();
    const opened = await openHere(platform);
    const made = await upload(opened.worlds, 'made by a visitor');
    const [before, count] = [content(opened), (await blobsOf(opened.worlds).keys()).length];
    jest.spyOn(IDBObjectStore.prototype, 'clear').mockImplementation(() => {
      throw new DOMException('There is no more room.', 'QuotaExceededError');
    });
    await expect(opened.worlds.reset(mainName)).rejects.toMatchObject({ status: 507 });
    expect((await opened.health()).map(({ code }) => code)).toEqual(['disk_full']);
    jest.restoreAllMocks();
    expect([content(opened), await read(opened.worlds, made)]).toEqual([before, 'made by a visitor']);
    expect((await blobsOf(opened.worlds).keys()).length).toBe(count);
    await opened.leave();
  });

  it('says that there is no more room after an upload that was refused, until a write finds room', async () => {
    const opened = await openHere(testPlatform());
    refusePuts(() => true);
    await expect(upload(opened.worlds, 'too much')).rejects.toMatchObject({ status: 507 });
    expect((await opened.health()).map(({ code }) => code)).toEqual(['disk_full']);
    jest.restoreAllMocks();
    await upload(opened.worlds, 'fits');
    expect(await opened.health()).toEqual([]);
    await opened.leave();
  });

  it('returns to a snapshot with bytes that were removed since', async () => {
    const platform = testPlatform();
    const opened = await openHere(platform);
    const { worlds } = opened;
    const made = await upload(worlds, 'made by a visitor');
    worlds.saveSnapshot(mainName, 'before');
    await worlds.main.world.store.transact([], () => ({ changes: [{ remove: `file:${made.id}` }], result: 0 }));
    await repositoryWorld(worlds.main.world).repository.release(made);
    await worlds.reset(mainName, 'before');
    expect(
      await read(
        worlds,
        (await files(worlds)).find(({ id }) => id === made.id),
      ),
    ).toBe('made by a visitor');
    await opened.leave();
    const again = await openHere(platform);
    expect(
      await read(
        again.worlds,
        (await files(again.worlds)).find(({ id }) => id === made.id),
      ),
    ).toBe('made by a visitor');
    await again.leave();
  });

  it('removes bytes that no record names, and says which files have none', async () => {
    const platform = testPlatform();
    const first = await openHere(platform);
    const made = await upload(first.worlds, 'to be lost');
    const orphan = await (await blobsOf(first.worlds).receive(chunksOf('orphan'), { maxBytes: 100 })).keep();
    await takeAway(blobsOf(first.worlds), made.blob?.key);
    await first.leave();
    const again = await openHere(platform);
    expect(again.warnings).toEqual([
      `The bytes of file ${made.id} are missing.`,
      'Removed 1 stored files that no record names.',
    ]);
    expect(await blobsOf(again.worlds).open(orphan)).toBeUndefined();
    await again.leave();
  });

  it('stays new when the fixture cannot be read, and is filled by the next opening', async () => {
    const platform = testPlatform();
    const failing = openHere(platform, async () => {
      const whole = await starterContent();
      return { ...whole, blobs: { ...whole.blobs, open: () => Promise.resolve(undefined) } };
    });
    await expect(failing).rejects.toThrow('are missing.');
    const next = await openHere(platform);
    expect([next.isNew, next.warnings]).toEqual([true, []]);
    await next.leave();
  });

  it('signs with the same key after a reload', async () => {
    const platform = testPlatform();
    const first = await openHere(platform);
    const { publicKey } = await first.signingKey();
    await first.leave();
    const again = await openHere(platform);
    expect((await again.signingKey()).publicKey.jwk.n).toBe(publicKey.jwk.n);
    await again.leave();
    const other = await generatedSigningKey(async () => undefined)();
    expect(other.publicKey.jwk.n).not.toBe(publicKey.jwk.n);
  });
});
