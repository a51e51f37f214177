/** Makes typed values of texts, as the schema of a parameter, of a field of a form or of a member wants them. */
import { parsedJson } from '../../basics/json.ts';
import { outlinesOf, type Outline } from './outline.ts';
import type { Schemas } from './schemas.ts';

export type Values = {
  readonly outline: (schema: unknown) => Outline;
  /** The value of a text. A text that fits no type of the schema stays one, and the check of the schema refuses it. */
  readonly fromText: (text: string, schema: unknown) => unknown;
  /** The same for many texts. */
  readonly reader: (schema: unknown) => (text: string) => unknown;
  readonly list: (texts: readonly string[], schema: unknown) => unknown[];
  readonly object: (
    members: Iterable<readonly [name: string, text: string]>,
    schema: unknown,
  ) => Record<string, unknown>;
};

/** JSON's syntax of numbers (RFC 8259 §6): no `+1`, `0x1`, `01` or blanks. */
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export const createValues = (schemas: Schemas): Values => {
  const outline = outlinesOf(schemas, 'request');
  const reader: Values['reader'] = (schema) => {
    const { types } = outline(schema);
    if (types.size === 1 && types.has('string')) return (text) => text;
    return (text) => {
      const candidates = candidatesOf(text, types);
      const [first] = candidates;
      if (candidates.length < 2) return candidates.length === 0 ? text : first;
      const check = schemas.check(schema, 'request');
      return candidates.find((candidate) => check(candidate).length === 0) ?? first;
    };
  };
  const fromText: Values['fromText'] = (text, schema) => reader(schema)(text);
  const list: Values['list'] = (texts, schema) => {
    const { item } = outline(schema);
    return texts.map((text, index) => fromText(text, item(index)));
  };
  const object: Values['object'] = (members, schema) => {
    const { member } = outline(schema);
    const made: Record<string, unknown> = {};
    for (const [name, text] of members) setOwn(made, name, fromText(text, member(name)));
    return made;
  };
  return { outline, fromText, reader, list, object };
};

/** In the order in which they are tried. */
const candidatesOf = (text: string, types: ReadonlySet<string>): unknown[] => {
  const isText = types.size === 0 || types.has('string');
  const candidates: unknown[] = [];
  if ((types.has('integer') || types.has('number')) && number.test(text)) candidates.push(Number(text));
  if (types.has('boolean') && (text === 'true' || text === 'false')) candidates.push(text === 'true');
  if (types.has('null') && (text === 'null' || (text === '' && !isText))) candidates.push(null);
  // A list or an object in one text, such as a member of a form.
  if ((types.has('object') || types.has('array')) && /^[[{]/.test(text)) {
    const parsed = parsedJson(text);
    if (parsed !== undefined) candidates.push(parsed);
  }
  if (isText) candidates.push(text);
  return candidates;
};

/** Sets a member of any name, also `__proto__`. */
export const setOwn = (into: Record<string, unknown>, name: string, value: unknown): void => {
  if (name === '__proto__')
    Object.defineProperty(into, name, { value, writable: true, enumerable: true, configurable: true });
  else into[name] = value;
};
