/** Reads one parameter as its style and its explode say (OpenAPI 3.1 §4.8.12.2, §4.8.12.3). */
import { parsedJson } from '../../basics/json.ts';
import { decodeQuery, decoderOf, Unreadable } from './decoders.ts';
import { DeepObject, valueOf } from './deep-object.ts';
import { isJsonType } from '../media-type.ts';
import type { Parameter, Place } from '../document/parameter.ts';
import type { Schemas } from '../schemas/schemas.ts';
import type { Outline } from '../schemas/outline.ts';
import { setOwn, type Values } from '../schemas/values.ts';

/** What a request has, not decoded. */
export type RawParameters = {
  /** The pieces of the path, by the names of the template. */
  readonly path: Readonly<Record<string, string>>;
  /** The text after the question mark. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
};

/** Name and value as they were sent. A value is undefined where no `=` was. */
type Pair = readonly [name: string, value: string | undefined];

export const pairsOf = (text: string, separator: string): Pair[] =>
  text === ''
    ? []
    : text.split(separator).map((piece): Pair => {
        const at = piece.indexOf('=');
        return at === -1 ? [piece, undefined] : [piece.slice(0, at), piece.slice(at + 1)];
      });

/** Cookies by RFC 6265 §4.2.1. */
export const cookiesOf = (header = ''): Pair[] =>
  pairsOf(header, ';').map(([name, value]) => [name.trim(), value?.trim()]);

export type Wire = {
  readonly raw: RawParameters;
  readonly query: () => Pair[];
  readonly cookies: () => Pair[];
  /** See `ReaderOptions`. */
  readonly isTolerant: boolean;
};

export type StyleContext = {
  readonly values: Values;
  readonly schemas: Schemas;
  readonly parameters: readonly Parameter[];
};

export type Read = (wire: Wire) => unknown;

export const wayOf = (parameter: Parameter, context: StyleContext): Read => {
  if (parameter.mediaType !== undefined) return readContent(parameter, parameter.mediaType, context);
  const way = styledWay(parameter, context);
  const { in: place, style, schema = true } = parameter;
  const isJoined =
    (place === 'query' || place === 'cookie') &&
    style === 'form' &&
    !parameter.explode &&
    isStructure(context.values.outline(schema));
  if (!isJoined) return way;
  // Clients that write queries by themselves encode the commas, too, and a cookie may have none (RFC 6265 §4.1.1). That is read so
  // where nothing else is allowed.
  const check = context.schemas.check(schema, 'request');
  return (wire) => {
    const [strict] = readingBy(way, wire);
    if (strict !== undefined && check(structuredClone(strict)).length === 0) return strict;
    const withCommas = (pairs: readonly Pair[]): Pair[] =>
      pairs.map(([name, value]) => [name, value?.replaceAll(/%2C/gi, ',')]);
    const [lenient] = readingBy(way, {
      ...wire,
      query: () => withCommas(wire.query()),
      cookies: () => withCommas(wire.cookies()),
    });
    return lenient !== undefined && check(structuredClone(lenient)).length === 0 ? lenient : way(wire);
  };
};

const isStructure = ({ types }: Outline): boolean => types.has('array') || types.has('object');

const styledWay = (parameter: Parameter, context: StyleContext): Read => {
  const { types } = context.values.outline(parameter.schema ?? true);
  const isText = types.size === 0 || [...types].some((type) => type !== 'array' && type !== 'object');
  const ways: Read[] = [
    ...(types.has('array') ? [readList(parameter, context)] : []),
    ...(types.has('object') ? [readObject(parameter, context)] : []),
    ...(isText ? [readText(parameter, context)] : []),
  ];
  const [only] = ways;
  if (ways.length === 1 && only !== undefined) return only;
  // What may be a list, an object or a text is the first of them that the schema allows. A list of one is rather a text.
  const check = context.schemas.check(parameter.schema ?? true, 'request');
  return (wire) => {
    const readings = ways.flatMap((way) => readingBy(way, wire));
    const allowed = readings.filter((value) => check(value).length === 0);
    return allowed.find((value) => !Array.isArray(value) || value.length > 1) ?? allowed[0] ?? readings[0];
  };
};

const readingBy = (way: Read, wire: Wire): unknown[] => {
  try {
    const value = way(wire);
    return value === undefined ? [] : [value];
  } catch (error) {
    if (error instanceof Unreadable) return [];
    throw error;
  }
};

/** Names that cannot be decoded are those of no parameter. */
const isNamed = (raw: string, name: string): boolean => {
  if (raw === name) return true;
  if (!raw.includes('%') && !raw.includes('+')) return false;
  try {
    return decodeQuery(raw) === name;
  } catch {
    return false;
  }
};

const sentUnder = (name: string, place: Place, { query, cookies }: Wire): string[] => {
  const sent: string[] = [];
  for (const [raw, value = ''] of place === 'query' ? query() : cookies()) if (isNamed(raw, name)) sent.push(value);
  return sent;
};

/** The text that a parameter has once. Undefined where it was not sent. */
const single = (parameter: Parameter, wire: Wire): string | undefined => {
  const { name, in: place } = parameter;
  if (place === 'header') return wire.raw.headers[name.toLowerCase()];
  if (place === 'path') return withoutPrefix(parameter, wire.raw.path[name]);
  const sent = sentUnder(name, place, wire);
  if (sent.length > 1 && !wire.isTolerant) throw new Unreadable(`is given ${sent.length} times`);
  return sent.at(-1);
};

/** A label begins with a dot, a matrix with `;name=` (RFC 6570 §3.2.5, §3.2.7). */
const withoutPrefix = ({ style, name }: Parameter, raw: string | undefined): string | undefined => {
  if (raw === undefined) return undefined;
  if (style === 'label') {
    if (!raw.startsWith('.')) throw new Unreadable('begins with a dot, as style label has it');
    return raw.slice(1);
  }
  if (style !== 'matrix') return raw;
  if (raw === `;${name}`) return '';
  if (!raw.startsWith(`;${name}=`)) throw new Unreadable(`begins with ;${name}=, as style matrix has it`);
  return raw.slice(name.length + 2);
};

const readContent =
  (parameter: Parameter, mediaType: string, { values }: StyleContext): Read =>
  (wire) => {
    const raw = single({ ...parameter, style: 'simple' }, wire);
    if (raw === undefined) return undefined;
    const text = decoderOf(parameter.in, wire)(raw);
    if (!isJsonType(mediaType)) return values.fromText(text, parameter.schema ?? true);
    const parsed = parsedJson(text);
    if (parsed === undefined) throw new Unreadable('is not JSON');
    return parsed;
  };

const readText = (parameter: Parameter, { values }: StyleContext): Read => {
  const typed = values.reader(parameter.schema ?? true);
  return (wire) => {
    const raw = single(parameter, wire);
    return raw === undefined ? undefined : typed(decoderOf(parameter.in, wire)(raw));
  };
};

/** Where a text is divided. Clients write the bar of a list encoded, too. */
const delimiters: Readonly<Record<string, RegExp>> = { spaceDelimited: /%20|\+| /, pipeDelimited: /\||%7C/i };

const divided = ({ in: place, style, explode }: Parameter, raw: string): string[] => {
  if (raw === '') return [];
  const delimiter = style === 'label' && explode ? '.' : (delimiters[style] ?? ',');
  const pieces = raw.split(delimiter);
  return place === 'header' ? pieces.map((piece) => piece.trim()) : pieces;
};

const readList =
  (parameter: Parameter, context: StyleContext): Read =>
  (wire) => {
    const { in: place, schema = true } = parameter;
    const pieces = listPieces(parameter, wire);
    return pieces === undefined ? undefined : context.values.list(pieces.map(decoderOf(place, wire)), schema);
  };

const listPieces = (parameter: Parameter, wire: Wire): string[] | undefined => {
  const { name, in: place, style, explode } = parameter;
  if (explode && place === 'query') {
    const sent = sentUnder(name, place, wire);
    return sent.length === 0 ? undefined : sent;
  }
  if (explode && place === 'cookie') {
    // A client that follows style form writes one cookie: `id=1&id=2`.
    const sent = sentUnder(name, place, wire).flatMap((value) => value.split(`&${name}=`));
    return sent.length === 0 ? undefined : sent;
  }
  if (explode && style === 'matrix') return matrixPairs(parameter, wire)?.map(([, value = '']) => value);
  const raw = single(parameter, wire);
  return raw === undefined ? undefined : divided(parameter, raw);
};

/** `;id=1;id=2` */
const matrixPairs = ({ name }: Parameter, { raw }: Wire): Pair[] | undefined => {
  const text = raw.path[name];
  if (text === undefined) return undefined;
  if (!text.startsWith(';')) throw new Unreadable('begins with a semicolon, as style matrix has it');
  return pairsOf(text.slice(1), ';');
};

const readObject = (parameter: Parameter, context: StyleContext): Read => {
  const { in: place, style, explode } = parameter;
  if (style === 'deepObject') return readDeepObject(parameter, context);
  if (explode && (place === 'query' || place === 'cookie')) return readSpread(parameter, context);
  return (wire) => {
    const pairs = objectPairs(parameter, wire);
    if (pairs === undefined) return undefined;
    const decoded = pairs.map((pair) => pair.map((text = '') => decoderOf(place, wire)(text)) as [string, string]);
    return context.values.object(decoded, parameter.schema ?? true);
  };
};

const objectPairs = (parameter: Parameter, wire: Wire): Pair[] | undefined => {
  if (parameter.explode && parameter.style === 'matrix') return matrixPairs(parameter, wire);
  const raw = single(parameter, wire);
  if (raw === undefined) return undefined;
  const pieces = divided(parameter, raw);
  if (parameter.explode) return pieces.flatMap((piece) => pairsOf(piece, '\n'));
  if (pieces.length % 2 === 1) throw new Unreadable('has a name without a value');
  return pieces.flatMap((piece, at): Pair[] => (at % 2 === 0 ? [[piece, pieces[at + 1]]] : []));
};

/** An object whose members stand in the query by themselves. It takes what no other parameter has a name for. */
const readSpread = (parameter: Parameter, { values, parameters }: StyleContext): Read => {
  const { in: place, schema = true } = parameter;
  const { names, takesOthers, member } = values.outline(schema);
  const others = new Set(parameters.filter((each) => each.in === place && each !== parameter).map(({ name }) => name));
  const isOwn = (name: string): boolean =>
    names.includes(name) || (takesOthers && !others.has(name.replace(/\[.*$/, '')));
  return (wire) => {
    const sent = new Map<string, string[]>();
    for (const [rawName, value = ''] of place === 'query' ? wire.query() : wire.cookies()) {
      const name = namedIn(rawName);
      if (name !== undefined && isOwn(name)) sent.set(name, [...(sent.get(name) ?? []), value]);
    }
    if (sent.size === 0) return undefined;
    const made: Record<string, unknown> = {};
    for (const [name, raws] of sent)
      setOwn(made, name, valueOf(raws.map(decoderOf(place, wire)), member(name), values));
    return made;
  };
};

const namedIn = (raw: string): string | undefined => {
  try {
    return decodeQuery(raw);
  } catch {
    return undefined;
  }
};

/** `filter[year]=1999`, and `filter[by][name]=a` where the schema has an object in it. */
const readDeepObject =
  (parameter: Parameter, { values }: StyleContext): Read =>
  (wire) => {
    const made = new DeepObject();
    for (const [rawName, value = ''] of wire.query()) {
      const steps = deepSteps(rawName, parameter.name);
      if (steps === undefined) continue;
      if (steps.length === 0) throw new Unreadable(`is written as ${parameter.name}[member]`);
      made.add(steps, decodeQuery(value));
    }
    return made.members.size === 0 ? undefined : made.valueFor(parameter.schema ?? true, values);
  };

/** The most brackets behind a name. */
const mostSteps = 32;

/** The names in brackets behind that of the parameter. Undefined for another parameter. */
const deepSteps = (rawName: string, parameter: string): string[] | undefined => {
  const name = namedIn(rawName);
  if (name === parameter) return [];
  if (name?.startsWith(`${parameter}[`) !== true || !name.endsWith(']')) return undefined;
  const steps = name.slice(parameter.length + 1, -1).split('][');
  if (steps.length > mostSteps) throw new Unreadable('is nested too deeply');
  return steps;
};
