/** Answers `/_atoll/ready`: whether this process may get requests now. */
import { retryLater } from '../../core/problem.ts';
import { jsonReply, type ControlHandlers } from './control-handlers.ts';
import type { Readiness, ReadinessReport } from './readiness.ts';

/** Throws a 503 that says what is missing while the process may get none. */
export const readyHandlers = (readiness: Pick<Readiness, 'read'>): Pick<ControlHandlers, 'getReady'> => ({
  getReady: async () => async () => {
    const report = await readiness.read();
    if (report.status !== 'ready') throw retryLater(messageOf(report));
    return jsonReply({ status: 'ready', checks: report.checks.map(({ name, message }) => ({ name, message })) });
  },
});

/** The message while a process starts. The listener says so before there is anything else that could answer. */
export const startingMessage = 'The server is starting.';

const messageOf = ({ status, checks }: ReadinessReport): string => {
  if (status === 'starting') return startingMessage;
  if (status === 'draining') return 'The server is shutting down.';
  const failed = checks.filter(({ isReady }) => !isReady);
  return `Not ready. ${failed.map(({ name, message }) => `${name}: ${message}`).join(' ')}`;
};
