/** Keeps the checks of an operation's answers member by member, and compiles them when the operation is asked often. */
import type { Operation } from '../../document/operation.ts';
import type { MemberChecks } from '../../representations/json-text.ts';
import type { HeaderValues } from '../exchange.ts';
import { compileMemberChecks, itemSchema, type Check, type Schema } from './member-checks.ts';

/** The checks of a 200 of one operation and media type. */
export type ReplyMembers = MemberChecks & { headersAreRight(headers: HeaderValues): boolean };

/** Undefined until the checks are compiled, and for bodies that cannot be checked by their members. */
export type ReplyMembersOf = (operation: Operation, mediaType: string, shape?: Shape) => ReplyMembers | undefined;

/** A list is checked record by record. */
type Shape = 'record' | 'list';

type Compiling = {
  readonly schemaOf: (operation: Operation, mediaType: string) => Schema | undefined;
  readonly compile: (schema: Schema) => Check;
  readonly headersAreRight: (operation: Operation, mediaType: string, headers: HeaderValues) => boolean;
};

/** Compiling takes as long as some hundred answers. A server that is asked less often need not. */
const asksBefore = 16;

type Kept = { readonly mediaType: string; asked: number; members: ReplyMembers | undefined };

export const createReplyMembers = ({ schemaOf, compile, headersAreRight }: Compiling): ReplyMembersOf => {
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
    const schema = whole === undefined || shape === 'record' ? whole : itemSchema(whole);
    const checks = schema === undefined ? undefined : await checksOf(schema);
    if (checks === undefined) return;
    kept.members = { ...checks, headersAreRight: (headers) => headersAreRight(operation, kept.mediaType, headers) };
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
