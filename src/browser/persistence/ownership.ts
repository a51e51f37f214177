/** Makes sure that one tab or worker alone has a repository open: by Web Locks, or by asking the others where there are none. */
import { randomUUID } from 'node:crypto';
import type { Channel, Platform } from './platform.ts';

type Locks = NonNullable<Platform['locks']>;

/** Gives the name free. */
export type Release = () => void;

/** Holds a name in this origin until it is released or its page ends. Undefined when another tab or worker holds it. */
export const holdName = (name: string, platform: Platform): Promise<Release | undefined> => {
  const { locks, openChannel, waitMs } = platform;
  if (locks !== undefined) return holdLock(locks, name, waitMs);
  if (openChannel !== undefined) return holdByAsking(openChannel(name), waitMs);
  // The record of the owner in the database still stops the earlier one of two.
  return Promise.resolve(() => undefined);
};

const holdLock = (locks: Locks, name: string, waitMs: number): Promise<Release | undefined> =>
  new Promise((resolve, reject) => {
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), waitMs);
    locks
      .request(name, { signal: waiting.signal }, () => {
        clearTimeout(timer);
        return new Promise<void>((release) => resolve(() => release()));
      })
      .catch((error: unknown) => {
        clearTimeout(timer);
        if (waiting.signal.aborted) resolve(undefined);
        else reject(error instanceof Error ? error : new Error(String(error)));
      });
  });

/** `asks`: somebody wants the name. `holds`: the answer of the one that has it. */
type Message = { readonly asks: string } | { readonly holds: string };

const holdByAsking = async (channel: Channel, waitMs: number): Promise<Release | undefined> => {
  channel.unref?.();
  const own = randomUUID();
  const isHeld = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), waitMs);
    channel.onmessage = ({ data }) => {
      if (!('holds' in (data as Message)) || (data as { holds: string }).holds !== own) return; // only this file writes to it
      clearTimeout(timer);
      resolve(true);
    };
    channel.postMessage({ asks: own } satisfies Message);
  });
  if (isHeld) {
    channel.close();
    return undefined;
  }
  channel.onmessage = ({ data }) => {
    const message = data as Message; // only this file writes to it
    if ('asks' in message) channel.postMessage({ holds: message.asks } satisfies Message);
  };
  return () => channel.close();
};
