/** The server and the engine without Node, made alike: the same address, seed and frozen clock. */
import { startAtoll, type Atoll } from '../../../src/cli/entries/atoll.ts';
import type { BrowserAtoll } from '../../../src/browser/create-atoll.ts';
import { testSigningKey } from '../../support/signing-key.ts';
import { builtEngine } from './built-engine.ts';

export const baseUrl = 'http://localhost:8000';

export const frozen = { now: '2026-01-01T00:00:00Z', mode: 'frozen' } as const;

export type ServerAndEngine = { readonly server: Atoll; readonly engine: BrowserAtoll; close(): Promise<void> };

export const serverAndEngine = async (): Promise<ServerAndEngine> => {
  const { createAtoll, site } = await builtEngine();
  const seed = 'the same';
  const [server, engine] = await Promise.all([
    startAtoll({ port: false, baseUrl, seed, checkReplies: 'fail', jwtKey: testSigningKey }),
    createAtoll({ site, baseUrl, seed }),
  ]);
  for (const each of [server, engine]) await each.clock.set(frozen);
  return {
    server,
    engine,
    close: async () => {
      await server.close();
      await engine.close();
    },
  };
};
