/** Draws the items of a field: values, references to what is there, and files that are uploaded for it. */
import { openFileUpload } from '../../../core/content/uploads/standard-upload.ts';
import { targetTypeOf } from '../../../core/content/fields/field-type.ts';
import type { Bundle, FieldDefinition } from '../../../core/model/bundle.ts';
import type { FieldItem, FieldItems } from '../../../core/model/entity.ts';
import type { Principal } from '../../../core/model/principal.ts';
import type { Draws } from './random.ts';
import type { Candidate, Making } from './sample-context.ts';
import { sampleFile, type FileKind } from './sample-file.ts';
import { addressItem, valueItem } from './sample-values.ts';
import { nameOf } from './sample-words.ts';

/** The record whose fields are drawn. */
export type Place = {
  readonly bundle: Bundle;
  /** The record's own number, which its draws and the names of its files have. */
  readonly number: number;
  readonly owner: Principal;
  /** Makes records of these bundles, where a reference finds none. */
  readonly supply: (field: FieldDefinition) => Promise<void>;
};

/** So many items at most, where a field takes any number. */
const mostItems = 3;

/** The items of a field; none when nothing can be drawn for it. */
export const sampleItems = async (making: Making, field: FieldDefinition, place: Place): Promise<FieldItems> => {
  const { bundle, number } = place;
  const draws = making.draws(`${bundle.entityType} ${bundle.id} ${number} ${field.name}`);
  const count = 1 + draws.below(Math.min(field.cardinality, mostItems));
  if (field.target?.type === 'file') return fileItems(making, field, place, draws);
  if (targetTypeOf(field) !== undefined) return references(making, field, place, { draws, count });
  if (bundle.source?.kind === 'oembed' && bundle.source.field === field.name) return [addressItem(field, draws)];
  const context = { site: making.site, draws, now: making.now() };
  const drawn = Array.from({ length: count }, () => valueItem(field, context));
  return drawn.filter((item) => item !== undefined);
};

type Drawing = { readonly draws: Draws; readonly count: number };

const references = async (
  making: Making,
  field: FieldDefinition,
  place: Place,
  { draws, count }: Drawing,
): Promise<FieldItems> => {
  const find = (): readonly Candidate[] => {
    const type = targetTypeOf(field);
    return type === undefined ? [] : making.candidates.of(type, field.target?.bundles);
  };
  if (find().length === 0) await place.supply(field);
  const found = draws.several(find(), count).map(({ id }) => ({ target_id: id }));
  if (field.type !== 'typed_relation') return found;
  const relations = field.relations ?? ['relators:pht', 'relators:aut'];
  if (relations.length === 0) return [];
  return found.map((item) => ({ ...item, rel_type: draws.pick(relations) ?? '' }));
};

const fileItems = async (making: Making, field: FieldDefinition, place: Place, draws: Draws): Promise<FieldItems> => {
  const { bundle, number, owner } = place;
  const { extension, bytes } = sampleFile(field, kindOf(field, bundle), draws);
  const target = { entityType: bundle.entityType, bundle: bundle.id, field: field.name };
  making.nameUuids(`sample file ${number} ${field.name}`);
  const file = await openFileUpload(making.repository, owner, target).receive({
    stream: streamOf(bytes),
    length: bytes.length,
    disposition: `file; filename="${fileName(field, number)}.${extension}"`,
  });
  return [{ target_id: file.id, ...besideTheFile(field, draws) }];
};

const fileName = (field: FieldDefinition, number: number): string =>
  `${field.name.replace(/^field_(media_)?/, '').replaceAll('_', '-')}-${number}`;

const kindOf = (field: FieldDefinition, { source }: Bundle): FileKind => {
  if (field.type === 'media_track') return 'track';
  if (field.name === source?.field) return source.kind;
  return field.type === 'image' ? 'image' : 'file';
};

const besideTheFile = (field: FieldDefinition, draws: Draws): FieldItem => {
  if (field.type === 'image') return { alt: nameOf(draws) };
  if (field.type !== 'media_track') return {};
  return { label: nameOf(draws), kind: 'subtitles', srclang: 'en', default: true };
};

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
