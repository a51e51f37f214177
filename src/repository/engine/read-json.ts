/** Reads a JSON body within limits, so that no body can damage the store or block the event loop. Faults are named in the words of the real site. */
import { parsedJson, type Json } from '../../basics/json.ts';
import { malformed, refuseInfinite, refuseUnstorable, tooLarge } from '../../openapi/openapi-terms.ts';

type JsonLimits = {
  readonly maxBytes: number;
  /** The message of the 400 for an empty body. */
  readonly emptyMessage: string;
  /** Whether a body of the digit 0 counts as an empty one, as it does for records on the real site. */
  readonly isZeroEmpty?: boolean;
  /** Whether every value is taken: any name of a member, any text, and more levels. */
  readonly isAnyJson?: boolean;
};

const maxDepth = 32;
/** `JSON.parse` and those who read the value can do more. */
const maxDepthOfAny = 500;
/** What PHP takes for no content at all: nothing, and the digit 0. */
const isNoContent = (bytes: Uint8Array, isZeroEmpty: boolean): boolean =>
  bytes.length === 0 || (isZeroEmpty && bytes.length === 1 && bytes[0] === 0x30);

/**
 * Throws 413 over `maxBytes`; 400 for an empty body, invalid UTF-8 or JSON, half of a surrogate pair, more than 32 levels, and
 * dangerous member names; 422 for values that no store can hold: U+0000, unsafe numbers. The last of duplicate members wins.
 */
export const readJson = async (body: AsyncIterable<Uint8Array>, limits: JsonLimits): Promise<Json> =>
  parseJson(await collect(body, limits.maxBytes), limits);

/** As `readJson`, for a body that has arrived. */
export const parseJson = (bytes: Uint8Array, limits: JsonLimits): Json => {
  if (bytes.length > limits.maxBytes) throw tooManyBytes(limits.maxBytes);
  if (isNoContent(bytes, limits.isZeroEmpty === true)) throw malformed(limits.emptyMessage);
  const text = decoded(bytes);
  if (text === undefined) throw malformed(jsonFault(bytes));
  refuseDepth(text, limits.isAnyJson === true ? maxDepthOfAny : maxDepth);
  let value: Json;
  try {
    value = JSON.parse(text) as Json; // JSON.parse returns JSON
  } catch (cause) {
    throw malformed(jsonFault(bytes), cause);
  }
  if (limits.isAnyJson === true) refuseInfinite(value);
  else refuseUnstorable(value);
  return value;
};

/** The 413 for a body of more than `maxBytes`. */
export const tooManyBytes = (maxBytes: number): Error => tooLarge(`The request body is larger than ${maxBytes} bytes.`);

const collect = async (body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooManyBytes(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Counts before parsing: `JSON.parse` accepts 40,000 levels, but Ajv and the store fail at a few thousand. */
const refuseDepth = (text: string, mostLevels: number): void => {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > mostLevels) throw malformed(`The JSON is nested more than ${mostLevels} levels deep.`);
  }
};

const malformedUtf8 = 'Malformed UTF-8 characters, possibly incorrectly encoded';
const controlCharacter = 'Control character error, possibly incorrectly encoded';
const loneSurrogate = 'Single unpaired UTF-16 surrogate in unicode escape';
const syntaxError = 'Syntax error';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes as text, with a byte order mark if there is one. Undefined for bytes that are no UTF-8. */
const decoded = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
};

/** What is wrong with bytes that are no JSON: the first fault of their characters, else their syntax. */
const jsonFault = (bytes: Uint8Array): string => {
  const text = decoded(bytes);
  if (text === undefined) return characterFault(readablePart(bytes), false) ?? malformedUtf8;
  return characterFault(text, true) ?? syntaxError;
};

/** The text before the first byte that is no UTF-8. The decoder writes U+FFFD for such a byte. */
const readablePart = (bytes: Uint8Array): string => {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return text.slice(0, text.indexOf('\uFFFD'));
};

/**
 * The first control character that is not written as an escape, or the first half of a surrogate pair that is. The end of a
 * whole body counts as a control character in a text.
 */
const characterFault = (text: string, isWhole: boolean): string | undefined => {
  let inString = false;
  let begin = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character < ' ' && (inString || !'\t\n\r'.includes(character))) return controlCharacter;
    if (character === '"') {
      inString = !inString;
      begin = index;
    }
    if (!inString || character !== '\\') continue;
    const length = escapeLength(text, index);
    if (length === 0) return loneSurrogate;
    escape.lastIndex = index;
    if (isWhole && !escape.test(text)) return undefined;
    index += length - 1;
  }
  return isWhole && inString && isBeginOfJson(text.slice(0, begin)) ? controlCharacter : undefined;
};

/** An escape that JSON has (RFC 8259 §7). */
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** What may follow the begin of JSON before its brackets are closed. */
const continuations = ['', 'null', ':null', '"":null'];

const isBeginOfJson = (text: string): boolean => {
  const open: string[] = [];
  // Texts have no brackets of their own.
  for (const bracket of text.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/[[\]{}]/g) ?? []) {
    if (bracket === '[') open.unshift(']');
    else if (bracket === '{') open.unshift('}');
    else open.shift();
  }
  return continuations.some((next) => parsedJson(text + next + open.join('')) !== undefined);
};

const pair = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/y;
const half = /\\u[dD][89a-fA-F][0-9a-fA-F]{2}/y;

/** The length of the escape at a position: two escapes for a surrogate pair, 0 for half of one. */
const escapeLength = (text: string, index: number): number => {
  pair.lastIndex = half.lastIndex = index;
  if (pair.test(text)) return 12;
  return half.test(text) ? 0 : 2;
};
