/** What differs for clients between two sites, and who it breaks. */
import { counted } from '../../basics/counted.ts';

const marks: { readonly [S in Side]: string } = { requests: 'refused requests', answers: 'other answers' };

/** What breaks clients first, then the rest, and at the end a sum. */
export const differencePage = (differences: readonly Difference[]): string => {
  if (differences.length === 0) return 'Nothing changed for clients.';
  const breaking = differences.filter(isBreaking);
  const rest = differences.filter((difference) => !isBreaking(difference));
  const line = ({ subject, change, breaks }: Difference): string =>
    `  ${subject} ${change}${breaks.length === 0 ? '' : ` [${breaks.map((side) => marks[side]).join(', ')}]`}`;
  return [
    ...(breaking.length === 0 ? [] : ['Breaks clients:', ...breaking.map(line), '']),
    ...(rest.length === 0 ? [] : ['Harms nobody:', ...rest.map(line), '']),
    `${counted(differences.length, 'change')}, ${breaking.length} of them breaking`,
  ].join('\n');
};

export const differenceJson = (differences: readonly Difference[]): string =>
  JSON.stringify({ breaking: differences.filter(isBreaking).length, differences }, null, 2);

/**
 * `requests`: what was right to send is refused or means something else now. `answers`: what clients read is gone, may be
 * missing, or has another form.
 */
export type Side = 'requests' | 'answers';

export type Difference = {
  /** What changed, from the outside in: `node.artwork.field_made`, `role.editor`, `site.storages.public`. */
  readonly subject: string;
  /** A sentence without its subject, such as `is required now`. */
  readonly change: string;
  /** Empty for a change that harms nobody. */
  readonly breaks: readonly Side[];
};

export const isBreaking = ({ breaks }: Difference): boolean => breaks.length > 0;

export const harmless: readonly Side[] = [];
export const requests: readonly Side[] = ['requests'];
export const answers: readonly Side[] = ['answers'];
export const both: readonly Side[] = ['requests', 'answers'];

/** The differences of one subject. */
export const differencesOf = (subject: string) => {
  const found: Difference[] = [];
  return {
    found,
    /** Notes a change where there is one. */
    note: (isChanged: boolean, change: string, breaks: readonly Side[]): void => {
      if (isChanged) found.push({ subject, change, breaks });
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

/** Goes through the entries of two maps by name: those of the first, then those that only the second has. */
export const byName = <T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  compare: (name: string, before: T | undefined, after: T | undefined) => readonly Difference[],
): readonly Difference[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => compare(name, before.get(name), after.get(name)));
