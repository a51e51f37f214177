/** Runs every command of the guides, each page by the built program against a server of its own in this process. */

import { describe, expect, it, jest } from '@jest/globals';
import { startServer } from '../../support/server.ts';
import { guides, patternOf, runGuide } from './guide.ts';

jest.setTimeout(60_000);

describe('A guide', () => {
  it.each(guides)('%s prints what it shows', async (page) => {
    const server = await startServer();
    try {
      const runs = await runGuide(page, server.url);
      expect(runs.length).toBeGreaterThan(0);
      for (const { block, printed } of runs) {
        if (block.shown !== undefined) expect(printed.trim()).toMatch(patternOf(block.shown));
      }
    } finally {
      await server.stop();
    }
  });
});
