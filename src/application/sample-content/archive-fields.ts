/** Gives what an object of the archive says to the fields of another site: by name, by type, and by where references may lead. */
import { type FieldType, fieldTypeOf, type Bundle, type FieldDefinition } from '../../repository/repository.ts';
import type { ShortItem } from '../../server/server-application.ts';
import { termFor } from './archive-terms.ts';
import { archiveTerm, vocabularyFor } from './archive-vocabularies.ts';
import type { ArchiveObject } from './archive.ts';
import type { SampleContext } from './sample-context.ts';
import { within } from './sample-words.ts';
import { type Entity, type FieldItem, type FieldItems, type FieldName, textOf } from '../../openapi/openapi-records.ts';

/** Whether a field of the type takes a text of the archive, a date or a number of it. */
type Taking = (type: FieldType) => boolean;
const texts: Taking = ({ isFreeText }) => isFreeText === true;
const dates: Taking = (type) => ['edtf', 'string'].includes(type.name);
const numbers: Taking = (type) => type.name === 'integer';

type Home = { readonly takes: Taking; readonly likeNames: RegExp };

/** Where the values of a field of the archive go: to the field of the same name, or else to one with a like name. */
const homes: Readonly<Record<string, Home>> = {
  field_alternative_title: { takes: texts, likeNames: /alt(ernat\w*)?_title|other_title|subtitle/ },
  field_description: { takes: texts, likeNames: /description|abstract|summary|story|^body$/ },
  field_edtf_date_created: { takes: dates, likeNames: /created|made|_date$/ },
  field_edtf_date_issued: { takes: dates, likeNames: /issued|published_on/ },
  field_edtf_date: { takes: dates, likeNames: /_date$/ },
  field_extent: { takes: texts, likeNames: /extent/ },
  field_identifier: { takes: texts, likeNames: /identifier|inventory_number|call_number|shelfmark|signature/ },
  field_pid: { takes: texts, likeNames: /(?!)/ },
  field_weight: { takes: numbers, likeNames: /weight|page_number|sequence/ },
  field_rights: { takes: texts, likeNames: /rights|licen[cs]e/ },
};

type TermHome = {
  readonly refers: FieldType['refers'];
  readonly likeNames: RegExp;
  /** Whether a field takes only the terms of its own vocabularies, so that the term decides between several fields. */
  readonly byVocabulary: boolean;
};

/** Where the terms of a field of the archive go. */
const termHomes: Readonly<Record<string, TermHome>> = {
  field_display_hints: { refers: 'plainly', likeNames: /viewer|display_hints/, byVocabulary: false },
  field_resource_type: { refers: 'plainly', likeNames: /resource_type/, byVocabulary: false },
  field_subject: {
    refers: 'plainly',
    likeNames: /subject|topic|about|place|geograph|keyword|^field_tags$/,
    byVocabulary: true,
  },
  field_linked_agent: { refers: 'with-role', likeNames: /(?:)/, byVocabulary: true },
};

const parents = /member_of|part_of|collection|shown_in/;

type Found = Map<FieldName, FieldItem[]>;

/** The items for the bundle, and where the site may refuse some. `made` are the nodes of the archive by name. */
export const archiveValues = async (
  sample: SampleContext,
  object: ArchiveObject,
  bundle: Bundle,
  made: ReadonlyMap<string, Entity>,
): Promise<Readonly<Record<FieldName, FieldItems>>> => {
  const found: Found = new Map();
  for (const [name, items] of Object.entries(object.fields ?? {})) {
    if (homes[name] !== undefined) putValues(sample, bundle, { name, items }, found);
    else await putTerms(sample, bundle, { name, items }, found);
  }
  putParents(object, bundle, made, found);
  const language = object.fields?.['langcode']?.[0];
  if (typeof language === 'string' && bundle.languageAlterable && sample.site.languages.includes(language))
    found.set('langcode', [{ value: language }]);
  return Object.fromEntries(found);
};

/** How many fields of the bundle the archive has something for. */
export const archiveShare = (bundle: Bundle): number =>
  [...Object.keys(homes), ...Object.keys(termHomes), 'field_model', 'field_member_of'].filter(
    (name) => bundle.fields.get(name)?.configured === true,
  ).length;

const configuredOf = ({ fields }: Bundle): readonly FieldDefinition[] =>
  [...fields.values()].filter(({ configured }) => configured);

const add = (found: Found, { name, cardinality }: FieldDefinition, item: FieldItem): void => {
  const items = found.get(name) ?? [];
  if (items.length < cardinality) found.set(name, [...items, item]);
};

type Values = { readonly name: string; readonly items: readonly ShortItem[] };

const putValues = ({ site }: SampleContext, bundle: Bundle, { name, items }: Values, found: Found): void => {
  const { takes = () => false, likeNames = /(?!)/ } = homes[name] ?? {};
  const fitting = configuredOf(bundle).filter((field) => takes(fieldTypeOf(field)) && !found.has(field.name));
  const field = fitting.find((each) => each.name === name) ?? fitting.find((each) => likeNames.test(each.name));
  if (field === undefined) return;
  const format = field.forms?.formats?.find((each) => each === site.textFormats[0]) ?? site.textFormats[0] ?? null;
  for (const item of items) {
    // A text may end early. A date would be another one.
    const isText = takes === texts && typeof item === 'string';
    const value = isText ? within(item, field.maxLength ?? Infinity) : item;
    add(found, field, fieldTypeOf(field).properties.includes('format') ? { value, format } : { value });
  }
};

/** A term that grows with the archive goes to the field that says most of it: the one of fewest vocabularies. */
const putTerms = async (
  sample: SampleContext,
  bundle: Bundle,
  { name, items }: Values,
  found: Found,
): Promise<void> => {
  const home = termHomes[name];
  if (home === undefined) return;
  const { refers, likeNames, byVocabulary } = home;
  const like = configuredOf(bundle)
    .filter((field) => fieldTypeOf(field).refers === refers && (field.name === name || likeNames.test(field.name)))
    .sort((a, b) => (byVocabulary ? breadthOf(a) - breadthOf(b) : Number(b.name === name) - Number(a.name === name)));
  for (const item of items) {
    const { term: called = item, ...more } = typeof item === 'object' ? item : {};
    const term = archiveTerm(sample, name, textOf(called));
    if (term === undefined) continue;
    const field = byVocabulary ? like.find((each) => vocabularyFor(sample, each, term) !== undefined) : like[0];
    const relation = more['rel_type'];
    if (field === undefined || (relation !== undefined && field.relations?.includes(textOf(relation)) === false))
      continue;
    const id = await termFor(sample, field, term);
    if (id !== undefined) add(found, field, { target_id: id, ...more });
  }
};

const breadthOf = ({ target }: FieldDefinition): number => target?.bundles?.length ?? Infinity;

const putParents = (
  { member_of: names = [] }: ArchiveObject,
  bundle: Bundle,
  made: ReadonlyMap<string, Entity>,
  found: Found,
): void => {
  const fields = configuredOf(bundle).filter(({ name, target }) => target?.type === 'node' && parents.test(name));
  for (const name of [names].flat()) {
    const parent = made.get(name);
    if (parent === undefined) continue;
    const field = fields.find(({ target }) => target?.bundles?.includes(parent.bundle) !== false);
    if (field !== undefined) add(found, field, { target_id: parent.id });
  }
};
