/** The work that waits after a write: whose turn it is, and what is remembered of it. */
import { describe, expect, it } from '@jest/globals';
import { createFollowUps } from '../../src/repository/living/follow-ups.ts';
import type { SiteTools } from '../../src/repository/repository-content.ts';
import { createClock } from '../support/atoll.ts';

describe('The work that waits', () => {
  it('leaves requests their turns while it is done', async () => {
    const queue = createFollowUps({ clock: createClock(), delayMs: 0, tools: {} as SiteTools }); // the work uses none
    const busy = async () => {
      const end = performance.now() + 2;
      while (performance.now() < end);
      return {};
    };
    queue.add(
      Array.from({ length: 200 }, () => ({ name: 'busy', about: 'node:1', run: busy })),
      undefined,
    );
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await queue.settled();
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
  });

  it('takes what follows from work that was taken, and remembers the last 1,000 that were not', async () => {
    const done: number[] = [];
    const queue = createFollowUps({ clock: createClock(), delayMs: 0, tools: {} as SiteTools, mostWaiting: 1 }); // the work uses none
    const noting = (at: number) => async () => {
      done.push(at);
      return {};
    };
    const about = 'node:1';
    const further = Array.from({ length: 3 }, (_, at) => ({
      ...{ name: `further ${at}`, about },
      run: noting(at),
    }));
    queue.add([{ name: 'first', about, run: async () => ({ further }) }], undefined);
    for (let count = 0; count < 1100; count += 1) queue.add([{ name: 'late', about, run: noting(-1) }], undefined);
    await queue.settled();
    expect(done).toEqual([0, 1, 2]);
    expect(queue.list().filter(({ state }) => state === 'failed')).toHaveLength(1000);
  });
});
