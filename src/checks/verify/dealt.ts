/** Deals out rows among subjects that one piece of a server's code answers for, so that each row is tried, and not everywhere. */

/** The rows of the subject at this place among so many. The first subject has all of them; the others share them once more. */
export const dealt = <T>(rows: readonly T[], at: number, subjects: number): readonly T[] =>
  at === 0 ? rows : rows.filter((_, row) => row % (subjects - 1) === at - 1);
