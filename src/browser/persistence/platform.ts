/** Defines what persistence uses of a page or worker, so that tests can pass another one. */

/** Where a repository is kept, and what guards it. */
export type Platform = {
  /** Undefined where there is no IndexedDB. */
  readonly factory: IDBFactory | undefined;
  /** Undefined where there are no Web Locks: in pages without HTTPS, except on localhost. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  /** Opens a channel to the other tabs and workers of this origin. Undefined where there are none. */
  readonly openChannel: ((name: string) => Channel) | undefined;
  readonly storage: Partial<Pick<StorageManager, 'estimate' | 'persist' | 'persisted'>> | undefined;
  /** How long another owner may take to let go or to answer, in milliseconds. A page that was just left may need it. */
  readonly waitMs: number;
};

/** `unref`, in Node: the channel does not keep the process alive. */
export type Channel = Pick<BroadcastChannel, 'postMessage' | 'onmessage' | 'close'> & { unref?(): void };

/** No place has all of them. */
type PlatformGlobals = {
  readonly indexedDB?: IDBFactory;
  readonly navigator?: { readonly locks?: LockManager; readonly storage?: StorageManager };
  readonly BroadcastChannel?: new (name: string) => Channel;
};

/** What this page or worker has. */
export const browserPlatform = (): Platform => {
  const { indexedDB: factory, navigator, BroadcastChannel } = globalThis as PlatformGlobals;
  return {
    factory,
    locks: navigator?.locks,
    openChannel: BroadcastChannel === undefined ? undefined : (name) => new BroadcastChannel(name),
    storage: navigator?.storage,
    // Without locks every opening waits for an answer.
    waitMs: navigator?.locks === undefined ? 500 : 3000,
  };
};
