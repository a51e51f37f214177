/** Listens for hints of the database on a connection of its own, and connects again when that ends. */
import type { Client } from 'pg';
import type { Database } from './database.ts';

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
