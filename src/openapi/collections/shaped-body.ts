/** Gives a record the form that a response documents: the record, some of its members, its id, or an envelope around it. */
import { isRecord } from '../../basics/json.ts';
import type { Media } from '../document/operation.ts';
import type { MakeAnswer } from '../answers/answer.ts';
import type { Outline } from '../schemas/outline.ts';
import type { Schemas } from '../schemas/schemas.ts';
import { setOwn } from '../schemas/values.ts';
import { namesLike } from './names.ts';
import type { CollectionPlan } from './plan.ts';
import { withoutMarked } from './shown-value.ts';

export type ShapeOptions = {
  readonly schemas: Schemas;
  readonly outline: (schema: unknown) => Outline;
  readonly answers: Pick<MakeAnswer, 'valueOf'>;
};

export type Shape = {
  /** A record as clients read it. */
  readonly shown: (value: unknown, plan: CollectionPlan) => unknown;
  /** Undefined where the schema has no place for a record. */
  readonly shaped: (value: unknown, schema: unknown, plan: CollectionPlan) => unknown;
  /** The body of a response with this record. What the record does not say is as in the example. Undefined as above. */
  readonly body: (value: unknown, media: Media, plan: CollectionPlan) => unknown;
};

export const createShape = ({ schemas, outline, answers }: ShapeOptions): Shape => {
  const shown = withoutMarked(schemas, 'response', 'writeOnly');
  /** Whether a response has the form of a record, which is shown as it is, also where it does not fit any more. */
  const isRecordSchema = (schema: unknown, { record }: CollectionPlan): boolean =>
    schema === undefined || schemas.read(schema, 'response') === schemas.read(record.media.schema, 'response');
  const shaped: Shape['shaped'] = (value, schema, plan) => {
    if (isRecordSchema(schema, plan)) return shown(value, plan.record.media.schema);
    const own = outline(schema);
    if (own.types.size > 0 && !own.types.has('object')) return undefined;
    if (own.names.length === 0) return shown(value, plan.record.media.schema);
    return isRecord(value) && hasPlace(own, value, plan) ? shown(picked(value, own, plan), schema) : undefined;
  };
  const body: Shape['body'] = (value, media, plan) => {
    if (isRecordSchema(media.schema, plan)) return shown(value, plan.record.media.schema);
    const direct = shaped(value, media.schema, plan);
    if (direct !== undefined) return withRequired(direct, media, { schemas, outline, answers });
    const { names, member } = outline(media.schema);
    const places = names.filter((name) => {
      const inner = outline(member(name));
      return inner.types.has('object') && isRecord(value) && hasPlace(inner, value, plan);
    });
    const [place] = places;
    if (place === undefined || places.length > 1) return undefined;
    const example = answers.valueOf(media);
    return { ...(isRecord(example) ? example : {}), [place]: shaped(value, member(place), plan) };
  };
  return { shaped, body, shown: (value, plan) => shown(value, plan.record.media.schema) };
};

/** Whether the members that a schema lists are those of a record: its id, or most of its members where it has none. */
const hasPlace = ({ names }: Outline, value: Readonly<Record<string, unknown>>, plan: CollectionPlan): boolean => {
  const { idMember, idParameter } = plan;
  if (idMember === undefined) return names.some((name) => Object.hasOwn(value, name));
  return names.includes(idMember) || (idParameter !== undefined && namesLike(names, idParameter).length > 0);
};

const picked = (
  value: Readonly<Record<string, unknown>>,
  { names, takesOthers }: Outline,
  { idMember, idParameter }: CollectionPlan,
): Record<string, unknown> => {
  const kept: Record<string, unknown> = {};
  for (const name of takesOthers ? [...new Set([...names, ...Object.keys(value)])] : names) {
    const source = Object.hasOwn(value, name)
      ? name
      : idParameter !== undefined && isLike(name, idParameter)
        ? idMember
        : undefined;
    if (source !== undefined) setOwn(kept, name, value[source]);
  }
  return kept;
};

const isLike = (name: string, wanted: string): boolean => namesLike([name], wanted).length > 0;

/** A response may require more than the record has. Undefined where the example does not make it fit either. */
const withRequired = (value: unknown, media: Media, { schemas, outline, answers }: ShapeOptions): unknown => {
  const check = schemas.check(media.schema ?? true, 'response');
  if (check(value).length === 0) return value;
  const example = answers.valueOf(media);
  if (!isRecord(value) || !isRecord(example)) return undefined;
  const missing = outline(media.schema).names.filter(
    (name) => !Object.hasOwn(value, name) && Object.hasOwn(example, name),
  );
  const whole = { ...value, ...Object.fromEntries(missing.map((name) => [name, example[name]])) };
  return check(whole).length === 0 ? whole : undefined;
};
