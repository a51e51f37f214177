/** Computes how many connections a server may have by default: fewer than the descriptors that the system allows this process. */
import { readFile } from 'node:fs/promises';

/** Files of the store, the listener, the log, and what a start and a reload open for a moment. */
const ownDescriptors = 64;

/** An upload or a download has a file beside its connection. */
const descriptorsEach = 2;

const mostConnections = 10_000;

/** Where the system does not tell its limit: everywhere but on Linux. */
const unknownLimit = 1024;

/** The default of `--max-connections`. */
export const defaultConnections = async (): Promise<number> => {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  return connectionsFor(descriptorLimit(limits));
};

/** The soft limit of `/proc/self/limits`. */
export const descriptorLimit = (limits: string): number => {
  const found = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
  return found === undefined ? unknownLimit : found === 'unlimited' ? Infinity : Number(found);
};

export const connectionsFor = (descriptors: number): number =>
  Math.max(1, Math.min(mostConnections, Math.floor((descriptors - ownDescriptors) / descriptorsEach)));
