/** Tells other processes that worlds have changed: listens for hints of the database on a connection of its own, and connects again when that ends. */
import type { Client } from 'pg';
import type { Database } from './database.ts';

/** A world that wants to know. */
type Following = { readonly id: number; hinted(): void };

/** A hint only: it may be late, and it gets lost with a connection. */
export type ChangeHints = {
  /** Says soon that the world of this id has changed. */
  hint(world: number): void;
  /** Calls `hinted` of the world when a process has changed it, for as long as somebody else keeps the world. */
  follow(world: Following): void;
  close(): Promise<void>;
};

const channel = 'atoll_changes';

/** Hints of this time go together: each `NOTIFY` makes all commits of the database wait for a moment. */
const gatherMs = 20;

/**
 * Hints are sent after the commit that they tell of, in a statement of their own. Listens on a connection of its own. An engine
 * without `NOTIFY` gives no hints.
 */
export const createChangeHints = async (database: Database): Promise<ChangeHints> => {
  const following = new Map<number, WeakRef<Following>>();
  const changed = new Set<number>();
  let timer: NodeJS.Timeout | undefined;

  const send = async (): Promise<void> => {
    const worlds = [...changed];
    changed.clear();
    // A payload has at most 8,000 bytes.
    for (let at = 0; at < worlds.length; at += 500) {
      await database.query('select pg_notify($1, $2)', [channel, worlds.slice(at, at + 500).join(' ')]);
    }
  };
  const tell = (id: number): void => {
    const world = following.get(id)?.deref();
    if (world === undefined) following.delete(id);
    else world.hinted();
  };
  const stop = await database.listen(channel, (payload) => {
    for (const id of payload.split(' ')) tell(Number(id));
  });
  return {
    hint: (world) => {
      changed.add(world);
      timer ??= setTimeout(() => {
        timer = undefined;
        send().catch(() => undefined);
      }, gatherMs).unref();
    },
    follow: (world) => void following.set(world.id, new WeakRef(world)),
    close: async () => {
      clearTimeout(timer);
      following.clear();
      await stop();
    },
  };
};

type Listen = Pick<Database, 'listen' | 'close'>;

const againMs = 1000;

/** Connects at the first call of `listen`. An engine without `LISTEN`, or a connection that ends, means no hints until it is there again. */
export const createListener = (connect: () => Client): Listen => {
  const channels = new Map<string, Set<(payload: string) => void>>();
  let client: Client | undefined;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  const tell = (channel: string, payload: string): void => {
    for (const listener of channels.get(channel) ?? []) listener(payload);
  };
  const lose = (): void => {
    client = undefined;
    if (isClosed || retry !== undefined) return;
    retry = setTimeout(() => {
      retry = undefined;
      void open();
    }, againMs).unref();
  };
  const open = async (): Promise<void> => {
    if (client !== undefined || isClosed) return;
    const opened = connect();
    client = opened;
    opened.on('error', () => undefined);
    opened.on('end', lose);
    opened.on('notification', ({ channel, payload }) => tell(channel, payload ?? ''));
    try {
      await opened.connect();
      for (const channel of channels.keys()) await opened.query(`listen ${channel}`);
    } catch {
      opened.connection.stream.destroy();
      lose();
    }
  };

  return {
    listen: async (channel, onMessage) => {
      if (!/^[a-z_]+$/.test(channel)) throw new Error(`"${channel}" cannot be the name of a channel.`);
      const isNew = !channels.has(channel);
      const listeners = channels.get(channel) ?? new Set();
      channels.set(channel, listeners.add(onMessage));
      if (client === undefined) await open();
      else if (isNew) await client.query(`listen ${channel}`).catch(() => undefined);
      return () => Promise.resolve(listeners.delete(onMessage)).then(() => undefined);
    },
    close: async () => {
      isClosed = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
};
