/** Chooses among the sources of terms, and gives each term an id and a uuid that stay the same between imports. */
import { derivedUuid } from '../../../basics/secrets/derived-uuid.ts';
import { derivedId, uuidOr } from '../derived-ids.ts';
import type { RawTerm, TermSource } from './raw-terms.ts';
import type { Reporter } from '../report.ts';

/** A term of an earlier import, or of the site that it is written over. */
export type KnownTerm = {
  readonly vocabulary: string;
  readonly name: string;
  readonly tid: number;
  readonly uuid: string;
};

export type PlacedTerm = {
  readonly raw: RawTerm;
  readonly source: TermSource;
  readonly tid: number;
  readonly uuid: string;
};

type TermSources = {
  /** In the order in which an importer looks. */
  readonly structureSync: TermSource;
  readonly migrations: readonly TermSource[];
  /** Tables that the user named. */
  readonly own: readonly TermSource[];
  readonly standard: TermSource;
};

/** Identifies a term for people: there may be two only where somebody made two. */
const nameKey = ({ vocabulary, name }: Pick<RawTerm, 'vocabulary' | 'name'>): string => `${vocabulary}\n${name.trim()}`;

/** A loop: there may be thousands of terms, and this is asked for each. */
const uriOf = ({ fields }: RawTerm): string => {
  for (const name of Object.keys(fields)) {
    for (const { uri, value } of fields[name] ?? []) {
      const found = uri ?? value;
      if (typeof found === 'string' && found.includes('://')) return found;
    }
  }
  return '';
};

type ChosenTerm = { raw: RawTerm; readonly source: TermSource };

/** Gives a term of a migration, which knows no ids, those of its row in a table of the user. False where the row is another term. */
const numbered = (terms: ChosenTerm[] = [], row: RawTerm): boolean => {
  const uri = uriOf(row);
  const at = terms.findIndex(({ raw }) => uri === '' || uri === uriOf(raw));
  const [term] = at === -1 ? [] : terms.splice(at, 1);
  if (term === undefined) return false;
  term.raw = { ...term.raw, tid: row.tid ?? term.raw.tid, uuid: row.uuid ?? term.raw.uuid };
  return true;
};

/** The terms of the first source that has a vocabulary; tables of the user and missing standard terms are added. */
const chosenTerms = ({ structureSync, migrations, own, standard }: TermSources): ChosenTerm[] => {
  const synced = new Set(structureSync.terms.map(({ vocabulary }) => vocabulary));
  const chosen: ChosenTerm[] = structureSync.terms.map((raw) => ({ raw, source: structureSync }));
  const names = new Set(chosen.map(({ raw }) => nameKey(raw)));
  const identities = new Set<string>();
  const unnumbered = new Map<string, ChosenTerm[]>();
  for (const source of [...migrations, ...own]) {
    const isOwn = own.includes(source);
    for (const raw of source.terms) {
      if (synced.has(raw.vocabulary) && (!isOwn || names.has(nameKey(raw)))) continue;
      if (isOwn && numbered(unnumbered.get(nameKey(raw)), raw)) continue;
      const identity = `${nameKey(raw)}\n${uriOf(raw)}\n${raw.parents.join()}`;
      if (identities.has(identity)) continue;
      identities.add(identity);
      names.add(nameKey(raw));
      const term = { raw, source };
      chosen.push(term);
      if (!isOwn) unnumbered.set(nameKey(raw), [...(unnumbered.get(nameKey(raw)) ?? []), term]);
    }
  }
  const present = new Set(chosen.flatMap(({ raw }) => [nameKey(raw), `${raw.vocabulary}\n${uriOf(raw)}`]));
  const missing = standard.terms.filter(
    (raw) =>
      !synced.has(raw.vocabulary) && !present.has(nameKey(raw)) && !present.has(`${raw.vocabulary}\n${uriOf(raw)}`),
  );
  return [...chosen, ...missing.map((raw) => ({ raw, source: standard }))];
};

/** Leaves out terms of vocabularies that the site does not have. */
export const placeTerms = (
  sources: TermSources,
  vocabularies: readonly string[],
  known: readonly KnownTerm[],
  reporter: Reporter,
): readonly PlacedTerm[] => {
  const chosen = chosenTerms(sources).filter(({ raw, source }) => {
    const isKnown = vocabularies.includes(raw.vocabulary);
    if (!isKnown) reporter.partly(`${source.where}: ${raw.vocabulary}`, 'terms of a vocabulary that does not exist');
    return isKnown;
  });
  const tids = new Set(chosen.flatMap(({ raw }) => raw.tid ?? []));
  const given = new Set<number>();
  const uuids = new Set<string>();
  const earlier = new Map(known.map((term) => [nameKey(term), term]));
  const counts = new Map<string, number>();
  return chosen.map(({ raw, source }) => {
    const name = nameKey(raw);
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    const text = nth === 1 ? name : `${name}\n${nth}`;
    const before = nth === 1 ? earlier.get(name) : undefined;
    const own = freeOf(raw.tid, given);
    if (raw.tid !== undefined && own === undefined) {
      reporter.partly(
        `${source.where}: ${raw.vocabulary}`,
        'the id of a term is that of another or none, so it gets a new one',
      );
    }
    const tid = own ?? freeOf(before?.tid, tids) ?? derivedId(text, (id) => tids.has(id));
    given.add(tid);
    tids.add(tid);
    const wanted = raw.uuid === undefined ? before?.uuid : uuidOr(raw.uuid, `taxonomy_term ${text}`);
    const uuid = wanted === undefined || uuids.has(wanted) ? derivedUuid(`taxonomy_term ${text}`) : wanted;
    uuids.add(uuid);
    return { raw, source, tid, uuid };
  });
};

const freeOf = (tid: number | undefined, taken: ReadonlySet<number>): number | undefined =>
  tid === undefined || tid < 1 || taken.has(tid) ? undefined : tid;
