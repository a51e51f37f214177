/** Answers `/` for programs, `/_atoll/health`, `/_atoll/ready` (whether this process may get requests now) and `/_atoll/metrics`. */
import { type DocumentCollections, unfitCollections } from '../../contract/contract.ts';
import type { HealthReason, ReadHealth } from '../worlds/store-health.ts';
import { jsonReply } from '../../openapi/openapi-host.ts';
import type { ControlHandlers } from './control-handlers.ts';
import type { Readiness, ReadinessReport } from './readiness.ts';
import { notFound, retryLater } from '../../openapi/openapi-terms.ts';

/** Writes the metrics as they are now. */
export type WriteMetrics = () => Promise<string>;

/** Without `write` there are no metrics, as where there is no process. */
export const metricsHandlers = (write: WriteMetrics | undefined): Pick<ControlHandlers, 'getMetrics'> => ({
  getMetrics: async () => async () => {
    if (write === undefined) throw notFound('There are no metrics here: this is not a server.');
    return { status: 200, mediaType: exposition, body: await write() } as const;
  },
});

/** The format 0.0.4, which every version of Prometheus reads. */
const exposition = 'text/plain; version=0.0.4; charset=utf-8';

/** Throws a 503 that names the reasons while the process may get no requests. */
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

/** What the stores say of themselves, and what of them does not answer. Readers at the same time share one look. */
export const createHealth = (stores: ReadHealth, readiness: Pick<Readiness, 'read'>): ReadHealth => {
  let looking: Promise<readonly HealthReason[]> | undefined;
  const look = async (): Promise<readonly HealthReason[]> => {
    const [reasons, { checks }] = await Promise.all([stores(), readiness.read()]);
    if (reasons.some(({ code }) => code === 'directory_lost')) return reasons;
    const missing = checks.filter(({ isReady }) => !isReady);
    return [...reasons, ...missing.map(({ name, message }) => unreachable(`${name}: ${message}`))];
  };
  return () =>
    (looking ??= look().finally(() => {
      looking = undefined;
    }));
};

const unreachable = (message: string): HealthReason => ({ code: 'unreachable', message });

/** All addresses are those of the world. */
export const serverHandlers = (version: string): Pick<ControlHandlers, 'getServer'> => ({
  getServer:
    async (_request, { baseUrl }) =>
    async () => ({
      ...{ status: 200, mediaType: 'application/json', headers: { Vary: 'Accept' } },
      body: {
        ...{ name: 'Atoll', version, health: `${baseUrl}/_atoll/health`, document: `${baseUrl}/openapi.json` },
        ...{ control: `${baseUrl}/_atoll/openapi.json`, console: `${baseUrl}/_atoll/` },
      },
    }),
});

export const healthHandlers = (
  version: string,
  readHealth: ReadHealth,
  collections: () => readonly DocumentCollections[],
): Pick<ControlHandlers, 'getHealth'> => ({
  getHealth: async (_request, world) => async () => {
    const unfit = (await unfitCollections(collections(), world.collections)).map(({ collection, records }) => ({
      ...{ collection, records: records.length },
    }));
    const reasons = [...(await readHealth())];
    const isLost = reasons.some(({ code }) => code === 'directory_lost');
    const status = isLost ? 'failed' : reasons.length === 0 ? 'ok' : 'degraded';
    const { durability } = world;
    return jsonReply({ status, reasons, ...(unfit.length > 0 ? { unfit } : {}), durability, version });
  },
});
