/** Reads the JSON of an entity: fields, each with a list of items. */
import type { PlainAnswer } from '../api/exchange.ts';
import { isEntityType, type EntityKey } from './entity-address.ts';

export type Item = Readonly<Record<string, unknown>>;
export type Fields = Readonly<Record<string, readonly Item[]>>;

/** The fields of a success. Undefined for a refusal, and for what is not such JSON. */
export const fieldsOf = ({ status, text }: PlainAnswer): Fields | undefined => {
  if (status !== 200 || text === undefined) return undefined;
  const body = jsonOf(text);
  if (typeof body !== 'object' || body === null) return undefined;
  const lists = Object.entries(body).filter((entry): entry is [string, readonly unknown[]] => Array.isArray(entry[1]));
  return Object.fromEntries(lists.map(([name, items]) => [name, items.map((item) => Object(item) as Item)])); // an item is an object
};

/** Undefined when the text is not JSON. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const headerOf = ({ headers }: PlainAnswer, name: string): string | undefined =>
  headers.find(([each]) => each === name)?.[1];

/** A member of an item as text or number. */
export const textIn = (item: Item | undefined, member: string): string | undefined => {
  const value = item?.[member];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
};

/** One link a line, as servers send them. A comma within `<…>` or quotes does not end a link. */
export const linkLines = (header: string, name: string): string =>
  (header.match(/(?:<[^>]*>|"(?:[^"\\]|\\.)*"|[^,<"])+/g) ?? []).map((line) => `${name}: ${line.trim()}`).join('\n');

/** What the items refer to. */
export const referencesIn = (fields: Fields): readonly EntityKey[] =>
  Object.values(fields).flatMap((items) =>
    items.flatMap(({ target_type: type, target_id: id }) =>
      typeof type === 'string' && isEntityType(type) && typeof id === 'number' ? { type, id } : [],
    ),
  );
