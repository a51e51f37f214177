/** Defines `atoll-server/playwright`: `export const test = base.extend(atollFixtures())`, with a world for each test. */
import type { AtollServer, AtollWorld } from '../entries/atoll.ts';
import { endOrThrow, openTestServer, type TestOptions, worldOfTest } from './test-server.ts';

export type { TestOptions } from './test-server.ts';

/** As much of Playwright's own type as is read here. Two copies of Playwright in one project do not run. */
type TestInfo = { readonly title: string; readonly status?: string | undefined; readonly expectedStatus: string };
type Use<T> = (value: T) => Promise<void>;

export type AtollTestFixtures = {
  /** A world of the test's own, dropped afterwards. */
  world: AtollWorld;
};
export type AtollWorkerFixtures = {
  /** The server: that of `atoll exec`, or one of this worker. */
  atoll: AtollServer;
};

type FixtureFunctions = {
  atoll: [(own: object, use: Use<AtollServer>) => Promise<void>, { scope: 'worker' }];
  world: (own: { readonly atoll: AtollServer }, use: Use<AtollWorld>, testInfo: TestInfo) => Promise<void>;
};

/**
 * Fixtures for `base.extend<AtollTestFixtures, AtollWorkerFixtures>(…)`. A test that fails shows its traffic as one more error: in the
 * terminal, and in whatever a reporter writes.
 */
export const atollFixtures = (options: TestOptions = {}): FixtureFunctions => ({
  atoll: [
    // Playwright reads which fixtures this one needs from the pattern.
    async ({}, use) => {
      const { server, close } = await openTestServer(options);
      await use(server);
      await close();
    },
    { scope: 'worker' },
  ],
  world: async ({ atoll }, use, testInfo) => {
    const world = await worldOfTest(atoll, testInfo.title);
    await use(world);
    await endOrThrow(world, { ...options, isFailed: testInfo.status !== testInfo.expectedStatus });
  },
});
