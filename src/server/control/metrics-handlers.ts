/** Answers `/_atoll/metrics`: what this process has done, in the text format of Prometheus. */
import { notFound } from '../../core/problem.ts';
import type { ControlHandlers } from './control-handlers.ts';

/** Writes the metrics as they are now. */
export type WriteMetrics = () => Promise<string>;

/** Without `write` there are no metrics, as where there is no process. */
export const metricsHandlers = (write: WriteMetrics | undefined): Pick<ControlHandlers, 'getMetrics'> => ({
  getMetrics: async () => async () => {
    if (write === undefined) throw notFound('There are no metrics here: this is no server.');
    return { status: 200, mediaType: 'text/plain', headers: exposition, body: await write() } as const;
  },
});

/** The format 0.0.4, which every version of Prometheus reads. */
const exposition = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' };
