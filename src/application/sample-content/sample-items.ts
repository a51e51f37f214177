/** Makes the items of a field: values, references to what is there, and files that are uploaded for it. */
import { chunksAtHand } from '../../basics/byte-streams.ts';
import {
  type Draw,
  targetTypeOf,
  fieldTypeOf,
  type Bundle,
  type FieldDefinition,
  type MediaSource,
  type Principal,
} from '../../repository/repository.ts';
import { openFileUpload } from '../../repository/repository-content.ts';
import type { Random } from './random.ts';
import type { Candidate, SampleContext } from './sample-context.ts';
import { nameOf, sentencesOf, within } from './sample-words.ts';
import { madeBytes } from './small-files.ts';
import type { FieldItem, FieldItems } from '../../openapi/openapi-records.ts';

/** The longest text that is drawn for a field, so that lists stay readable. */
const longest = (field: FieldDefinition): number => Math.min(field.maxLength ?? 400, 400);

/** Fields whose values are numbers to people, by what sites call them. */
const numbered = /isbn|oclc|number|identifier|pid|classification|volume|issue|edition/;

const drawFor = ({ site, now }: SampleContext, random: Random): Draw => ({
  ...random,
  ...{ site, now: now() },
  name: (field) =>
    within(numbered.test(field.name) ? String(100 + random.below(9000)) : nameOf(random), longest(field)),
  sentences: (field) => within(sentencesOf(random), longest(field)),
});

/** The address of a film that another site shows. */
const addressItem = (field: FieldDefinition, random: Random): FieldItem => ({
  [fieldTypeOf(field).main]: `https://www.youtube.com/watch?v=sample${random.below(100_000)}`,
});

type SampleFile = { readonly extension: string; readonly bytes: Buffer; readonly alt?: string | undefined };

/** What a field keeps, as far as it decides the extension. */
type FileKind = MediaSource['kind'] | 'track';

/** The extensions whose bytes are known or can be made, those of the kind's own formats first. */
const extensionsOf: { readonly [K in FileKind]?: readonly string[] } = {
  image: ['png', 'jpg', 'jpeg', 'gif'],
  audio: ['wav', 'mp3'],
  video: ['mp4', 'webm', 'm4v', 'mov'],
  file: ['pdf', 'txt', 'xml', 'csv'],
  track: ['vtt'],
};
const otherExtensions = ['tif', 'tiff', 'svg', 'json', 'md', 'html', 'rtf', 'zip'];

/** Other names of formats that the archive has. */
const sameFormat: Readonly<Record<string, string>> = { jpeg: 'jpg', m4v: 'mp4', mov: 'mp4' };

/** The file of a field. */
const sampleFile = async (
  { archive }: SampleContext,
  field: FieldDefinition,
  kind: FileKind,
  random: Random,
): Promise<SampleFile> => {
  const extension = extensionFor(field.extensions, kind, random);
  const file = random.pick(archive.files(sameFormat[extension] ?? extension));
  if (file === undefined) return { extension, bytes: madeBytes(extension, sentencesOf(random)) };
  return { extension, bytes: await archive.bytes(file), alt: file.alt };
};

const extensionFor = (allowed: readonly string[] | undefined, kind: FileKind, random: Random): string => {
  const own = extensionsOf[kind] ?? [];
  const fits = (extension: string): boolean => allowed?.includes(extension) ?? true;
  const known = own.filter(fits);
  if (known.length > 0) return random.pick(known) ?? 'txt';
  const others = [...Object.values(extensionsOf).flat(), ...otherExtensions].filter(fits);
  return random.pick(others) ?? allowed?.[0] ?? 'txt';
};

/** The record whose fields are drawn. */
export type Place = {
  readonly bundle: Bundle;
  /** The record's own number, which its random numbers and the names of its files have. */
  readonly number: number;
  readonly owner: Principal;
  /** Makes records of these bundles, where a reference finds none. */
  readonly supply: (field: FieldDefinition) => Promise<void>;
};

/** The most items where a field takes any number. */
const mostItems = 3;

/** The items of a field; none when nothing can be drawn for it. */
export const sampleItems = async (sample: SampleContext, field: FieldDefinition, place: Place): Promise<FieldItems> => {
  const { bundle, number } = place;
  const random = sample.random(`${bundle.entityType} ${bundle.id} ${number} ${field.name}`);
  const count = 1 + random.below(Math.min(field.cardinality, mostItems));
  if (field.target?.type === 'file') return fileItems(sample, field, place, random);
  if (targetTypeOf(field) !== undefined) return references(sample, field, place, { random, count });
  if (bundle.source?.kind === 'oembed' && bundle.source.field === field.name) return [addressItem(field, random)];
  const draw = drawFor(sample, random);
  const drawn = Array.from({ length: count }, () => fieldTypeOf(field).sample?.(field, draw));
  return drawn.filter((item) => item !== undefined);
};

type Choice = { readonly random: Random; readonly count: number };

const references = async (
  sample: SampleContext,
  field: FieldDefinition,
  place: Place,
  { random, count }: Choice,
): Promise<FieldItems> => {
  const find = (): readonly Candidate[] => {
    const type = targetTypeOf(field);
    return type === undefined ? [] : sample.candidates.of(type, field.target?.bundles);
  };
  if (find().length === 0) await place.supply(field);
  return random.several(find(), count).flatMap(({ id }) => withOwn(sample, field, id, random));
};

const fileItems = async (
  sample: SampleContext,
  field: FieldDefinition,
  place: Place,
  random: Random,
): Promise<FieldItems> => {
  const { bundle, number, owner } = place;
  const { extension, bytes, alt } = await sampleFile(sample, field, kindOf(field, bundle), random);
  const target = { entityType: bundle.entityType, bundle: bundle.id, field: field.name };
  sample.nameUuids(`sample file ${number} ${field.name}`);
  const file = await openFileUpload(sample.repository, owner, target).receive({
    stream: chunksAtHand(bytes),
    length: bytes.length,
    disposition: `file; filename="${fileName(field, number)}.${extension}"`,
  });
  return withOwn(sample, field, file.id, random).map((item) =>
    'alt' in item ? { ...item, alt: alt ?? item.alt } : item,
  );
};

const fileName = (field: FieldDefinition, number: number): string =>
  `${field.name.replace(/^field_(media_)?/, '').replaceAll('_', '-')}-${number}`;

const kindOf = (field: FieldDefinition, { source }: Bundle): FileKind => {
  const { refers } = fieldTypeOf(field);
  if (refers === 'to-track') return 'track';
  if (field.name === source?.field) return source.kind;
  return refers === 'to-image' ? 'image' : 'file';
};

/** A reference with what its type has besides the target; none where the field allows nothing of it. */
const withOwn = (sample: SampleContext, field: FieldDefinition, id: number, random: Random): FieldItem[] => {
  const { sample: own = () => ({}) } = fieldTypeOf(field);
  const drawn: FieldItem | undefined = own(field, drawFor(sample, random));
  return drawn === undefined ? [] : [{ target_id: id, ...drawn }];
};
