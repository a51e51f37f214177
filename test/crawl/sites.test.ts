/** The default site is walked. The suite `crawl` walks more of them. */
import { expect } from '@jest/globals';
import { startServer } from '../support/server.ts';
import { describeCrawl, sizesOf } from './walk.suite.ts';

describeCrawl('the default site with the starter fixture', {
  start: () => startServer({ traffic: 0 }),
  visitors: ['anonymous', 'viewer', 'editor', 'admin'],
  also: (result) => {
    const [anonymous = 0, viewer = 0, editor = 0, admin = 0] = sizesOf(result);
    expect(anonymous).toBeGreaterThan(26);
    expect(viewer).toBeGreaterThan(anonymous + 50);
    expect(editor).toBeGreaterThanOrEqual(viewer);
    expect(admin).toBeGreaterThan(editor);
    expect(result.toText()).toMatch(/anonymous: \d+ entities, \d+ links\n.*\n.*\n.*\n0 findings$/);
  },
});
