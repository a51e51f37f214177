/** Stops a server in the order in which nothing that clients wait for is lost. */
import { inTime } from '../../basics/in-time.ts';
import type { WorldObserver } from '../coverage/world-observer.ts';
import type { Readiness } from '../control/readiness.ts';
import type { Listener } from '../http/listener.ts';
import type { OpenedWorlds } from '../worlds/open-worlds.ts';
import type { OwnWork } from '../application.ts';
import type { KeyWarming } from './warm-key.ts';

type Stopped = {
  readonly warn: (message: string) => void;
  readonly listener: Pick<Listener, 'stop'>;
  readonly readiness: Pick<Readiness, 'drain'>;
  readonly observer: Pick<WorldObserver, 'end' | 'flush'>;
  readonly serving: { readonly end: () => Promise<void> };
  readonly callbackSender: { readonly end: () => void } | undefined;
  readonly ownWork: Pick<OwnWork, 'end' | 'close'> | undefined;
  readonly key: Pick<KeyWarming, 'end'>;
  readonly opened: Pick<OpenedWorlds, 'close'>;
};

/** How long a receiver of messages may take to end its connection, in milliseconds. */
const farewellMs = 1000;

export const stopping =
  ({ listener, readiness, serving, observer, ownWork, callbackSender, key, opened, warn }: Stopped) =>
  async (drainMs: number, notice?: Promise<unknown>): Promise<void> => {
    readiness.drain();
    await notice;
    await serving.end();
    // Event streams never end by themselves.
    observer.end();
    ownWork?.end();
    callbackSender?.end();
    await listener.stop(drainMs);
    // A broker may keep its end of the connection open.
    if (ownWork !== undefined) await inTime(ownWork.close(), farewellMs, () => undefined);
    await observer.flush().catch(() => warn('The last requests could not be written to the traffic in the database.'));
    // The file of a key that is being made needs the directory.
    await key.end();
    await opened.close();
  };
