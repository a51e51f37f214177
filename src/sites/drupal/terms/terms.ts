/** Makes the terms of a site's vocabularies: their fields, parents and references to each other. */
import { filled, type JsonObject } from '../../../basics/json.ts';
import { fieldTypeOf } from '../../../repository/repository.ts';
import { itemOf, scalarItem } from '../fields/field-defaults.ts';
import type { FieldSource } from '../fields/field-sources.ts';
import { filledTextOf, textOf, wholeOf, type Data } from '../../../basics/exported/lenient-values.ts';
import type { PlacedTerm } from './placed-terms.ts';
import type { TermSource } from './raw-terms.ts';
import type { Reporter } from '../report.ts';
import { siteTypeOf, type Items, type SiteTerm } from '../site-format.ts';

type TermIndex = {
  readonly byUuid: ReadonlyMap<string, PlacedTerm>;
  readonly byTid: ReadonlyMap<number, PlacedTerm>;
  readonly byName: ReadonlyMap<string, PlacedTerm>;
  readonly byKey: ReadonlyMap<TermSource, ReadonlyMap<string, PlacedTerm>>;
};

const indexOf = (terms: readonly PlacedTerm[]): TermIndex => {
  const byKey = new Map<TermSource, Map<string, PlacedTerm>>();
  const byName = new Map<string, PlacedTerm>();
  for (const term of terms) {
    const { raw, source } = term;
    const keys = byKey.get(source) ?? new Map<string, PlacedTerm>();
    byKey.set(source, keys);
    if (raw.key !== undefined && !keys.has(raw.key)) keys.set(raw.key, term);
    const name = `${raw.vocabulary}\n${raw.name}`;
    if (!byName.has(name)) byName.set(name, term);
  }
  const byUuid = new Map(terms.map((term) => [term.uuid, term]));
  return { byKey, byName, byUuid, byTid: new Map(terms.map((term) => [term.tid, term])) };
};

/** What `site.yml` allows in terms. */
type TermWords = { readonly languages: readonly string[]; readonly textFormats: readonly string[] };

export type Terms = {
  readonly ofVocabulary: (vocabulary: string) => readonly SiteTerm[];
  /** The id of a term by its uuid. */
  readonly termId: (uuid: string) => number | undefined;
};

/** `sources` are the fields of all bundles; those of terms say how values are read. */
export const makeTerms = (
  placed: readonly PlacedTerm[],
  sources: readonly FieldSource[],
  words: TermWords,
  reporter: Reporter,
): Terms => {
  const index = indexOf(placed);
  const fields = new Map(
    sources
      .filter(({ entityType }) => entityType === 'taxonomy_term')
      .map((source) => [`${source.bundle}\n${source.name}`, source]),
  );
  const made = new Map<string, SiteTerm[]>();
  for (const term of placed) {
    const terms = made.get(term.raw.vocabulary) ?? [];
    made.set(term.raw.vocabulary, terms);
    terms.push(termOf(term, { index, fields, words, reporter }));
  }
  return { ofVocabulary: (id) => made.get(id) ?? [], termId: (uuid) => index.byUuid.get(uuid)?.tid };
};

type Making = {
  readonly index: TermIndex;
  readonly fields: ReadonlyMap<string, FieldSource>;
  readonly words: TermWords;
  readonly reporter: Reporter;
};

const termOf = (term: PlacedTerm, making: Making): SiteTerm => {
  const { raw, tid, uuid, source } = term;
  const { vocabulary, description, weight } = raw;
  const { format, langcode } = knownWords(term, making);
  const parents = raw.parents.flatMap((key) => {
    const parent = termNamed(key, [vocabulary], source, making.index);
    if (parent === undefined)
      making.reporter.partly(`${source.where}: ${vocabulary}`, 'the parent of a term does not exist');
    return parent === undefined || parent === term ? [] : [parent.tid];
  });
  const { field_external_uri: external, ...fields } = fieldsOf(term, making);
  const uri = plainUri(external);
  const kept = external === undefined || uri !== undefined ? fields : { ...fields, field_external_uri: external };
  return {
    ...{ tid, uuid, name: raw.name },
    ...filled({
      description,
      format,
      uri,
      parent: [...new Set(parents)],
      weight: weight || undefined,
      langcode,
      fields: kept,
    }),
  };
};

/** A format or a language that the site does not have is left out. */
const knownWords = ({ raw, source }: PlacedTerm, { words, reporter }: Making) => {
  const known = (word: string | undefined, names: readonly string[], what: string): string | undefined => {
    if (word === undefined || names.includes(word)) return word;
    reporter.partly(`${source.where}: ${raw.vocabulary}`, `the site does not have the ${what} ${word.slice(0, 40)}`);
    return undefined;
  };
  return {
    format: raw.description === undefined ? undefined : known(raw.format, words.textFormats, 'text format'),
    langcode: known(raw.langcode, words.languages, 'language'),
  };
};

/** The one URI without a title, which a site writes as `uri`. */
const plainUri = (items: Items | undefined): string | undefined => {
  const [first, ...others] = items ?? [];
  const uri = first?.['uri'];
  return typeof uri === 'string' && others.length === 0 && first?.['title'] === null && URL.canParse(uri)
    ? uri
    : undefined;
};

const fieldsOf = ({ raw, source }: PlacedTerm, { index, fields, reporter }: Making): Record<string, Items> =>
  Object.fromEntries(
    Object.entries(raw.fields).flatMap(([name, items]) => {
      const field = fields.get(`${raw.vocabulary}\n${name}`);
      const where = `${source.where}: ${raw.vocabulary}: ${name}`;
      if (items.length === 0 || (field === undefined && source.where === 'standard terms')) return [];
      if (field === undefined) {
        // Drupal passes over it too.
        reporter.remark(where, 'the vocabulary does not have this field');
        return [];
      }
      const read = items.flatMap((item): Items => {
        const known = itemOfTerm(field, item, source, index);
        if (known === undefined && Object.values(item).some((member) => filledTextOf(member) !== undefined)) {
          reporter.partly(where, 'a value of a term is none that its field takes');
        }
        return known === undefined ? [] : [known];
      });
      const most = wholeOf(field.storage['cardinality']) ?? 1;
      if (most > 0 && read.length > most) reporter.partly(where, 'a term has more values than its field holds');
      return read.length === 0 ? [] : [[name, most > 0 ? read.slice(0, most) : read] as const];
    }),
  );

/** Tables have a bare value where the item has another member. */
const itemOfTerm = (field: FieldSource, item: Data, source: TermSource, index: TermIndex): JsonObject | undefined => {
  const type = siteTypeOf(field.type);
  if (type === undefined) return scalarItem(item);
  const { main, refers } = fieldTypeOf({ type });
  if (refers === undefined) return itemOf(type, { [main]: item['value'], ...item }, () => undefined);
  const target = filledTextOf(field.storageSettings['target_type']);
  const found = target === undefined || target === 'taxonomy_term' ? referred(item, field, source, index) : undefined;
  return found === undefined
    ? undefined
    : itemOf(type, { ...item, target_uuid: undefined, target_id: found.tid }, () => undefined);
};

const referred = (item: Data, field: FieldSource, source: TermSource, index: TermIndex): PlacedTerm | undefined => {
  const uuid = filledTextOf(item['target_uuid']);
  if (uuid !== undefined) return index.byUuid.get(uuid);
  const [name, vid] = [textOf(item['name']), textOf(item['vid'])];
  if (name !== undefined && vid !== undefined) return index.byName.get(`${vid}\n${name}`);
  const text = filledTextOf(item['target_id'] ?? item['value']);
  const bundles = Object.keys(
    (field.settings['handler_settings'] as { target_bundles?: object } | undefined)?.target_bundles ?? {},
  );
  return text === undefined ? undefined : termNamed(text, bundles, source, index);
};

/** A term by its key in the same source, its id, or its name in one of the vocabularies. */
const termNamed = (
  text: string,
  vocabularies: readonly string[],
  source: TermSource,
  { byKey, byTid, byName }: TermIndex,
): PlacedTerm | undefined =>
  byKey.get(source)?.get(text) ??
  byTid.get(wholeOf(text) ?? 0) ??
  vocabularies.map((vocabulary) => byName.get(`${vocabulary}\n${text}`)).find((term) => term !== undefined);
