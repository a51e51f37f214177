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

type Accepted = { readonly formats: readonly string[]; readonly providers: readonly string[] };

/** By which formats and providers an operation is asked. */
export const acceptedChanges = (subject: string, was: Accepted, is: Accepted): readonly Difference[] => {
  const { found, members } = differencesOf(subject);
  const [noFormat, noProvider] = ['does not have the format % any more (406)', 'does not take % any more (403)'];
  members(was.formats, is.formats, [noFormat, requests], ['has the format % now', harmless]);
  members(was.providers, is.providers, [noProvider, requests], ['takes % now', harmless]);
  return found;
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

/** The same for things that are new or gone as a whole, which harms nobody or breaks clients. */
export const bySubject = <T>(
  [before, after]: readonly [ReadonlyMap<string, T>, ReadonlyMap<string, T>],
  subjectOf: (name: string, thing: T) => string,
  [added, gone]: readonly [whenNew: string, whenGone: Said],
  compare: (subject: string, before: T, after: T) => readonly Difference[],
): readonly Difference[] =>
  byName(before, after, (name, was, is) => {
    const thing = was ?? is;
    if (thing === undefined) return [];
    const { found, note } = differencesOf(subjectOf(name, thing));
    note(was === undefined, added, harmless);
    note(is === undefined, ...gone);
    return was === undefined || is === undefined ? found : compare(subjectOf(name, thing), was, is);
  });
