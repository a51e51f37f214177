/** Makes one record of a bundle as a client would: its fields are drawn, and the repository judges them. */
import {
  targetTypeOf,
  identityOf,
  labelOf,
  type Bundle,
  type FieldDefinition,
  publishedAs,
  workflowOf,
  type Principal,
} from '../../repository/repository.ts';
import { archiveNames } from './archive-vocabularies.ts';
import type { SampleContext } from './sample-context.ts';
import { sampleItems, type Place } from './sample-items.ts';
import { namesFor, within } from './sample-words.ts';
import type { Entity, FieldItems, FieldName } from '../../openapi/openapi-records.ts';
import { Problem } from '../../openapi/openapi-terms.ts';

/** What is decided about a record before its fields are drawn. */
type Plan = {
  readonly bundle: Bundle;
  readonly title: string;
  readonly owner: Principal;
  /** Items that are not drawn. An empty list leaves the field out. */
  readonly fields: Readonly<Record<FieldName, FieldItems>>;
  /** The same for fields that are left out when the site refuses what they have. */
  readonly values?: Readonly<Record<FieldName, FieldItems>>;
  /** The fields without items that get some which are drawn. */
  readonly fill: 'all' | 'most' | 'required';
};

/** The shares of the optional fields that a record fills. */
const filledShares = { all: 1, most: 0.6, required: 0 } as const;
/** How many terms are made for an empty vocabulary. */
const termsOfVocabulary = 3;

/** Undefined when the model lets nobody make such a record; the notes then say why. */
export const makeRecord = (sample: SampleContext, plan: Plan): Promise<Entity | undefined> => make(sample, plan, []);

/** A record that references may lead to from now on. */
export const addCandidate = (sample: SampleContext, record: Entity): void =>
  sample.candidates.add(record.type, { id: record.id, bundle: record.bundle, label: labelOf(record) });

/** `waiting` are the bundles whose records wait for this one. */
const make = async (sample: SampleContext, plan: Plan, waiting: readonly Bundle[]): Promise<Entity | undefined> => {
  const { bundle, owner } = plan;
  if (sample.impossible.has(bundle)) return undefined;
  const number = (sample.count += 1);
  const supply = (field: FieldDefinition): Promise<void> => supplyTargets(sample, field, owner, [...waiting, bundle]);
  const place: Place = { bundle, number, owner, supply };
  const isFilled = (field: FieldDefinition): boolean =>
    sample
      .random(`${bundle.entityType} ${bundle.id} ${number} ${field.name} is filled`)
      .chance(filledShares[plan.fill]);
  const { values = {} } = plan;
  const whole = await attempt(sample, { ...plan, values }, place, isFilled);
  if (!(whole instanceof Problem)) return whole;
  // Without the fields that the refusal names, and then with no more than the site demands: there is less to refuse.
  const named = Object.entries(values).filter(([name]) => !new RegExp(`\\b${name}\\b`).test(whole.message));
  const some = await attempt(sample, { ...plan, values: Object.fromEntries(named) }, place, () => false);
  if (!(some instanceof Problem)) return some;
  const least = await attempt(sample, { ...plan, values: {} }, place, () => false);
  if (!(least instanceof Problem)) return least;
  sample.impossible.add(bundle);
  sample.notes.add(`The sample has no ${bundle.entityType} of the bundle ${bundle.id}: ${least.message.trim()}`);
  return undefined;
};

/** The record, or why the repository refuses it. */
const attempt = async (
  sample: SampleContext,
  plan: Required<Plan>,
  place: Place,
  isFilled: (field: FieldDefinition) => boolean,
): Promise<Entity | Problem> => {
  const { bundle, owner } = plan;
  const { status, ...values } = { ...plan.values, ...plan.fields };
  const isStated = status !== undefined || workflowOf(bundle) !== undefined;
  const fields = { ...values, ...(isStated ? publishedAs(bundle, status?.[0]?.['value'] !== false) : {}) };
  const { bundle: bundleField, label } = identityOf(bundle.entityType);
  const drawn: Record<FieldName, FieldItems> = {};
  try {
    for (const field of bundle.fields.values()) {
      if (!field.configured || Object.hasOwn(fields, field.name) || isComputed(field, bundle)) continue;
      if (!field.required && !isFilled(field)) continue;
      const items = await sampleItems(sample, field, place);
      if (items.length > 0) drawn[field.name] = items;
    }
    sample.nameUuids(`sample ${bundle.entityType} ${place.number}`);
    const created = await sample.repository.create(
      owner,
      bundle.entityType,
    )({
      ...(bundleField === undefined ? {} : { [bundleField]: [{ target_id: bundle.id }] }),
      [label]: [{ value: within(plan.title, bundle.fields.get(label)?.maxLength ?? 255) }],
      ...drawn,
      ...Object.fromEntries(Object.entries(fields).filter(([, items]) => items.length > 0)),
    });
    return created.entity;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
};

/** Fields that a media takes from its file, unless the model demands a value before. */
const isComputed = ({ name, required }: FieldDefinition, { source }: Bundle): boolean =>
  source !== undefined &&
  !required &&
  (name === source.textField ||
    (source.fieldMap === undefined ? usual : Object.values(source.fieldMap)).includes(name));
const usual: readonly FieldName[] = ['field_mime_type', 'field_file_size', 'field_width', 'field_height'];

/** Makes records that a field may lead to: some terms of each of its vocabularies, or one node or media. */
const supplyTargets = async (
  sample: SampleContext,
  field: FieldDefinition,
  owner: Principal,
  waiting: readonly Bundle[],
): Promise<void> => {
  const type = targetTypeOf(field);
  if (type === undefined || (type !== 'taxonomy_term' && !field.required)) return;
  const { model } = sample.site;
  for (const bundle of model.bundles(type)) {
    if (waiting.includes(bundle) || field.target?.bundles?.includes(bundle.id) === false) continue;
    const count = type === 'taxonomy_term' ? termsOfVocabulary : 1;
    for (const title of titlesFor(sample, bundle).slice(0, count)) {
      const record = await make(sample, { bundle, title, owner, fields: {}, fill: 'most' }, waiting);
      if (record !== undefined) addCandidate(sample, record);
    }
    // One bundle is enough, except for terms: a vocabulary has a purpose.
    if (type !== 'taxonomy_term' && sample.candidates.of(type, field.target?.bundles).length > 0) return;
  }
};

/** Names of terms of a vocabulary, or titles of other records. */
const titlesFor = (sample: SampleContext, { entityType, id }: Bundle): readonly string[] => {
  const known = entityType === 'taxonomy_term' ? archiveNames(sample, id) : [];
  return known.length > 0 ? known : namesFor(sample.random(`title ${id}`), id);
};
