/** How long a request for the reactions of a world waits for them. */
import { expect, it } from '@jest/globals';
import type { FollowUps } from '../../src/basics/follow-ups.ts';
import { createReactionHandlers } from '../../src/server/control/event-handlers.ts';

it('Work is waited for so long and no longer by GET /_atoll/reactions?settled=true: 200 with settled false', async () => {
  const followUps: FollowUps = {
    list: () => [{ id: 1, name: 'send messages', about: 'node:1', due: 0, state: 'running' }],
    settled: () => new Promise(() => undefined),
  };
  const { listReactions } = createReactionHandlers(50);
  type Parameters2 = Parameters<typeof listReactions>;
  const answer = await listReactions(
    { query: { settled: 'true' } } as unknown as Parameters2[0],
    { followUps } as unknown as Parameters2[1],
  );
  expect((await answer({})).body).toMatchObject({ settled: false });
});
