/** Defines `atoll-server/vitest`: `export const test = base.extend(atollFixtures())`, with a world for each test. */
import type { AtollServer, AtollWorld } from '../entries/atoll.ts';
import { endOrThrow, openTestServer, type TestOptions, worldOfTest } from './test-server.ts';

export type { TestOptions } from './test-server.ts';

/** As much of Vitest's own type as is read here. The package imports no runner, so that a project has one of them. */
type Task = { readonly name: string; readonly result?: { readonly state?: string } | undefined };
type Use<T> = (value: T) => Promise<void>;

export type AtollFixtures = {
  /** The server: that of `atoll exec`, or one of this file. */
  readonly atoll: AtollServer;
  /** A world of the test's own, dropped afterwards. */
  readonly world: AtollWorld;
};

type FixtureFunctions = {
  atoll: [(own: object, use: Use<AtollServer>) => Promise<void>, { scope: 'file' }];
  world: (own: { readonly atoll: AtollServer; readonly task: Task }, use: Use<AtollWorld>) => Promise<void>;
};

/**
 * Fixtures for `test.extend` of Vitest 3.2 or later. A test that fails shows its traffic as one more error: in the terminal, and in
 * whatever a reporter writes.
 */
export const atollFixtures = (options: TestOptions = {}): FixtureFunctions => ({
  atoll: [
    // Vitest reads which fixtures this one needs from the pattern.
    async ({}, use) => {
      const { server, close } = await openTestServer(options);
      await use(server);
      await close();
    },
    { scope: 'file' },
  ],
  world: async ({ atoll, task }, use) => {
    const world = await worldOfTest(atoll, task.name);
    await use(world);
    await endOrThrow(world, { ...options, isFailed: task.result?.state === 'fail' });
  },
});
