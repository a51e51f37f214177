/** Stops a server at a signal: it says first that it ends, then finishes open requests. */
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import type { Started } from '../../server/start/start.ts';
import { inTime } from '../../basics/in-time.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes, exitInOrder } from '../exit-codes.ts';

export type NoticeOptions = { readonly drainNotice?: string };

/** Adds `--drain-notice`. */
export const addDrainNotice = (command: Command): Command =>
  command.option(
    '--drain-notice <seconds>',
    'how long it still answers after SIGTERM while /_atoll/ready says 503, so that a balancer can learn it (or set ATOLL_DRAIN_NOTICE; default: 0)',
  );

/** In milliseconds. Throws `ConfigurationError` for a text that is not a number of seconds. */
export const readDrainNotice = (
  { drainNotice }: NoticeOptions,
  environment: Readonly<Record<string, string | undefined>>,
): number => {
  const text = drainNotice ?? environment['ATOLL_DRAIN_NOTICE'] ?? '0';
  if (/^\d{1,4}$/.test(text)) return Number(text) * 1000;
  const source = drainNotice === undefined ? 'ATOLL_DRAIN_NOTICE' : '--drain-notice';
  throw new ConfigurationError(`${source} is a number of seconds from 0 to 9999.`);
};

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
