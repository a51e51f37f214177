/** What differs for clients between two sites besides their documents, and who it breaks. */

/**
 * `requests`: what was right to send is refused or means something else now. `answers`: what clients read is gone, may be
 * missing, or has another form.
 */
export type Side = 'requests' | 'answers';

export type Difference = {
  /** What changed, from the outside in: `node.artwork.field_made`, `role.editor`, `site.limits.json_bytes`. */
  readonly subject: string;
  /** A sentence without its subject, such as `has another default`. */
  readonly change: string;
  /** Empty for a change that harms nobody. */
  readonly breaks: readonly Side[];
};

export const harmless: readonly Side[] = [];
export const requests: readonly Side[] = ['requests'];
export const answers: readonly Side[] = ['answers'];
export const both: readonly Side[] = ['requests', 'answers'];

/** What is said of a change, and who it breaks. `%` are the names of what came or went. */
export type Said = readonly [change: string, breaks: readonly Side[]];

/** The differences of one subject. */
export const differencesOf = (subject: string) => {
  const found: Difference[] = [];
  /** Notes a change where there is one. */
  const note = (isChanged: boolean, change: string, breaks: readonly Side[]): void => {
    if (isChanged) found.push({ subject, change, breaks });
  };
  return {
    found,
    note,
    /** Notes that something is off or on now. */
    toggled: (was: boolean, is: boolean, off: Said, on: Said): void => {
      note(was && !is, ...off);
      note(!was && is, ...on);
    },
    /** Notes what a list has lost and got. */
    members: (was: readonly string[], is: readonly string[], lost: Said, got: Said): void => {
      const pairs = [[without(was, is), lost] as const, [without(is, was), got] as const];
      for (const [names, [change, breaks]] of pairs)
        note(
          names.length > 0,
          change.replace('%', () => listed(names)),
          breaks,
        );
    },
  };
};

/** The members of one list that the other has not. */
export const without = <T>(list: readonly T[], other: readonly T[]): readonly T[] =>
  list.filter((each) => !other.includes(each));

/** Names as a sentence lists them: all of a few, and the number of the rest. */
export const listed = (names: readonly (string | number)[]): string => {
  const shown = names.slice(0, 12).join(', ');
  return names.length > 12 ? `${shown} and ${names.length - 12} more` : shown;
};

/** Compares what both maps have, in the order of the first. What is new or gone, the documents say. */
export const inBoth = <T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  compare: (name: string, before: T, after: T) => readonly Difference[],
): readonly Difference[] =>
  [...before].flatMap(([name, was]) => {
    const is = after.get(name);
    return is === undefined ? [] : compare(name, was, is);
  });
