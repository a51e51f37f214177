/**
 * Imported by the server that a soak watches: writes a line after each full collection, with the memory that is left. Nothing else
 * says how much is alive. The file is in ATOLL_MEMORY_REPORT.
 */
import { appendFileSync } from 'node:fs';
import { constants, PerformanceObserver } from 'node:perf_hooks';

const file = process.env.ATOLL_MEMORY_REPORT;

const report = (list) => {
  if (!list.getEntries().some(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR)) return;
  const { heapUsed, external } = process.memoryUsage();
  appendFileSync(file, `${JSON.stringify({ at: Date.now(), alive: heapUsed + external })}\n`);
};

new PerformanceObserver(report).observe({ entryTypes: ['gc'] });
