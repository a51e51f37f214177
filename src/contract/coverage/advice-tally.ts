/** Counts the kinds of advice that a world's requests have got. */
import type { RecordedExchange } from '../../exchange/exchange.ts';

/** `pointer` is that of the advice, with `*` in place of the number of an item. */
export type AdviceCount = {
  readonly operation: string;
  readonly pointer: string;
  readonly reason: string;
  readonly count: number;
};

/** The most kinds. Clients choose the names in pointers. */
const maxAdviceKinds = 500;

export const createAdviceTally = () => {
  const counts = new Map<string, AdviceCount>();
  return {
    add: ({ observations }: RecordedExchange, operation: string): void => {
      for (const { pointer: exact, reason } of observations.advice) {
        const pointer = exact.replace(/\/\d+(?=\/|$)/g, '/*');
        const key = adviceKey({ operation, pointer, reason });
        const known = counts.get(key);
        if (known === undefined && counts.size >= maxAdviceKinds) continue;
        counts.set(key, { operation, pointer, reason, count: (known?.count ?? 0) + 1 });
      }
    },
    counts: (): AdviceCount[] => [...counts.values()],
    /** The counts since the last call. */
    take: (): AdviceCount[] => {
      const taken = [...counts.values()];
      counts.clear();
      return taken;
    },
    clear: (): void => counts.clear(),
  };
};

export const adviceKey = ({ operation, pointer, reason }: Omit<AdviceCount, 'count'>): string =>
  `${operation} ${pointer} ${reason}`;
