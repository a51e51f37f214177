/** Stops a server at a signal: it says first that it ends, then finishes open requests. */
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Started } from '../../server/server-start.ts';
import { inTime } from '../../basics/in-time.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes, exitInOrder } from '../exit-codes.ts';

/** How long open requests may take after the notice. */
const drainMs = 30_000;

/** How long everything else may take after that: a supervisor would kill the process next. */
const closingMs = 10_000;

export const stopInOrder = (started: Started, noticeMs: number, context: CommandContext, log: Logger): void => {
  let isLost = false;
  exitInOrder(context, {
    end: async () => {
      void started.health().then((reasons) => {
        isLost = reasons.some(({ code }) => code === 'directory_lost');
      });
      log.info('stopping: open requests are finished first');
      const stopped = started.stop(drainMs, noticeMs === 0 ? undefined : setTimeout(noticeMs));
      await inTime(stopped, noticeMs + drainMs + closingMs, () => {
        throw new Error('Something did not end in time. What was acknowledged is on disk.');
      });
      return exitCodes.ok;
    },
    codeNow: () => (isLost ? exitCodes.damaged : exitCodes.ok),
    onError: (error) => log.error({ err: error }, 'the end was not orderly'),
  });
};
