/** Makes something once for each run, for all the checks that share it. */
import type { CheckContext } from '../../check.ts';

/** What failed is tried again by the next check that asks. */
const remembered = <T>(make: (context: CheckContext) => Promise<T>): ((context: CheckContext) => Promise<T>) => {
  const known = new WeakMap<object, Promise<T>>();
  return (context) => {
    const run = context.workspace;
    const before = known.get(run);
    if (before !== undefined) return before;
    const made = make(context);
    known.set(run, made);
    made.catch(() => known.delete(run));
    return made;
  };
};

/** The same for each text, such as the name of a vocabulary. */
export const rememberedBy = <T>(
  make: (context: CheckContext, key: string) => Promise<T>,
): ((context: CheckContext, key: string) => Promise<T>) => {
  const byKey = new Map<string, (context: CheckContext) => Promise<T>>();
  return (context, key) => {
    const one = byKey.get(key) ?? remembered((own) => make(own, key));
    byKey.set(key, one);
    return one(context);
  };
};
