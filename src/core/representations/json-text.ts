/**
 * Writes a record in the `json` format as text, without the object that `json.ts` makes, and checks it member by member. The
 * text is that of `JSON.stringify(await renderJson(…, 'read'))`. What no record of a bundle changes is made and checked once.
 */
import { visibleBundle } from '../content/fields/restricted-fields.ts';
import { areMany } from '../../basics/long-work.ts';
import type { FieldDefinition } from '../model/bundle.ts';
import { identityFields, type Entity, type Json, type JsonObject } from '../model/entity.ts';
import { computedFieldsOf, computedItems, type ComputedName, jsonItems, type ItemContext } from './json-items.ts';
import { emptyBodyFor, type JsonContext } from './json.ts';
import { bundleOf } from './targets.ts';

/** Checks a body by its members. */
export type MemberChecks = {
  /** Whether a body may have these members, and needs no others. */
  mayHave(names: readonly string[]): boolean;
  /** Tells of the value of a member whether it is as the document says. */
  checkOf(name: string): Check;
};

type Check = (value: Json) => boolean;

export type TextContext = ItemContext & Pick<JsonContext, 'viewer'>;

/** What a member of the body shows: the stored items of a field, or items that are made of the record. */
type Source = FieldDefinition | Made;
type Made = 'id' | 'uuid' | 'bundle' | ComputedName;

type Member = {
  readonly name: string;
  readonly source: Source;
  readonly isRight: Check;
  /** The name, its colon, and the text before it. */
  readonly opening: string;
  /** The value in a record that has none. */
  readonly blank: string;
  readonly isBlankRight: boolean;
};

/** Undefined when a member is not as the document says, or needs more time than a turn of the event loop should take. */
export const jsonText = (entity: Entity, context: TextContext, checks: MemberChecks): string | undefined => {
  const bundle = visibleBundle(bundleOf(context.site, entity), entity, context.viewer);
  const identity = identityFields[entity.type];
  const emptyBody = emptyBodyFor(entity, bundle, context.viewer, 'read');
  if (identity.bundle !== undefined && !(identity.bundle in emptyBody)) return undefined;
  const blank = blankOf(emptyBody, checks, (name): Source => {
    if (name === identity.bundle) return 'bundle';
    if (name === 'uuid') return 'uuid';
    if (name === identity.id) return 'id';
    return computedFieldsOf(bundle).find((computed) => computed === name) ?? bundle.fields.get(name) ?? 'bundle';
  });
  let text = '';
  for (const member of blank) {
    const value = valueText(member, entity, context);
    if (value === undefined) return undefined;
    text += member.opening + value;
  }
  return text === '' ? undefined : `${text}}`;
};

type Blank = { readonly checks: MemberChecks; readonly members: readonly Member[] };

/** One for each kind of record. The empty bodies live as long as their bundles. */
const blanks = new WeakMap<JsonObject, Blank>();

const blankOf = (
  emptyBody: JsonObject,
  checks: MemberChecks,
  sourceOf: (name: string) => Source,
): readonly Member[] => {
  const known = blanks.get(emptyBody);
  if (known?.checks === checks) return known.members;
  const members = checks.mayHave(Object.keys(emptyBody)) ? membersOf(emptyBody, checks, sourceOf) : [];
  blanks.set(emptyBody, { checks, members });
  return members;
};

const membersOf = (emptyBody: JsonObject, checks: MemberChecks, sourceOf: (name: string) => Source): Member[] =>
  Object.entries(emptyBody).map(([name, value], at) => {
    const isRight = checks.checkOf(name);
    const opening = `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    return {
      name,
      source: sourceOf(name),
      isRight,
      opening,
      blank: JSON.stringify(value),
      isBlankRight: isRight(value),
    };
  });

/** Undefined for a value that is not right, or takes long. */
const valueText = (member: Member, entity: Entity, context: TextContext): string | undefined => {
  const { source, isRight } = member;
  if (typeof source === 'string') {
    if (source === 'bundle') return blankText(member);
    const made = madeItems(source, entity, context);
    return isRight(made) ? itemsText(made) : undefined;
  }
  const stored = entity.fields[member.name];
  if (stored === undefined || stored.length === 0) return blankText(member);
  // Of many items the other way makes slices, and nobody would wait for these.
  const shown = areMany(stored) ? undefined : jsonItems(stored, context, source);
  if (shown === undefined || shown instanceof Promise) return undefined;
  const [first] = shown;
  if (first !== undefined && shown.length === 1 && isShared(source, first)) return sharedText(shown, first, isRight);
  return isRight(shown) ? itemsText(shown) : undefined;
};

const blankText = ({ blank, isBlankRight }: Member): string | undefined => (isBlankRight ? blank : undefined);

const madeItems = (made: Exclude<Made, 'bundle'>, entity: Entity, context: TextContext): readonly JsonObject[] => {
  if (made === 'id') return [{ value: entity.id }];
  return made === 'uuid' ? [{ value: entity.uuid }] : computedItems(made, entity, context);
};

/** Whether the item is the same object in many records: `json-items.ts` keeps the references to terms and accounts. */
const isShared = ({ type }: FieldDefinition, { target_type: target }: JsonObject): boolean =>
  type === 'entity_reference' && (target === 'taxonomy_term' || target === 'user');

/** The text of a list with one shared item, and by whose check the list was right. */
const sharedTexts = new WeakMap<JsonObject, { readonly text: string; readonly isRight: Check }>();

const sharedText = (shown: readonly JsonObject[], item: JsonObject, isRight: Check): string | undefined => {
  const known = sharedTexts.get(item);
  if (known?.isRight === isRight) return known.text;
  if (!isRight(shown)) return undefined;
  const text = itemsText(shown);
  sharedTexts.set(item, { text, isRight });
  return text;
};

const itemsText = (shown: readonly JsonObject[]): string => {
  let text = '[';
  for (const item of shown) text += text === '[' ? objectText(item) : `,${objectText(item)}`;
  return `${text}]`;
};

/** As `JSON.stringify`, which takes twice as long for an object with few members. */
const objectText = (item: JsonObject): string => {
  let text = '{';
  for (const name in item) {
    const value = item[name];
    if (value !== undefined) text += `${text === '{' ? '' : ','}${quoted(name)}:${memberText(value)}`;
  }
  return `${text}}`;
};

const memberText = (value: Json): string => {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'boolean' ? (value ? 'true' : 'false') : JSON.stringify(value);
};

/** Text that JSON writes as it is. */
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text));
