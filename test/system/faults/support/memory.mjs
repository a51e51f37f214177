/** Watches the memory of a server while it works: what the system counts as resident, and what is alive after each full collection. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pause, serve } from './program.mjs';

export const mb = 1024 * 1024;
const sampleMs = 1000;

const hook = (name) => `--import=${pathToFileURL(fileURLToPath(new URL(name, import.meta.url))).href}`;

/**
 * Starts a server that is watched. `leaks`: one that keeps something of every request, which a soak has to notice. `collectMs`: one
 * that collects its garbage so often; its resident memory says nothing then.
 */
export const serveWatched = async (directory, { leaks = false, collectMs } = {}) => {
  const report = join(directory, 'memory.jsonl');
  const hooks = [hook('report-memory.mjs'), ...(leaks ? [hook('leak.mjs')] : [])];
  const server = await serve(join(directory, 'data'), {
    env: {
      ...{ NODE_OPTIONS: [process.env.NODE_OPTIONS, ...hooks].join(' '), ATOLL_MEMORY_REPORT: report },
      ...(collectMs === undefined ? {} : { ATOLL_MEMORY_EVERY: String(collectMs) }),
    },
  });
  const began = Date.now();
  const residentMb = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;
  const alive = () =>
    existsSync(report)
      ? readFileSync(report, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line))
          .map(({ at, alive: bytes }) => ({ seconds: (at - began) / 1000, mb: bytes / mb }))
      : [];
  /** Samples until `isOver` says so. `more` is put into each sample. */
  const watch = async (isOver, more = () => ({})) => {
    const samples = [];
    for (; !isOver(); await pause(sampleMs))
      samples.push({ seconds: (Date.now() - began) / 1000, mb: residentMb(), ...more() });
    return samples;
  };
  return { server, residentMb, alive, watch, descriptors: () => readdirSync(`/proc/${server.pid}/fd`).length };
};

/** Whether as many requests are answered. A server that takes longer than twenty minutes for them hangs. */
export const afterRequests = (answered, count) => {
  const end = Date.now() + 20 * 60_000;
  return () => {
    if (Date.now() > end) throw new Error(`${answered()} of ${count} requests are answered after 20 minutes`);
    return answered() >= count;
  };
};

/** The median of the slopes between all pairs of points, which a single large sample does not move. */
export const slopeOf = (points) => {
  const slopes = points.flatMap(([x, y], at) =>
    points.slice(at + 1).flatMap(([later, other]) => (later === x ? [] : [(other - y) / (later - x)])),
  );
  return slopes.sort((one, other) => one - other)[Math.floor(slopes.length / 2)] ?? Number.NaN;
};

export const highest = (samples) => Math.max(...samples.map(({ mb: size }) => size));
