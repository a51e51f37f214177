/** Shows what a site does by itself some time after a write, and waits for it. */
import { isoTime } from './world-handlers.ts';
import { jsonReply, type ControlHandlers } from './control-handlers.ts';

export const reactionHandlers: Pick<ControlHandlers, 'listReactions'> = {
  listReactions:
    async ({ query }, { followUps }) =>
    async () => {
      if (query.settled === 'true') await followUps?.settled();
      const reactions = (followUps?.list() ?? []).map(({ due, ...shown }) => ({ ...shown, due: isoTime(due) }));
      return jsonReply({ settled: reactions.every(({ state }) => state === 'done' || state === 'failed'), reactions });
    },
};
