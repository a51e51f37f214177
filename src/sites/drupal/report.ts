/** Collects what an import took, took in part, could not judge and did not read. */
import { given } from '../../basics/json.ts';
import type { ImportNote, ImportReport } from '../../openapi/openapi-host.ts';

/** Places that a list shows before it counts the rest. */
const shown = 12;

export const reportText = (report: ImportReport): string => {
  const { headline, taken, partly, notJudged, outside, notRead } = report;
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['Taken', countLines(taken)],
    ['Taken in part', partly.filter(({ lost }) => lost).flatMap(noteLines)],
    ['Not judged', notJudged.flatMap(noteLines)],
    ['Outside of this interface', outside.flatMap(noteLines)],
    ['Remarks', partly.filter(({ lost }) => !lost).flatMap(noteLines)],
    ['Not read', countLines(notRead)],
  ];
  return [
    ...(headline === undefined ? [] : [headline, '']),
    '# Import of a Drupal configuration',
    ...sections.flatMap(([title, lines]) => (lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines])),
    '',
    losesSomething(report)
      ? 'Clients of the imported site may notice the parts under "Taken in part" and "Not judged".'
      : 'Nothing was lost.',
  ].join('\n');
};

const countLines = (counts: Readonly<Record<string, number>>): string[] =>
  Object.entries(counts).map(([kind, number]) => `- ${kind}: ${number}`);

const noteLines = ({ why, where }: ImportNote): string[] => [
  `- ${why} (${where.length})`,
  ...where.slice(0, shown).map((place) => `  - ${place}`),
  ...(where.length > shown ? [`  - … and ${where.length - shown} more`] : []),
];

export type Reporter = {
  /** Says something before everything else. */
  begin(headline: string): void;
  taken(kind: string, number?: number): void;
  /** Something that was taken in part, or not at all. */
  partly(where: string, why: string): void;
  /** Something that was left out or guessed, and changes no answer. */
  remark(where: string, why: string): void;
  /** Something that serves another protocol than this interface. */
  outside(where: string, why: string): void;
  /** A field whose values are kept as sent, without a rule. */
  notJudged(where: string, why: string): void;
  report(notRead: ReadonlyMap<string, number>): ImportReport;
};

type Section = 'partly' | 'notJudged' | 'outside';
type Note = Omit<ImportNote, 'where'> & { readonly section: Section; readonly where: Set<string> };

export const createReporter = (): Reporter => {
  let headline: string | undefined;
  const taken = new Map<string, number>();
  const notes = new Map<string, Note>();
  const noteIn = (section: Section, lost: boolean) => (where: string, why: string) => {
    const key = `${section} ${why}`;
    const note = notes.get(key) ?? { section, why, lost, where: new Set<string>() };
    notes.set(key, note);
    note.where.add(where);
  };
  const listed = (wanted: Section): ImportNote[] =>
    [...notes.values()]
      .filter(({ section }) => section === wanted)
      .map(({ why, lost, where }) => ({ why, lost, where: [...where].sort() }))
      .sort((a, b) => Number(b.lost) - Number(a.lost) || (a.why < b.why ? -1 : 1));
  return {
    begin: (text) => {
      headline = text;
    },
    taken: (kind, number = 1) => taken.set(kind, (taken.get(kind) ?? 0) + number),
    partly: noteIn('partly', true),
    remark: noteIn('partly', false),
    outside: noteIn('outside', false),
    notJudged: noteIn('notJudged', true),
    report: (notRead) => ({
      ...given({ headline }),
      taken: Object.fromEntries(taken),
      ...{ partly: listed('partly'), notJudged: listed('notJudged'), outside: listed('outside') },
      notRead: Object.fromEntries([...notRead].sort(([a], [b]) => (a < b ? -1 : 1))),
    }),
  };
};

/** Whether anything of the real site is missing or unjudged: what `--strict` refuses. */
export const losesSomething = ({ partly, notJudged }: ImportReport): boolean =>
  notJudged.length > 0 || partly.some(({ lost }) => lost);
