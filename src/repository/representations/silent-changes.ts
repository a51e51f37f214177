/**
 * Finds what of an accepted JSON body was not stored as it was sent. It compares the body with the record that the answer
 * shows, so it finds every change without knowing the rules. `change-reasons.ts` says why.
 */
import { isRecord, type Json, type JsonObject } from '../../basics/json.ts';
import { inBody, type Advice } from '../../openapi/openapi-host.ts';
import type { Bundle, FieldDefinition } from '../model/bundle.ts';
import { isSet, memberOf } from '../model/entity.ts';
import type { FieldType } from '../fields/field-type.ts';
import { fieldTypeOf } from '../fields/field-types.ts';
import { reasonOfField, reasonOfItem, reasonOfMember } from './change-reasons.ts';

/**
 * `shown` is the record as JSON after the write. `given` are advices that a decision has given already: their parts of the body
 * are left out.
 */
export const silentChanges = (
  sent: Json,
  shown: JsonObject,
  bundle: Bundle,
  given: readonly Advice[] = [],
): readonly Advice[] =>
  isRecord(sent)
    ? Object.entries(sent)
        .flatMap(([name, value]) => fieldChanges(name, value, memberOf(shown, name), bundle))
        .filter((found) => !given.some((one) => overlap(one.pointer, found.pointer)))
    : [];

const overlap = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

const fieldChanges = (name: string, sent: Json, shown: Json | undefined, bundle: Bundle): readonly Advice[] => {
  const field = bundle.fields.get(name);
  if (field !== undefined && showsAll(sent, shown)) return [];
  const whole = (): Advice[] => [
    { pointer: inBody(name), sent, stored: shown, reason: reasonOfField(field, bundle, sent) },
  ];
  if (field === undefined || shown === undefined) return whole();
  const type = fieldTypeOf(field);
  const { main } = type;
  const stored = listOf(shown);
  const items = typeof sent === 'object' && sent !== null ? Object.entries(sent as Record<string, Json>) : []; // lists too
  if (items.length > 0) {
    const pairs = pairItems(
      items.map(([, item]) => item),
      stored,
      type,
    );
    return items.flatMap(([key, item], index) => itemChanges({ field, bundle, name, key }, item, pairs[index]));
  }
  const isEmpty = stored.every((item) => !isSet(mainOf(item, main)));
  const meansEmpty = sent === null || sent === '' || typeof sent === 'object';
  return (meansEmpty ? isEmpty : isSame(sent, mainOf(stored[0] ?? null, main))) ? [] : whole();
};

/** Whether a list shows each sent item with all its members, as nearly every list does: then nothing is to be paired. */
const showsAll = (sent: Json, shown: Json | undefined): boolean => {
  if (!Array.isArray(sent) || !Array.isArray(shown) || sent.length !== shown.length) return false;
  const [items, stored] = [sent as readonly Json[], shown as readonly Json[]]; // isArray loses the items' type
  return items.every((item, index) => isRecord(item) && hasMembers(item, stored[index]));
};

const hasMembers = (item: JsonObject, stored: Json | undefined): boolean => {
  for (const name in item) if (!isSame(item[name], memberOf(stored, name))) return false;
  return true;
};

type Place = {
  readonly field: FieldDefinition;
  readonly bundle: Bundle;
  readonly name: string;
  readonly key: string;
};

const itemChanges = ({ field, bundle, name, key }: Place, sent: Json, stored: Json | undefined): Advice[] => {
  const { main } = fieldTypeOf(field);
  if (stored === undefined) return [{ pointer: inBody(name, key), sent, reason: reasonOfItem(field, bundle, sent) }];
  const members = isRecord(sent) ? Object.entries(sent) : [[main, sent] as const];
  return members.flatMap(([property, value]) => {
    const kept = memberOf(stored, property);
    if (isSame(value, kept)) return [];
    const pointer = isRecord(sent) ? inBody(name, key, property) : inBody(name, key);
    const reason = reasonOfMember({ field, bundle, property, sent: value, stored: kept });
    return [{ pointer, sent: value, stored: kept ?? undefined, reason }];
  });
};

/** The most received items that are looked at to find the one that a stored item was made of. */
const longestSearch = 20;

/** For each received item the stored one. Undefined for an item that was dropped. Items keep their order. */
const pairItems = (sent: readonly Json[], stored: readonly Json[], type: FieldType): readonly (Json | undefined)[] => {
  let next = 0;
  return sent.map((_item, index) => {
    const surplus = sent.length - index - (stored.length - next);
    if (surplus > 0) {
      const candidates = sent.slice(index, index + Math.min(surplus, longestSearch) + 1);
      const scores = candidates.map((candidate) => similarity(candidate, stored[next], type));
      if (next >= stored.length || scores.indexOf(Math.max(...scores)) > 0) return undefined;
    }
    next += 1;
    return stored[next - 1];
  });
};

/** How likely a stored item was made of a received one: by the properties that are the same. 0 for an empty item. */
const similarity = (sent: Json, stored: Json | undefined, { main, properties }: FieldType): number => {
  const value = mainOf(sent, main);
  if (!isSet(value) && !isSet(memberOf(sent, 'target_uuid'))) return 0;
  const isAlike = isSameText(value, memberOf(stored, main));
  const members: Json = isRecord(sent) ? sent : { [main]: sent };
  const same = properties.filter((name) => isSame(memberOf(members, name), memberOf(stored, name))).length;
  return 1 + same + (isAlike ? properties.length : 0);
};

/** Digits are the same as the number. */
const isSameText = (a: Json | undefined, b: Json | undefined): boolean =>
  typeof a !== 'object' && typeof b !== 'object' && String(a) === String(b);

const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []); // isArray loses the items' type

/** A bare value stands for the main property. */
const mainOf = (item: Json, main: string): Json | undefined => (isRecord(item) ? item[main] : item);

/** Null stands for a member that is absent. The order of members does not matter. */
const isSame = (sent: Json | undefined, stored: Json | undefined): boolean => {
  if (sent === stored || (sent ?? null) === (stored ?? null)) return true;
  if (typeof sent !== 'object' || typeof stored !== 'object' || sent === null || stored === null) return false;
  if (Array.isArray(sent) !== Array.isArray(stored)) return false;
  const [a, b] = [sent as Record<string, Json>, stored as Record<string, Json>]; // lists too
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => isSame(a[name], b[name]));
};
