/** Who may open the database of a repository, and what happens to those who may not. */
import { describe, expect, it } from '@jest/globals';
import { deleteDatabase, openDatabase, schemaVersion } from '../../../src/browser/persistence/database.ts';
import type { Database } from '../../../src/browser/persistence/database.ts';
import type { Platform } from '../../../src/browser/persistence/platform.ts';
import { testPlatform } from './test-platform.ts';

const keep = (database: Database, value: string): Promise<void> =>
  database.write(['kept'], (store) => {
    store('kept').put(value, 'value');
  });
const kept = (database: Database): Promise<unknown> =>
  database.read(['kept'], (store) => {
    const found = store('kept').get('value');
    return () => found.result as unknown;
  });

const patient = 60_000;
const inUse = 'The repository "mine" is open in another tab or worker of this browser.';

/** The same origin without Web Locks, as in a page without HTTPS. */
const withoutLocks = (platform: Platform, waitMs: number): Platform => ({
  ...platform,
  locks: undefined,
  openChannel: (name) => new BroadcastChannel(name),
  waitMs,
});

describe('a database', () => {
  it('is open once, and again when it is closed', async () => {
    const platform = testPlatform();
    const first = await openDatabase('mine', platform);
    await expect(openDatabase('mine', platform)).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining(inUse),
    });
    await expect(deleteDatabase('mine', platform)).rejects.toThrow(inUse);
    const other = await openDatabase('another', platform);
    await keep(first, 'still writes');
    // Whoever waits gets it as soon as it is free.
    const next = openDatabase('mine', { ...platform, waitMs: patient });
    first.close();
    expect(await kept(await next)).toBe('still writes');
    (await next).close();
    other.close();
  });

  it('is open once where there are no Web Locks', async () => {
    const platform = testPlatform();
    const first = await openDatabase('mine', withoutLocks(platform, 50));
    await expect(openDatabase('mine', withoutLocks(platform, patient))).rejects.toThrow(inUse);
    await keep(first, 'mine');
    first.close();
    const next = await openDatabase('mine', withoutLocks(platform, 50));
    expect(await kept(next)).toBe('mine');
    next.close();
  });

  it('is written by its last owner alone, also when nothing kept that one out', async () => {
    const platform = { ...testPlatform(), locks: undefined };
    const first = await openDatabase('mine', platform);
    await keep(first, 'first');
    const second = await openDatabase('mine', platform);
    await keep(second, 'second');
    await expect(keep(first, 'late')).rejects.toMatchObject({
      status: 503,
      message: 'Another tab or worker has opened the repository. Nothing is written here any more.',
    });
    expect(first.lost()).toContain('Another tab');
    await expect(kept(first)).rejects.toMatchObject({ status: 503 });
    expect([second.lost(), await kept(second)]).toEqual([undefined, 'second']);
    second.close();
  });

  it('of version 1 is opened with what is in it', async () => {
    const platform = testPlatform();
    const kept1 = await new Promise<IDBDatabase | undefined>((resolve) => {
      const request = platform.factory?.open('atoll/mine', 1);
      if (request === undefined) throw new Error('There is no factory.');
      request.onupgradeneeded = () => {
        for (const name of ['records', 'counters', 'blobs', 'parts', 'kept', 'owner']) {
          const store = request.result.createObjectStore(name);
          if (name === 'kept') store.put('from before', 'value');
        }
      };
      request.onsuccess = () => resolve(request.result);
    });
    kept1?.close();
    const database = await openDatabase('mine', platform);
    expect(await kept(database)).toBe('from before');
    database.close();
  });

  it('of a newer version is refused with one line', async () => {
    const platform = testPlatform();
    await new Promise<void>((resolve) => {
      const request = platform.factory?.open('atoll/mine', schemaVersion + 1);
      if (request === undefined) throw new Error('There is no factory.');
      request.onsuccess = () => {
        request.result.close();
        resolve();
      };
    });
    for (let time = 0; time < 2; time++) {
      await expect(openDatabase('mine', platform)).rejects.toMatchObject({
        name: 'ConfigurationError',
        message:
          'A newer version of Atoll has written the repository "mine". Use that version, or delete the repository.',
      });
    }
    await deleteDatabase('mine', platform);
    (await openDatabase('mine', platform)).close();
  });

  it('that the browser removes under its owner answers 503 and says why', async () => {
    const platform = testPlatform();
    const database = await openDatabase('mine', platform);
    await keep(database, 'gone');
    await new Promise<void>((resolve) => {
      const request = platform.factory?.deleteDatabase('atoll/mine');
      if (request !== undefined) request.onsuccess = () => resolve();
    });
    await expect(keep(database, 'late')).rejects.toMatchObject({ status: 503 });
    expect(database.lost()).toContain('The browser has removed the repository');
    database.close();
    const next = await openDatabase('mine', platform);
    expect(await kept(next)).toBeUndefined();
    next.close();
  });

  it('is deleted with all that is in it; a missing one is no error', async () => {
    const platform = testPlatform();
    await deleteDatabase('mine', platform);
    const database = await openDatabase('mine', platform);
    await keep(database, 'gone');
    database.close();
    await deleteDatabase('mine', platform);
    const next = await openDatabase('mine', platform);
    expect(await kept(next)).toBeUndefined();
    next.close();
  });

  it('cannot be where the browser has none, or refuses', async () => {
    const platform = testPlatform();
    await expect(openDatabase('mine', { ...platform, factory: undefined })).rejects.toThrow(
      'There is no IndexedDB here, so nothing can be kept. Leave out persist.',
    );
    const request = () => Promise.reject(new DOMException('Locks are not allowed here.', 'SecurityError'));
    await expect(openDatabase('mine', { ...platform, locks: { request } })).rejects.toThrow(
      'The browser cannot open the repository "mine" (Locks are not allowed here.).',
    );
  });
});
