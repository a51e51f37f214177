/** Gives what an object of the archive says to the fields of another site: by name, by type, and by where references may lead. */
import type { FieldType } from '../../../core/fields/field-type.ts';
import { fieldTypeOf } from '../../../core/fields/field-types.ts';
import { edtf } from '../../../core/fields/types/edtf.ts';
import { string } from '../../../core/fields/types/string.ts';
import type { Bundle, FieldDefinition } from '../../../core/model/bundle.ts';
import { type Entity, type FieldItem, type FieldItems, type FieldName, textOf } from '../../../core/model/entity.ts';
import type { ShortItem } from '../short-fixture/read-short-fixture.ts';
import { termFor } from './archive-terms.ts';
import { archiveTerm, vocabularyFor } from './archive-vocabularies.ts';
import type { ArchiveObject, ArchiveTerm } from './archive.ts';
import type { SampleContext } from './sample-context.ts';
import { within } from './sample-words.ts';

/** Whether a field of the type takes a text of the archive, or a date of it. */
type Taking = (type: FieldType) => boolean;
const texts: Taking = ({ isFreeText }) => isFreeText === true;
const dates: Taking = (type) => type === edtf || type === string;

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
  field_rights: { takes: texts, likeNames: /rights|licen[cs]e/ },
};

/** The fields of the archive that lead to terms which a site has decided, and their like names. */
const lists: Readonly<Record<string, RegExp>> = {
  field_display_hints: /viewer|display_hints/,
  field_resource_type: /resource_type/,
};

const subjects = /subject|topic|about|place|geograph|keyword|^field_tags$/;
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
    else if (lists[name] !== undefined) await putListed(sample, bundle, { name, items }, found);
    else if (name === 'field_subject') await putSubjects(sample, bundle, items, found);
    else if (name === 'field_linked_agent') await putAgents(sample, bundle, items, found);
  }
  putParents(object, bundle, made, found);
  const language = object.fields?.['langcode']?.[0];
  if (typeof language === 'string' && bundle.languageAlterable && sample.site.languages.includes(language))
    found.set('langcode', [{ value: language }]);
  return Object.fromEntries(found);
};

/** How many fields of the bundle the archive has something for. */
export const archiveShare = (bundle: Bundle): number =>
  [...Object.keys(homes), ...Object.keys(lists), 'field_model', 'field_member_of', 'field_subject', 'field_linked_agent']
    .filter((name) => bundle.fields.get(name)?.configured === true).length; // prettier-ignore

const configuredOf = ({ fields }: Bundle): readonly FieldDefinition[] =>
  [...fields.values()].filter(({ configured }) => configured);

const referencesOf = (bundle: Bundle, refers: FieldType['refers']): readonly FieldDefinition[] =>
  configuredOf(bundle).filter((field) => fieldTypeOf(field).refers === refers);

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

const putListed = async (
  sample: SampleContext,
  bundle: Bundle,
  { name, items }: Values,
  found: Found,
): Promise<void> => {
  const fields = referencesOf(bundle, 'plainly');
  const field = fields.find((each) => each.name === name) ?? fields.find((each) => lists[name]?.test(each.name));
  for (const item of items) await putTerm(sample, field, archiveTerm(sample, name, textOf(item)), {}, found);
};

/** A subject goes to the field that says most of it: the one of fewest vocabularies. */
const putSubjects = async (
  sample: SampleContext,
  bundle: Bundle,
  items: readonly ShortItem[],
  found: Found,
): Promise<void> => {
  const fields = referencesOf(bundle, 'plainly')
    .filter(({ name }) => subjects.test(name))
    .sort((a, b) => (a.target?.bundles?.length ?? Infinity) - (b.target?.bundles?.length ?? Infinity));
  for (const item of items) {
    const term = archiveTerm(sample, 'field_subject', textOf(item));
    await putTerm(sample, fieldFor(sample, fields, term), term, {}, found);
  }
};

const putAgents = async (
  sample: SampleContext,
  bundle: Bundle,
  items: readonly ShortItem[],
  found: Found,
): Promise<void> => {
  const fields = referencesOf(bundle, 'with-role');
  for (const item of items) {
    if (typeof item !== 'object') continue;
    const relation = textOf(item['rel_type']);
    const term = archiveTerm(sample, 'field_linked_agent', textOf(item['term']));
    const field = fieldFor(sample, fields, term);
    if (field?.relations?.includes(relation) === false) continue;
    await putTerm(sample, field, term, { rel_type: relation }, found);
  }
};

const fieldFor = (
  sample: SampleContext,
  fields: readonly FieldDefinition[],
  term: ArchiveTerm | undefined,
): FieldDefinition | undefined => term && fields.find((field) => vocabularyFor(sample, field, term) !== undefined);

const putTerm = async (
  sample: SampleContext,
  field: FieldDefinition | undefined,
  term: ArchiveTerm | undefined,
  more: FieldItem,
  found: Found,
): Promise<void> => {
  if (field === undefined || term === undefined) return;
  const id = await termFor(sample, field, term);
  if (id !== undefined) add(found, field, { target_id: id, ...more });
};

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
