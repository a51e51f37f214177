/** Writes a record in the `json` format as text, and checks it member by member on the way. It is the text of what `renderJson` makes. */
import type { FieldDefinition } from '../model/bundle.ts';
import type { Entity, Json, JsonObject } from '../model/entity.ts';
import { itemsOf, type Kind, kindOf, type Member } from './json.ts';
import type { ItemContext } from './json-items.ts';

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
  /** The name, its colon, and the text before it. */
  readonly opening: string;
  /** The text of the value of a record without one. Undefined where that value is not as the document says. */
  readonly blankText: string | undefined;
  readonly isShared: boolean;
  /** The last single value that was written, and its text: most records of a kind have the same of many members. */
  last: { readonly value: Json | undefined; readonly text: string };
};

/** Undefined when a member is not as the document says. */
export const jsonText = (entity: Entity, context: ItemContext, checks: MemberChecks): string | undefined => {
  const members = checkedMembers(kindOf(entity, context, 'read'), checks);
  let text = '';
  for (const member of members) {
    const value = valueText(member, entity, context);
    if (value === undefined) return undefined;
    text += member.opening + value;
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

const noValue = { value: undefined, text: '' };

const checkedMember = (member: Member, at: number, checks: MemberChecks): CheckedMember => {
  const { name, blank, source } = member;
  const isRight = checks.checkOf(name);
  return {
    member,
    isRight,
    opening: `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    blankText: isRight(blank) ? JSON.stringify(blank) : undefined,
    isShared: typeof source === 'object' && leadsToShared(source),
    last: noValue,
  };
};

/** Whether references show the same object for the same target: `json-items.ts` keeps those to terms and accounts. */
const leadsToShared = ({ type, target }: FieldDefinition): boolean =>
  type === 'entity_reference' && (target?.type === 'taxonomy_term' || target?.type === 'user');

/** Undefined for a value that is not right. */
const valueText = (checked: CheckedMember, entity: Entity, context: ItemContext): string | undefined => {
  const { member, isRight } = checked;
  const shown = itemsOf(member, entity, context);
  if (shown === member.blank) return checked.blankText;
  const [first] = shown;
  if (first === undefined || shown.length > 1) return isRight(shown) ? itemsText(shown) : undefined;
  if (checked.isShared) return sharedText(shown, first, isRight);
  const value = singleValue(first);
  if (value === undefined) return isRight(shown) ? `[${objectText(first)}]` : undefined;
  if (value === checked.last.value) return checked.last.text;
  if (!isRight(shown)) return undefined;
  const text = `[{"value":${memberText(value)}}]`;
  if (isRepeated(value)) checked.last = { value, text };
  return text;
};

/** The value of an item that has nothing else. */
const singleValue = (item: JsonObject): Json | undefined => {
  for (const name in item) if (name !== 'value') return undefined;
  return item['value'];
};

/** Switches, languages and times repeat, long texts do not. */
const isRepeated = (value: Json): boolean =>
  typeof value !== 'object' && (typeof value !== 'string' || value.length < 20);

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
