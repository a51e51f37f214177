/** Makes the value of a record from the members that a client sends and those that the server adds. */
import { isRecord } from '../../basics/json.ts';
import type { MakeAnswer } from '../answers/answer.ts';
import type { MakeSample } from '../answers/sample.ts';
import type { Outline } from '../schemas/outline.ts';
import type { Schemas } from '../schemas/schemas.ts';
import { setOwn } from '../schemas/values.ts';
import { plainName } from './names.ts';
import type { CollectionPlan } from './plan.ts';
import { requiredIn } from '../schemas/required-members.ts';
import { withoutMarked } from './shown-value.ts';

export type Members = Readonly<Record<string, unknown>>;

export type MakerOptions = {
  readonly schemas: Schemas;
  readonly outline: (schema: unknown) => Outline;
  readonly sample: MakeSample;
  readonly answers: Pick<MakeAnswer, 'valueOf'>;
};

/** What the server decides about a record. */
export type Given = {
  /** The members of its id and of its parent's. */
  readonly fixed: Members;
  /** The record that is replaced. */
  readonly before: Members | undefined;
  /** In milliseconds since 1970. */
  readonly now: number;
};

export type RecordMaker = {
  /** The members of a body that are stored. Undefined for a body that is not a JSON object. */
  readonly sent: (plan: CollectionPlan, body: unknown, bodySchema: unknown) => Members | undefined;
  /** A whole record: the sent members, defaults, the fixed members and those that only the server sets. */
  readonly completed: (plan: CollectionPlan, sent: Members, bodySchema: unknown, given: Given) => Members;
  /** A patched record, with the server's own members as they were. */
  readonly restored: (plan: CollectionPlan, patched: Members, bodySchema: unknown, given: Given) => Members;
};

export const createRecordMaker = (options: MakerOptions): RecordMaker => {
  const { schemas, outline } = options;
  const withoutRead = withoutMarked(schemas, 'request', 'readOnly');
  const isServers = serversMembers(options);
  const makeMember = memberMaker(options);
  return {
    sent: (plan, body, bodySchema) => {
      if (!isRecord(body) || !isJson(body)) return undefined;
      const { member } = outline(plan.record.media.schema);
      const kept: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(withoutRead(body, bodySchema) as Members))
        if (!isMarked(schemas, member(name))) setOwn(kept, name, value);
      return kept;
    },
    completed: (plan, sent, bodySchema, { fixed, before, now }) => {
      const { names, member } = outline(plan.record.media.schema);
      const made: Record<string, unknown> = {};
      for (const name of new Set([...names, ...Object.keys(sent), ...Object.keys(fixed)])) {
        const schema = member(name);
        if (Object.hasOwn(fixed, name)) setOwn(made, name, fixed[name]);
        else if (Object.hasOwn(sent, name)) setOwn(made, name, sent[name]);
        else if (isServers(plan, name, bodySchema)) {
          const isKept = before !== undefined && Object.hasOwn(before, name) && !isUpdateTime(name, schema, schemas);
          setOwn(made, name, isKept ? before[name] : makeMember(plan, name, now));
        } else {
          const { defaultValue } = outline(schema);
          if (defaultValue !== undefined) setOwn(made, name, defaultValue);
        }
      }
      return made;
    },
    restored: (plan, patched, bodySchema, { fixed, before = {}, now }) => {
      const { names, member } = outline(plan.record.media.schema);
      const made: Record<string, unknown> = {};
      for (const name of new Set([...Object.keys(patched), ...names])) {
        const isOwn = isServers(plan, name, bodySchema);
        if (Object.hasOwn(fixed, name)) setOwn(made, name, fixed[name]);
        else if (isOwn && isUpdateTime(name, member(name), schemas)) setOwn(made, name, makeMember(plan, name, now));
        else if (isOwn && isMarked(schemas, member(name))) {
          if (Object.hasOwn(before, name)) setOwn(made, name, before[name]);
        } else if (Object.hasOwn(patched, name)) setOwn(made, name, patched[name]);
      }
      return made;
    },
  };
};

const isMarked = (schemas: Schemas, schema: unknown): boolean => {
  const read = schemas.read(schema, 'response');
  return typeof read === 'object' && read['readOnly'] === true;
};

/** Whether only the server sets a member: clients read it alone, or a record requires it and no body has it. */
const serversMembers =
  ({ schemas, outline }: Pick<MakerOptions, 'schemas' | 'outline'>) =>
  (plan: CollectionPlan, name: string, bodySchema: unknown): boolean => {
    const { schema } = plan.record.media;
    if (isMarked(schemas, outline(schema).member(name))) return true;
    const { names, takesOthers } = outline(bodySchema);
    const isSent = names.includes(name) || takesOthers || names.length === 0;
    return !isSent && requiredIn(schema, schemas).has(name);
  };

const formatOf = (schema: unknown, schemas: Schemas): unknown => {
  const read = schemas.read(schema, 'response');
  if (typeof read === 'boolean') return undefined;
  // A member that may be null is one of two.
  const branches = Array.isArray(read['anyOf']) ? (read['anyOf'] as unknown[]).filter(isRecord) : [];
  return read['format'] ?? branches.map(({ format }) => format).find((format) => format !== undefined);
};

const isUpdateTime = (name: string, schema: unknown, schemas: Schemas): boolean =>
  /^(date)?(last)?(updated|modified|changed|edited|update|modification)/.test(plainName(name)) &&
  /^date(-time)?$/.test(String(formatOf(schema, schemas)));

/** Times are those of the world; other members are as in the example, else samples. */
const memberMaker =
  ({ schemas, outline, sample, answers }: MakerOptions) =>
  (plan: CollectionPlan, name: string, now: number): unknown => {
    const { media } = plan.record;
    const schema = outline(media.schema).member(name);
    const format = formatOf(schema, schemas);
    const time = new Date(now).toISOString();
    if (format === 'date-time') return time;
    if (format === 'date') return time.slice(0, 10);
    const { defaultValue } = outline(schema);
    if (defaultValue !== undefined) return defaultValue;
    const example: unknown = media.examples.size === 0 ? undefined : answers.valueOf(media);
    return isRecord(example) && Object.hasOwn(example, name) ? example[name] : sample(schema, { name });
  };

/** Files of a form and bytes are none. */
const isJson = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && value !== undefined;
  if (
    !Array.isArray(value) &&
    Object.getPrototypeOf(value) !== Object.prototype &&
    Object.getPrototypeOf(value) !== null
  )
    return false;
  return Object.values(value).every(isJson);
};
