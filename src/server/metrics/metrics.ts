/** Writes the metrics of a server in the text format of Prometheus. It loads prom-client when they are asked for. */
import type { Metric } from 'prom-client';
import { once } from '../../basics/once.ts';
import { metricFamilies, type MetricsSources } from './metric-families.ts';

/**
 * Makes the function that writes all metrics as they are now. What Node says of its own process (memory, processor, event loop)
 * is observed from its first call on, so that a server whose metrics nobody reads pays nothing for them.
 */
export const createMetrics = (sources: MetricsSources): (() => Promise<string>) => {
  const registry = once(async () => {
    const { default: prometheus } = await import('prom-client');
    const made = new prometheus.Registry();
    for (const { name, help, type, read } of metricFamilies(sources)) {
      const metric = { name, get: async () => ({ name, help, type, aggregator: 'sum', values: await read() }) };
      made.registerMetric(metric as unknown as Metric); // a registry only asks a metric for its name and values
    }
    prometheus.collectDefaultMetrics({ register: made });
    return made;
  });
  // The format has one spelling for it, and prom-client writes another one.
  return async () => (await (await registry()).metrics()).replaceAll(' Nan\n', ' NaN\n');
};
