/** A whole server on a port, with a clock that tests move, for the client to talk to. What is tested is not here. */
import type { EngineEvent } from '../../src/engine/finish.ts';
import { systemIds } from '../../src/worlds/system-clock.ts';
import { start } from '../../src/server/start.ts';
import { createClock, noteCoverage, root, type TestClock } from '../support/atoll.ts';
import { testSigningKey } from '../support/signing-key.ts';

export type ClientServer = {
  /** The base URL, as it stands in links. */
  readonly url: string;
  readonly clock: TestClock;
  /** Operation and status of every answer, since somebody emptied it. */
  readonly answers: string[];
  /** What went wrong in the server. */
  readonly errors: unknown[];
  stop(): Promise<void>;
};

/** Starts in memory with the starter fixture. Every answer is held to the document; browsers of this machine may ask. */
export const startClientServer = async (site?: string): Promise<ClientServer> => {
  const clock = createClock();
  const answers: string[] = [];
  const errors: unknown[] = [];
  const started = await start({
    ...{ root, site, host: 'localhost', port: 0, fixture: 'starter', baseUrl: undefined, data: undefined },
    ...{ signingKey: testSigningKey, durability: 'full', checkReplies: 'fail', cors: 'loopback', demoAccounts: false },
    ...{ clock, ids: systemIds, warn: () => undefined, onError: () => undefined },
    onEvent: (event: EngineEvent) => {
      noteCoverage(event);
      if (event.kind === 'failed') errors.push(event.error);
      if (event.kind === 'answered') answers.push(`${event.operation} ${event.status}`);
    },
  });
  return { url: started.url, clock, answers, errors, stop: () => started.stop(1000) };
};
