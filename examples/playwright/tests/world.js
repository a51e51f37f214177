/** A world of its own for every test, on the one server whose address stands in `ATOLL_URL`. */
import { test as base } from '@playwright/test';
import { connectAtoll } from 'atoll-server';

const atoll = connectAtoll(process.env.ATOLL_URL);

export const test = base.extend({
  // Playwright reads which fixtures this one needs from the pattern.
  // eslint-disable-next-line no-empty-pattern
  world: async ({}, use) => {
    // Should the worker be killed, the world goes by itself.
    const world = await atoll.world({ ttl: 300 });
    await use(world);
    await world.drop();
  },
});
export { expect } from '@playwright/test';
