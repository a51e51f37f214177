/**
 * Checks the JSON bodies of replies member by member, so that a reply that is written as text needs no object for its check.
 * It finds whatever the check of the whole body finds, for schemas that say of a body only which members it has.
 */
import { nextTurn } from '../../../basics/long-work.ts';
import type { MemberChecks } from '../../representations/json-text.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** Tells whether a value is as a schema says. */
export type Check = (value: unknown) => boolean;

/** Keywords that say nothing of a value. */
const silentKeywords: ReadonlySet<string> = new Set(['title', 'description', 'example', 'examples', 'deprecated']);

/** Keywords of an object that concern each member by itself. */
const memberKeywords: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties']);

/** The checks of a body with this schema. Undefined for a schema that also says something else of a body. */
export const compileMemberChecks = async (
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
export const itemSchema = ({ type, items, ...others }: Schema): Schema | undefined =>
  type === 'array' && typeof items === 'object' && items !== null && Object.keys(others).every(isSilent)
    ? (items as Schema) // the document is valid
    : undefined;

const isSilent = (keyword: string): boolean => silentKeywords.has(keyword) || keyword.startsWith('x-');

const withoutWords = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !isSilent(name)));
