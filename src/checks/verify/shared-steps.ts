/** Does steps once in a run for all the checks that share them. */
import type { CheckContext } from './check.ts';
import type { Asking } from './requests.ts';

type Done = { readonly asking: Asking; readonly result: Promise<unknown> };

/** What checks of one run share, by its key. */
export type SharedSteps = Map<string, Done>;

/** What failed is tried again by the next check that asks. The report of each check that shares the steps shows their exchanges. */
export const contextWith = (
  steps: SharedSteps,
  asking: Asking,
  context: Omit<CheckContext, 'ask' | 'once' | 'again'>,
): CheckContext => {
  const begin = <T>(key: string, make: (own: CheckContext) => Promise<T>): Done => {
    const own = asking.apart();
    const done = { asking: own, result: make(contextWith(steps, own, context)) };
    steps.set(key, done);
    done.result.catch(() => steps.delete(key));
    return done;
  };
  return {
    ...context,
    ask: asking.ask,
    once: async <T>(key: string, make: (own: CheckContext) => Promise<T>): Promise<T> => {
      const done = steps.get(key) ?? begin(key, make);
      try {
        return (await done.result) as T; // a key belongs to the steps of one place
      } finally {
        asking.include(done.asking);
      }
    },
    again: (key) => void steps.delete(key),
  };
};
