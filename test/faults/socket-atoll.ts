/** A server on a free port with everything in memory, for tests whose clients must meet a real socket. */
import { join } from 'node:path';
import { systemClock, systemIds } from '../../src/worlds/system-clock.ts';
import { start, type StartOptions, type Started } from '../../src/server/start.ts';
import { noteCoverage, root } from '../support/atoll.ts';
import { testSigningKey } from '../support/signing-key.ts';

export type SocketAtoll = Started & { close(): Promise<void> };

/** Every answer is checked against the document: one that breaks it becomes a 500 that names the fault. */
export const startSocketAtoll = async (options: Partial<StartOptions> = {}): Promise<SocketAtoll> => {
  const started = await start({
    root,
    prepared: join(root, 'coverage/prepared.json'),
    host: 'localhost',
    port: 0,
    data: undefined,
    fixture: 'starter',
    site: undefined,
    baseUrl: undefined,
    durability: 'full',
    checkReplies: 'fail',
    cors: 'loopback',
    demoAccounts: false,
    signingKey: testSigningKey,
    clock: systemClock,
    ids: systemIds,
    warn: () => undefined,
    onEvent: noteCoverage,
    onError: () => undefined,
    ...options,
  });
  return { ...started, close: () => started.stop(0) };
};
