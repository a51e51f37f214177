/** Does in the background what has to be done again and again: compares clocks, and collects what nothing needs. */
import { Problem } from '../../core/problem.ts';
import type { Collector } from './collector.ts';
import type { DatabaseClock } from '../database-clock.ts';

type Background = {
  /** Waits for what runs. */
  end(): Promise<void>;
};

const everyMs = 60_000;

/** A database that cannot be reached is asked again the next time; other errors are told. */
export const startBackground = (
  clock: DatabaseClock,
  collector: Collector,
  warn: (message: string) => void,
): Background => {
  let running: Promise<void> = Promise.resolve();
  const work = async (): Promise<void> => {
    try {
      await clock.compare();
      await collector.collect();
    } catch (error) {
      if (!(error instanceof Problem)) warn(`What nothing needs was not collected: ${String(error)}`);
    }
  };
  const timer = setInterval(() => {
    running = running.then(work);
  }, everyMs).unref();
  return {
    end: async () => {
      clearInterval(timer);
      await running;
      await collector.close();
    },
  };
};
