/** A page for the tests of persistence: IndexedDB in memory, and locks as those of a browser. */
import { jest } from '@jest/globals';
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import type { Platform } from '../../../src/browser/persistence/platform.ts';

/** One origin: what is opened with it shares its databases and locks. */
export const testPlatform = (): Platform => ({
  factory: new IDBFactory(),
  locks: createLocks(),
  openChannel: undefined,
  storage: undefined,
  waitMs: 20,
});

/** Exclusive Web Locks, of which Node 20 has none: one holder a name, and the next when it lets go. */
const createLocks = (): NonNullable<Platform['locks']> => {
  const held = new Map<string, Promise<unknown>>();
  const request = async (name: string, options: LockOptions, work: () => Promise<unknown>): Promise<unknown> => {
    const aborted = new Promise<never>((_, reject) => {
      options.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
    aborted.catch(() => undefined);
    for (let before = held.get(name); before !== undefined; before = held.get(name)) {
      await Promise.race([before, aborted]);
    }
    const holding = work();
    held.set(name, holding);
    try {
      return await holding;
    } finally {
      held.delete(name);
    }
  };
  return { request: request as LockManager['request'] };
};

/** The browser has no more room for this. */
export const quotaError = new DOMException('There is no more room.', 'QuotaExceededError');

/** From now on the browser refuses these puts, counted from 1, until `jest.restoreAllMocks`. */
export const refusePuts = (isRefused: (put: number) => boolean, error: Error = quotaError): void => {
  const original = Reflect.get<IDBObjectStore, 'put'>(IDBObjectStore.prototype, 'put');
  let puts = 0;
  jest.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...put) {
    puts += 1;
    if (isRefused(puts)) throw error;
    return Reflect.apply(original, this, put);
  });
};
