/** Drops a world when its time has come. The time can be set again. */
import type { Clock } from '../../../openapi/openapi-records.ts';

export type Expiry = {
  /** When the world is dropped, in milliseconds since 1970. Null: it stays. */
  readonly at: () => number | null;
  /** Seconds from now. Null: it stays. */
  readonly set: (ttl: number | null) => void;
  readonly cancel: () => void;
};

type Timers = {
  /** The real time. */
  readonly clock: Clock;
  /** Runs a function after so many milliseconds. Call the returned function to cancel that. */
  readonly schedule: (ms: number, run: () => void) => () => void;
};

/** `ttl` is in seconds from now, or null when the world stays. */
export const createExpiry = ({ clock, schedule }: Timers, ttl: number | null, drop: () => void): Expiry => {
  let at: number | null = null;
  let stop = (): void => undefined;
  const set = (seconds: number | null): void => {
    stop();
    stop = seconds === null ? () => undefined : schedule(seconds * 1000, drop);
    at = seconds === null ? null : clock.now() + seconds * 1000;
  };
  set(ttl);
  return { at: () => at, set, cancel: () => stop() };
};
