/** Makes the clock of a world: real, frozen, or scaled to another pace. */
import type { Clock } from '../model/clock.ts';

export const clockModes = ['real', 'frozen', 'scaled'] as const;
export type ClockMode = (typeof clockModes)[number];

/** `scale`: seconds of the world in one real second, with mode `scaled` only. */
export type ClockReading = { readonly now: number; readonly mode: ClockMode; readonly scale?: number };

/** Without `now`, mode `real` returns to the real time and the other modes continue from the world's time. */
export type ClockSetting = {
  readonly mode: ClockMode;
  readonly now?: number | undefined;
  readonly scale?: number | undefined;
};

/** Milliseconds since 1970. */
export type WorldClock = Clock & {
  read(): ClockReading;
  /** Whether the clock shows the real time. */
  isReal(): boolean;
  set(setting: ClockSetting): void;
  /** Moves the clock forward by this many milliseconds, in any mode. */
  advance(ms: number): void;
  /** Another clock with the same time, mode and scale. */
  copy(): WorldClock;
};

/** Time of the world = `at` + (real time − `since`) × `pace`. */
type Course = { readonly mode: ClockMode; readonly at: number; readonly since: number; readonly pace: number };

/** A clock stops at this time, because dates have four digits for the year (RFC 3339 §5.6). */
export const latestTime = Date.parse('9999-12-31T23:59:59Z');

const realCourse: Course = { mode: 'real', at: 0, since: 0, pace: 1 };

/** A clock that shows the time of `real` until it is set. */
export const createWorldClock = (real: Clock, start = realCourse): WorldClock => {
  let course = start;
  const now = (): number => Math.min(latestTime, course.at + Math.floor((real.now() - course.since) * course.pace));
  return {
    now,
    isReal: () => course.mode === 'real' && course.at === course.since,
    read: () => ({ now: now(), mode: course.mode, ...(course.mode === 'scaled' ? { scale: course.pace } : {}) }),
    set: ({ mode, now: wanted, scale = 1 }) => {
      const since = real.now();
      const at = wanted ?? (mode === 'real' ? since : now());
      course = { mode, at, since, pace: { real: 1, frozen: 0, scaled: scale }[mode] };
    },
    advance: (ms) => {
      course = { ...course, at: course.at + ms };
    },
    copy: () => createWorldClock(real, course),
  };
};
