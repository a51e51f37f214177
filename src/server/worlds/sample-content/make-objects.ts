/** Makes the objects of a sample: collections first, then their members, each with its media. */
import { beginSlices } from '../../../basics/long-work.ts';
import type { Bundle, FieldDefinition } from '../../../core/model/bundle.ts';
import type { Entity, FieldItems, FieldName } from '../../../core/model/entity.ts';
import type { Principal } from '../../../core/model/principal.ts';
import { addCandidate, makeRecord } from './make-record.ts';
import type { Candidate, SampleContext } from './sample-context.ts';
import { titleOf } from './sample-words.ts';

/** One of so many objects is a collection. */
const objectsToCollection = 10;
const unpublishedShare = 0.15;
const secondMediaShare = 0.25;

/** The bundles are taken in turn, so that a small sample has all of them. */
export const makeObjects = async (sample: SampleContext, objects: number): Promise<void> => {
  const types = sample.site.model.bundles('node');
  const turns = new Map<Bundle, number>();
  const collections = Math.min(objects, Math.max(types.length, Math.ceil(objects / objectsToCollection)));
  const mediaStep = Math.ceil(sample.site.model.bundles('media').length / Math.max(types.length, 1));
  const slices = beginSlices();
  for (let index = 0; index < objects; index += 1) {
    const bundle = types[index % types.length];
    if (bundle === undefined) return;
    // A server makes its sample again when it is reset or compared, and answers others meanwhile.
    if (slices.isOver()) await slices.next();
    const isCollection = index < collections;
    // The first object of a bundle is published, and so is the first with media: something is there for everybody.
    const isFirst = index < types.length || (index >= collections && index < collections + types.length);
    // Each content type has its own turn, so that it meets every media type. They begin apart: few objects meet all of them.
    const turn = turns.get(bundle) ?? 0;
    const firstMedia = (index % types.length) * mediaStep;
    const node = await makeObject(sample, { bundle, index, mediaTurn: firstMedia + turn, isCollection, isFirst });
    if (node === undefined) continue;
    if (isCollection) addCandidate(sample, node);
    else {
      turns.set(bundle, turn + 1);
      await makeMedia(sample, node, { turn, firstMedia });
    }
  }
};

type ObjectPlan = {
  readonly bundle: Bundle;
  readonly index: number;
  /** The place of its first media type among those of the site; it goes on from the last to the first. */
  readonly mediaTurn: number;
  readonly isCollection: boolean;
  readonly isFirst: boolean;
};

const makeObject = (sample: SampleContext, plan: ObjectPlan): Promise<Entity | undefined> => {
  const { bundle, index, mediaTurn, isCollection, isFirst } = plan;
  const random = sample.random(`object ${index}`);
  const kind = isCollection ? /collection/i : mediaKind(sample, mediaTurn);
  return makeRecord(sample, {
    bundle,
    title: titleOf(random, index + 1),
    owner: ownerOf(sample, `object ${index}`),
    isFull: isFirst,
    fields: {
      ...(isFirst || !random.chance(unpublishedShare) ? {} : { status: [{ value: false }] }),
      ...languageOf(sample, bundle, `object ${index}`),
      ...termLike(sample, bundle.fields.get('field_model'), kind),
    },
  });
};

/** The models of objects without a file of a kind of their own have any name. */
const mediaKind = (sample: SampleContext, turn: number): RegExp => {
  const types = sample.site.model.bundles('media');
  const kind = types[turn % Math.max(types.length, 1)]?.source?.kind;
  return kind === undefined || kind === 'file' ? /document|binary/i : new RegExp(kind, 'i');
};

/** An account that owns something; mostly the first one. */
const ownerOf = ({ owners, random }: SampleContext, name: string): Principal => {
  const [first] = owners;
  const own = random(`${name} owner`);
  const owner = own.chance(0.7) ? first : own.pick(owners);
  if (owner === undefined) throw new Error('A sample needs an owner.');
  return owner;
};

const languageOf = (
  { site, random }: SampleContext,
  bundle: Bundle,
  name: string,
): Readonly<Record<FieldName, FieldItems>> => {
  const own = random(`${name} language`);
  if (!bundle.languageAlterable || !own.chance(0.2)) return {};
  return { langcode: [{ value: own.pick(site.languages) ?? site.langcode }] };
};

/** The term whose name says what the object is, where the field may lead to one. Otherwise the field is drawn. */
const termLike = (
  { candidates }: SampleContext,
  field: FieldDefinition | undefined,
  name: RegExp,
): Readonly<Record<FieldName, FieldItems>> => {
  const found = termsOf(candidates, field).find(({ label }) => name.test(label));
  return field === undefined || found === undefined ? {} : { [field.name]: [{ target_id: found.id }] };
};

const termsOf = (candidates: SampleContext['candidates'], field: FieldDefinition | undefined): readonly Candidate[] =>
  field?.target?.type === 'taxonomy_term' ? candidates.of('taxonomy_term', field.target.bundles) : [];

type MediaPlan = {
  /** How many objects of the bundle with media were made before. */
  readonly turn: number;
  /** Where the bundle begins among the media types. */
  readonly firstMedia: number;
};

/** One media or two of those types that may belong to the node. */
const makeMedia = async (sample: SampleContext, node: Entity, { turn, firstMedia }: MediaPlan): Promise<void> => {
  const types = sample.site.model.bundles('media').filter((bundle) => belongs(bundle, node));
  const count = sample.random(`object ${node.id} media`).chance(secondMediaShare) ? 2 : 1;
  for (let position = 0; position < count && types.length > 0; position += 1) {
    const bundle = types[(firstMedia + turn + position) % types.length];
    if (bundle === undefined) return;
    const name = `object ${node.id} media ${position}`;
    const random = sample.random(name);
    const media = await makeRecord(sample, {
      bundle,
      title: titleOf(random, node.id),
      owner: ownerOf(sample, name),
      isFull: turn < types.length,
      fields: {
        ...(turn < types.length || !random.chance(unpublishedShare / 2) ? {} : { status: [{ value: false }] }),
        ...Object.fromEntries(nodeFields(bundle, node).map(({ name: field }) => [field, [{ target_id: node.id }]])),
        ...useOf(sample, bundle, position),
      },
    });
    if (media !== undefined) addCandidate(sample, media);
  }
};

/** The fields of a media that may lead to this node. */
const nodeFields = ({ fields }: Bundle, node: Entity): readonly FieldDefinition[] =>
  [...fields.values()].filter(
    ({ configured, target }) =>
      configured && target?.type === 'node' && target.bundles?.includes(node.bundle) !== false,
  );

/** A media type without fields for nodes belongs to none, and is made without one. */
const belongs = (bundle: Bundle, node: Entity): boolean =>
  nodeFields(bundle, node).length > 0 || ![...bundle.fields.values()].some(({ target }) => target?.type === 'node');

/** The first file of an object is its original, and a second one has another use. */
const useOf = (
  { candidates, random }: SampleContext,
  bundle: Bundle,
  position: number,
): Readonly<Record<FieldName, FieldItems>> => {
  const field = bundle.fields.get('field_media_use');
  if (field === undefined) return {};
  const uses = termsOf(candidates, field);
  const original = uses.find(({ label }) => /original/i.test(label)) ?? uses[0];
  const others = uses.filter((use) => use !== original);
  const use = position === 0 ? original : random(`use ${bundle.id} ${position}`).pick(others);
  return use === undefined ? {} : { [field.name]: [{ target_id: use.id }] };
};
