/**
 * Checks the 200s of an operation by their members, so that JSON that is written as text is checked on the way and needs no object. It
 * finds whatever the check of the whole body finds, for schemas that say of a body only which members it has. The checks are
 * compiled when an operation is asked often.
 */
import { isRecord } from '../../basics/json.ts';
import { nextTurn } from '../../basics/long-work.ts';
import type { Operation } from '../document/operation.ts';
import type { MemberChecks } from '../representations/json-text.ts';
import type { HeaderValues } from '../../openapi/openapi-host.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** Tells whether a value is as a schema says. */
export type Check = (value: unknown) => boolean;

/** Keywords that say nothing of a value. */
const silentKeywords: ReadonlySet<string> = new Set(['title', 'description', 'example', 'examples', 'deprecated']);

/** Keywords of an object that concern each member by itself. */
const memberKeywords: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties']);

/** The checks of a body with this schema. Undefined for a schema that also says something else of a body. */
const compileMemberChecks = async (
  schema: Schema,
  compile: (schema: Schema) => Check,
): Promise<MemberChecks | undefined> => {
  const { type, properties, required = [], additionalProperties: isOpen = true } = schema;
  const isTakenApart = Object.keys(schema).every((name) => memberKeywords.has(name) || isSilent(name));
  if (!isTakenApart || type !== 'object' || typeof properties !== 'object' || typeof isOpen !== 'boolean')
    return undefined;
  const checks = new Map<string, Check>();
  // Most members have the schema of another one, in other words.
  const bySchema = new Map<string, Check>();
  for (const [name, member] of Object.entries(properties as Record<string, Schema>)) {
    const silent = withoutWords(member);
    const key = JSON.stringify(silent);
    const known = bySchema.get(key);
    // Requests are answered meanwhile.
    if (known === undefined) await nextTurn();
    const check = known ?? compile(silent);
    bySchema.set(key, check);
    checks.set(name, check);
  }
  const needed = required as readonly string[]; // the document is valid
  return {
    mayHave: (names) =>
      (isOpen || names.every((name) => checks.has(name))) && needed.every((name) => names.includes(name)),
    checkOf: (name) => checks.get(name) ?? (() => isOpen),
  };
};

/** The schema of each item of a list. Undefined for a schema that also says something else of the list. */
const itemSchema = ({ type, items, ...others }: Schema): Schema | undefined =>
  type === 'array' && typeof items === 'object' && items !== null && Object.keys(others).every(isSilent)
    ? (items as Schema) // the document is valid
    : undefined;

const isSilent = (keyword: string): boolean => silentKeywords.has(keyword) || keyword.startsWith('x-');

const withoutWords = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !isSilent(name)));

/** The checks of a 200 of one operation and media type. */
export type TextChecks = MemberChecks & { headersAreRight(headers: HeaderValues): boolean };

/** Undefined until the checks are compiled, and for bodies that cannot be checked by their members. */
export type TextChecksOf = (operation: Operation, mediaType: string, shape?: Shape) => TextChecks | undefined;

/** A list is checked record by record. */
type Shape = 'record' | 'list';

type Compiling = {
  readonly schemaOf: (operation: Operation, mediaType: string) => unknown;
  readonly compile: (schema: Schema) => Check;
  readonly headersAreRight: (operation: Operation, headers: HeaderValues) => boolean;
};

/** Compiling takes as long as some hundred answers. A server that is asked less often need not. */
const asksBefore = 16;

type Kept = { readonly mediaType: string; asked: number; members: TextChecks | undefined };

export const createTextChecks = ({ schemaOf, compile, headersAreRight }: Compiling): TextChecksOf => {
  const known = new WeakMap<Operation, Kept[]>();
  const compiled = new WeakMap<Schema, ReturnType<typeof compileMemberChecks>>();
  /** A list of records names the same schema as one record. */
  const checksOf = (schema: Schema): ReturnType<typeof compileMemberChecks> => {
    const checks = compiled.get(schema) ?? compileMemberChecks(schema, compile);
    compiled.set(schema, checks);
    return checks;
  };
  const begin = async (operation: Operation, kept: Kept, shape: Shape): Promise<void> => {
    const whole = schemaOf(operation, kept.mediaType);
    if (!isRecord(whole)) return;
    const schema = shape === 'record' ? whole : itemSchema(whole);
    const checks = schema === undefined ? undefined : await checksOf(schema);
    if (checks === undefined) return;
    kept.members = { ...checks, headersAreRight: (headers) => headersAreRight(operation, headers) };
  };
  const keptOf = (operation: Operation, mediaType: string): Kept => {
    const all = known.get(operation) ?? [];
    known.set(operation, all);
    const made = { mediaType, asked: 0, members: undefined };
    all.push(made);
    return made;
  };
  return (operation, mediaType, shape = 'record') => {
    const kept = known.get(operation)?.find((each) => each.mediaType === mediaType) ?? keptOf(operation, mediaType);
    kept.asked += 1;
    // A schema that does not compile is reported by the check of the whole body.
    if (kept.asked === asksBefore) void begin(operation, kept, shape).catch(() => undefined);
    return kept.members;
  };
};
