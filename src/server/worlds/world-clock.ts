/** Makes the clock of a world: real, frozen, or scaled to another pace. Has the machine's own clock and ids, the defaults. */
import { clockAdvanceTopic, clockTopic, createMemoryState, type WorldState } from '../../openapi/openapi-host.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock, Identifiers } from '../../openapi/openapi-records.ts';

type ClockMode = 'real' | 'frozen' | 'scaled';

/** `scale`: seconds of the world in one real second, with mode `scaled` only. */
type ClockReading = { readonly now: number; readonly mode: ClockMode; readonly scale?: number };

/** Without `now`, mode `real` returns to the real time and the other modes continue from the world's time. */
type ClockSetting = {
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
  /** Another clock with the same time, mode and scale. It keeps its course in this state, in one of its own when left out. */
  copy(state?: WorldState): WorldClock;
};

/** Time of the world = `at` + (real time − `since`) × `pace` + what it was moved forward. `by`: tells two apart that were set at once. */
type Course = {
  readonly mode: ClockMode;
  readonly at: number;
  readonly since: number;
  readonly pace: number;
  readonly by: string;
};

/** By how much a course was moved forward, in milliseconds. */
type Advance = { readonly course: string; readonly ms: number };

/** A clock stops at this time, because dates have four digits for the year (RFC 3339 §5.6). */
export const latestTime = Date.parse('9999-12-31T23:59:59Z');

const realCourse: Course = { mode: 'real', at: 0, since: 0, pace: 1, by: '' };

/** The one key of the topic. */
const courseKey = 'course';

/** The most parts of what the clock was moved forward by. */
const advanceLimit = 1000;

/** A clock that shows the time of `real` until it is set. Clocks over one state have one course. */
export const createWorldClock = (real: Clock, state: WorldState = createMemoryState()): WorldClock => {
  const courses = state.map<Course>(clockTopic, 1);
  const { advance, advanced, forget } = createAdvances(state);
  const course = (): Course => courses.get(courseKey) ?? realCourse;
  const now = (): number => {
    const current = course();
    const passed = Math.floor((real.now() - current.since) * current.pace);
    return Math.min(latestTime, current.at + passed + advanced(current));
  };
  return {
    now,
    isReal: () => {
      const current = course();
      return current.mode === 'real' && current.at === current.since && advanced(current) === 0;
    },
    read: () => {
      const { mode, pace } = course();
      return { now: now(), mode, ...(mode === 'scaled' ? { scale: pace } : {}) };
    },
    set: ({ mode, now: wanted, scale = 1 }) => {
      const since = real.now();
      const at = wanted ?? (mode === 'real' ? since : now());
      courses.set(courseKey, {
        mode,
        at,
        since,
        pace: { real: 1, frozen: 0, scaled: scale }[mode],
        by: state.uniqueName(''),
      });
      forget();
    },
    advance: (ms) => advance(course(), ms),
    copy: (own = createMemoryState()) => {
      const current = course();
      const at = current.at + advanced(current);
      // A clock that was never set stays without a course: its requests read none.
      if (current !== realCourse || at !== 0) own.map<Course>(clockTopic, 1).set(courseKey, { ...current, at });
      return createWorldClock(real, own);
    },
  };
};

const createAdvances = (state: WorldState) => {
  const advances = state.tally<Advance>(clockAdvanceTopic, advanceLimit);
  const nameOf = ({ since, by }: Course): string => `${since} ${by}`;
  return {
    advance: (course: Course, ms: number): void => {
      const name = nameOf(course);
      advances.change('', (before) => ({ course: name, ms: ms + (before?.course === name ? before.ms : 0) }));
    },
    advanced: (course: Course): number => {
      // Every request asks, and hardly any clock was moved.
      if (advances.size === 0) return 0;
      const name = nameOf(course);
      let sum = 0;
      for (const { course: moved, ms } of advances.values()) if (moved === name) sum += ms;
      return sum;
    },
    /** They belong to an earlier course. */
    forget: (): void => advances.clear(),
  };
};

export const systemClock: Clock = { now: Date.now, steady: () => performance.now() };

export const systemIds: Identifiers = {
  uuid: () => randomUUID(),
  secret: () => randomBytes(32).toString('base64url'),
};
