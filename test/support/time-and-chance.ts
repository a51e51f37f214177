/** Time and chance of tests: a clock that stands still, and ids that are the same in each run. */
import { createHash } from 'node:crypto';

/** A clock that stands still until it is told otherwise. Milliseconds since 1970. */
export type TestClock = { now(): number; set(iso: string): void; advance(seconds: number): void };

export const createClock = (iso = '2024-05-01T12:00:00Z'): TestClock => {
  let time = Date.parse(iso);
  return {
    now: () => time,
    set: (next) => {
      time = Date.parse(next);
    },
    advance: (seconds) => {
      time += seconds * 1000;
    },
  };
};

/** The n-th uuid and secret are always the same. */
export const createIds = () => {
  let drawn = 0;
  const digest = (): Buffer =>
    createHash('sha256')
      .update(`test ${(drawn += 1)}`)
      .digest();
  return {
    uuid: () => {
      const hex = digest().toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    },
    secret: () => digest().toString('base64url'),
  };
};
