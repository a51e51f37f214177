/** Makes the records that a collection begins with: the examples of its list, else of a record, else three samples. */
import { isRecord } from '../../basics/json.ts';
import { digest } from '../../basics/secrets/digest.ts';
import type { MakeAnswer } from '../answers/answer.ts';
import { seededNumber } from '../answers/leaf-values.ts';
import type { MakeSample } from '../answers/sample.ts';
import type { Media, Operation } from '../document/operation.ts';
import type { Outline } from '../schemas/outline.ts';
import type { Schemas } from '../schemas/schemas.ts';
import { setOwn } from '../schemas/values.ts';
import { fullMessage } from '../schemas/violations.ts';
import type { CollectionRecord } from './collection-store.ts';
import { type CollectionFlaw, type CollectionPlan, keyOf, prefixOf } from './plan.ts';

export type SeedOptions = {
  /** Of samples. */
  readonly seed: string;
  readonly schemas: Schemas;
  readonly outline: (schema: unknown) => Outline;
  readonly sample: MakeSample;
  readonly answers: Pick<MakeAnswer, 'valueOf'>;
};

export type Seeds = {
  /**
   * Below these parents: those that name none are below the first. Without those that name a record of another application, which
   * belong to it alone.
   */
  readonly records: (plan: CollectionPlan, parents: readonly (readonly string[])[]) => readonly CollectionRecord[];
  /** The examples that name all records above them. */
  readonly named: (plan: CollectionPlan) => readonly CollectionRecord[];
  /** The value that a record alone begins with. */
  readonly single: (plan: CollectionPlan) => unknown;
  /** The examples that are left out, because they are not as the schema says. */
  readonly flaws: (plan: CollectionPlan) => readonly CollectionFlaw[];
};

const samples = 3;

type Example = { readonly value: unknown; readonly keys: readonly (string | number)[] };

export const createSeeds = (options: SeedOptions): Seeds => {
  const { answers } = options;
  const read = new WeakMap<CollectionPlan, Usable>();
  const examples = (plan: CollectionPlan) => {
    const known = read.get(plan) ?? usableExamples(plan, options);
    read.set(plan, known);
    return known;
  };
  return {
    flaws: (plan) => examples(plan).flaws,
    single: (plan) => examples(plan).values[0] ?? answers.valueOf(plan.record.media),
    named: (plan) =>
      examples(plan).values.flatMap((value) => {
        const parents = namedParents(plan, value);
        return parents === undefined ? [] : placed(plan, [value], [parents]);
      }),
    records: (plan, parents) => {
      const { values, isEmpty } = examples(plan);
      if (values.length === 0 && !isEmpty) return placed(plan, sampleRecords(plan, options), parents);
      const hasOtherParent = plan.parent !== undefined && plan.parent.collection === undefined;
      const own = hasOtherParent ? values.filter((value) => namedParents(plan, value) === undefined) : values;
      return placed(plan, own, parents);
    },
  };
};

/** `isEmpty`: the document says that the list is empty. */
type Usable = {
  readonly values: readonly unknown[];
  readonly isEmpty: boolean;
  readonly flaws: readonly CollectionFlaw[];
};

const usableExamples = (plan: CollectionPlan, options: SeedOptions): Usable => {
  const { schemas } = options;
  const flaws: CollectionFlaw[] = [];
  const check = schemas.check(plan.record.media.schema ?? true, 'response');
  const usable = (found: readonly Example[]): unknown[] =>
    found.flatMap(({ value, keys }) => {
      const [violation] = check(value);
      const hasId = plan.idMember === undefined || (isRecord(value) && idText(value[plan.idMember]) !== undefined);
      if (violation === undefined && isRecord(value) && hasId) return [value];
      const reason = violation === undefined ? `has no ${plan.idMember ?? 'members'}` : faultText(violation);
      flaws.push({ keys, message: `The collection ${plan.name} does not begin with this example: it ${reason}.` });
      return [];
    });
  const given = plan.list === undefined ? undefined : examplesOfList(plan.list, options);
  const listed = usable(given ?? []);
  const { operation, media, response } = plan.record;
  const values = listed.length > 0 ? listed : usable(examplesIn(operation, media, response.key));
  return { values: given?.length === 0 ? [] : values, isEmpty: given?.length === 0, flaws };
};

const faultText = (violation: { readonly pointer: string; readonly message: string }): string =>
  `is not as its schema says: ${violation.pointer || '/'} ${fullMessage(violation)}`;

const examplesIn = ({ keys }: Operation, { examples, type }: Media, status: string): Example[] =>
  [...examples].flatMap(([name, { value }]) => {
    const at = [...keys, 'responses', status, 'content', type];
    return value === undefined
      ? []
      : [{ value, keys: [...at, ...(name === '' ? ['example'] : ['examples', name, 'value'])] }];
  });

/** Its first example, or else the one of its schema. Undefined without one: an empty list is one. */
const examplesOfList = (
  { operation, media, response, items, itemSchema }: NonNullable<CollectionPlan['list']>,
  { schemas, outline }: SeedOptions,
): Example[] | undefined => {
  const [first] = examplesIn(operation, media, response.key);
  const whole = first ?? exampleOfSchema(media.schema, schemas, operation);
  const listed = items === undefined ? whole?.value : isRecord(whole?.value) ? whole.value[items] : undefined;
  const keys = [...(whole?.keys ?? []), ...(items === undefined ? [] : [items])];
  const own =
    items === undefined ? undefined : exampleOfSchema(outline(media.schema).member(items), schemas, operation);
  const values = [listed, own?.value].find(Array.isArray) as unknown[] | undefined;
  return itemSchema === undefined ? undefined : values?.map((value, index) => ({ value, keys: [...keys, index] }));
};

const exampleOfSchema = (schema: unknown, schemas: Schemas, { keys }: Operation): Example | undefined => {
  const read = schemas.read(schema ?? true, 'response');
  if (typeof read === 'boolean') return undefined;
  const { example, examples } = read;
  const value: unknown = example ?? (Array.isArray(examples) ? (examples as unknown[])[0] : undefined);
  return value === undefined ? undefined : { value, keys };
};

/** How far another seed may move the samples along a list. */
const mostMoved = 20;

/** Made as the items of one list, so that they differ. Another seed takes others of it. */
const sampleRecords = (
  plan: CollectionPlan,
  { schemas, sample, seed }: Pick<SeedOptions, 'schemas' | 'sample' | 'seed'>,
): unknown[] => {
  const { schema = true } = plan.record.media;
  const moved = seed === '' ? 0 : seededNumber(seed) % mostMoved;
  const length = moved + samples;
  const made = sample({ type: 'array', items: schema, minItems: length, maxItems: length });
  const values = Array.isArray(made) ? (made as unknown[]).filter(isRecord) : [];
  const check = schemas.check(schema, 'response');
  const taken = new Set<string>();
  return values.slice(moved).flatMap((value, index) => {
    const id = sampleId(plan, { value, first: values[0], index, taken, seed });
    const varied = withMember(value, plan.idMember, id);
    if (check(varied).length > 0) return [];
    taken.add(idText(id) ?? '');
    return [varied];
  });
};

type Sampled = {
  readonly value: Readonly<Record<string, unknown>>;
  readonly first: Readonly<Record<string, unknown>> | undefined;
  readonly index: number;
  readonly taken: ReadonlySet<string>;
  readonly seed: string;
};

/** Numbers count from the first. A text that another sample has, as that of an example, gets a number. */
const sampleId = ({ idMember = '', idKind, name }: CollectionPlan, sampled: Sampled): unknown => {
  const { value, first, index, taken, seed } = sampled;
  const id = value[idMember];
  if (idKind === 'integer') return (typeof first?.[idMember] === 'number' ? first[idMember] : 1) + index;
  if (!taken.has(idText(id) ?? '')) return id;
  return idKind === 'uuid' ? uuidOf(`${seed} ${name} ${index}`) : `${idText(id) ?? ''}-${index + 1}`;
};

const withMember = (
  value: Readonly<Record<string, unknown>>,
  name: string | undefined,
  member: unknown,
): Readonly<Record<string, unknown>> => {
  if (name === undefined || value[name] === member) return value;
  const changed: Record<string, unknown> = {};
  for (const [each, other] of Object.entries(value)) setOwn(changed, each, each === name ? member : other);
  if (!Object.hasOwn(changed, name)) setOwn(changed, name, member);
  return changed;
};

/** A UUID for a text (RFC 9562 §5.8), the same each time. */
const uuidOf = (text: string): string => {
  const hex = digest('sha256', text, 'hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
};

/** The text of an id. Undefined for what is none. */
export const idText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;

/** The ids of the records above that a value says itself, outermost first. */
export const parentIds = (
  { parent, parentParameters }: CollectionPlan,
  value: unknown,
): readonly (string | undefined)[] =>
  parentParameters.map((parameter) => {
    const name = parent?.members.find((each) => each.parameter === parameter)?.name;
    return name === undefined || !isRecord(value) ? undefined : idText(value[name]);
  });

/** Undefined where a record does not say all of them. */
const namedParents = (plan: CollectionPlan, value: unknown): readonly string[] | undefined => {
  const ids = parentIds(plan, value);
  return ids.length === 0 || ids.includes(undefined) ? undefined : (ids as string[]);
};

const placed = (
  plan: CollectionPlan,
  values: readonly unknown[],
  parents: readonly (readonly string[])[],
): CollectionRecord[] => {
  const { parent, idMember } = plan;
  const ids = new Set<string>();
  return values.flatMap((value) => {
    if (!isRecord(value)) return [];
    const named = parent?.member === undefined ? undefined : idText(value[parent.member.name]);
    const above = parents.find((each) => each.at(-1) === named) ?? parents[0];
    const id = idText(value[idMember ?? '']);
    if (above === undefined || id === undefined || ids.has(`${prefixOf(above)}${id}`)) return [];
    ids.add(`${prefixOf(above)}${id}`);
    return [{ id: keyOf([...above, id]), value: withParents(value, plan, above) }];
  });
};

/** Members that are like parameters of the path have the ids that the record is below. */
const withParents = (
  value: Readonly<Record<string, unknown>>,
  { parent, parentParameters }: CollectionPlan,
  above: readonly string[],
): unknown =>
  (parent?.members ?? []).reduce((filled, { name, parameter }) => {
    const id = above[parentParameters.indexOf(parameter)];
    const isSame = id === undefined || idText(filled[name]) === id;
    return isSame ? filled : withMember(filled, name, sameKind(id, filled[name]));
  }, value);

const sameKind = (id: string, other: unknown): unknown => (typeof other === 'number' ? Number(id) : id);
