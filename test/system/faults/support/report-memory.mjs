/**
 * Imported by the server that a soak watches: writes a line after each full collection, with the memory that is left. Nothing else
 * says how much is alive. The file is in ATOLL_MEMORY_REPORT. With ATOLL_MEMORY_EVERY it collects itself, each so many
 * milliseconds, and looks before there is new garbage.
 */
import { appendFileSync } from 'node:fs';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const { ATOLL_MEMORY_REPORT: file, ATOLL_MEMORY_EVERY: every } = process.env;

const write = () => {
  const { heapUsed, external } = process.memoryUsage();
  appendFileSync(file, `${JSON.stringify({ at: Date.now(), alive: heapUsed + external })}\n`);
};

if (every === undefined) {
  const isFull = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
  new PerformanceObserver((list) => void (list.getEntries().some(isFull) && write())).observe({ entryTypes: ['gc'] });
} else {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  setInterval(() => {
    collect();
    write();
  }, Number(every)).unref();
}
