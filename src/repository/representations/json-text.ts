/** Writes a record in the `json` format as text, and checks it member by member on the way. It is the text of what `renderJson` makes. */
import type { FieldDefinition } from '../model/bundle.ts';
import { itemsOf, type Kind, kindOf, type Member } from './json.ts';
import type { JsonContext } from '../fields/field-type.ts';
import { fieldTypeOf } from '../fields/field-types.ts';
import type { Entity } from '../../openapi/openapi-records.ts';
import type { Json, JsonObject } from '../../basics/json.ts';

/** Checks a body by its members. */
export type MemberChecks = {
  /** Whether a body may have these members, and needs no others. */
  mayHave(names: readonly string[]): boolean;
  /** Tells of the value of a member whether it is as the document says. */
  checkOf(name: string): Check;
};

type Check = (value: Json) => boolean;

/** A member of the records of a kind, with what no record changes of its text and its check. */
type CheckedMember = {
  readonly member: Member;
  readonly isRight: Check;
  /** The name, its colon, and the text before it. The other texts begin with it. */
  readonly opening: string;
  /** The text of a record without a value. Undefined where that value is not as the document says. */
  readonly blankText: string | undefined;
  readonly isShared: boolean;
  /** The last single item that was written, and its text: most records of a kind have the same of many members. */
  last: { readonly item: JsonObject | undefined; readonly text: string };
};

/** Undefined when a member is not as the document says. */
export const jsonText = (entity: Entity, context: JsonContext, checks: MemberChecks): string | undefined => {
  const members = checkedMembers(kindOf(entity, context, 'read'), checks);
  let text = '';
  for (const member of members) {
    const written = memberText(member, entity, context);
    if (written === undefined) return undefined;
    text += written;
  }
  return text === '' ? undefined : `${text}}`;
};

type Checked = { readonly checks: MemberChecks; readonly members: readonly CheckedMember[] };

const checkedKinds = new WeakMap<Kind, Checked>();

/** None where the document does not allow these members. */
const checkedMembers = (kind: Kind, checks: MemberChecks): readonly CheckedMember[] => {
  const known = checkedKinds.get(kind);
  if (known?.checks === checks) return known.members;
  const isAllowed = checks.mayHave(kind.members.map(({ name }) => name));
  const members = isAllowed ? kind.members.map((member, at) => checkedMember(member, at, checks)) : [];
  checkedKinds.set(kind, { checks, members });
  return members;
};

const noItem = { item: undefined, text: '' };

const checkedMember = (member: Member, at: number, checks: MemberChecks): CheckedMember => {
  const { name, blank, source } = member;
  const isRight = checks.checkOf(name);
  const opening = `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`;
  return {
    ...{ member, isRight, opening },
    blankText: isRight(blank) ? opening + JSON.stringify(blank) : undefined,
    isShared: typeof source === 'object' && leadsToShared(source),
    last: noItem,
  };
};

/** Whether references show the same object for the same target: `json-items.ts` keeps those to terms and accounts. */
const leadsToShared = (field: FieldDefinition): boolean =>
  fieldTypeOf(field).properties.length === 1 && ['taxonomy_term', 'user'].includes(field.target?.type ?? '');

/** Undefined for a value that is not right. */
const memberText = (checked: CheckedMember, entity: Entity, context: JsonContext): string | undefined => {
  const { member, isRight, opening, last } = checked;
  const shown = itemsOf(member, entity, context);
  if (shown === member.blank) return checked.blankText;
  const [item] = shown;
  if (item === undefined || shown.length > 1) return isRight(shown) ? opening + itemsText(shown) : undefined;
  if (last.item !== undefined && isSameItem(item, last.item)) return last.text;
  const list = checked.isShared ? sharedText(shown, item, isRight) : isRight(shown) ? itemsText(shown) : undefined;
  if (list === undefined) return undefined;
  const text = opening + list;
  if (list.length < longText) checked.last = { item, text };
  return text;
};

/** Switches, languages, times and references repeat, long texts do not. */
const longText = 200;

/** Whether two items have the same members. Those that are objects are the same where they are one object. */
const isSameItem = (one: JsonObject, other: JsonObject): boolean => {
  if (one === other) return true;
  for (const name in one) if (one[name] !== other[name]) return false;
  for (const name in other) if (!(name in one)) return false;
  return true;
};

/** The text of a list with one shared item, and by which check the list was right. */
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
    if (value !== undefined) text += `${text === '{' ? '' : ','}${quoted(name)}:${valueText(value)}`;
  }
  return `${text}}`;
};

const valueText = (value: Json): string => {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'boolean' ? (value ? 'true' : 'false') : JSON.stringify(value);
};

/** Text that JSON writes as it is. */
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text));
