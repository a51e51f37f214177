/** Reads a JSON body within limits, so that no body can damage the store or block the event loop. */
import type { Json } from '../model/entity.ts';
import { malformed, tooLarge, unprocessable } from '../problem.ts';
import { decoded, jsonFault, loneSurrogate } from './json-faults.ts';

type JsonLimits = {
  readonly maxBytes: number;
  /** The message of the 400 for an empty body. */
  readonly emptyMessage: string;
  /** Whether a body of the digit 0 counts as an empty one, as it does for records on the real site. */
  readonly isZeroEmpty?: boolean;
};

const maxDepth = 32;
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
  refuseDepth(text);
  let value: Json;
  try {
    value = JSON.parse(text) as Json; // JSON.parse returns JSON
  } catch (cause) {
    throw malformed(jsonFault(bytes), cause);
  }
  refuseUnstorable(value);
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
const refuseDepth = (text: string): void => {
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
    if (depth > maxDepth) throw malformed(`The JSON is nested more than ${maxDepth} levels deep.`);
  }
};

const dangerous: readonly string[] = ['__proto__', 'constructor', 'prototype'];

const refuseUnstorable = (value: Json): void => {
  if (typeof value === 'string') refuseText(value);
  else if (typeof value === 'number') refuseNumber(value);
  else if (typeof value === 'object' && value !== null) {
    for (const [member, inner] of Object.entries(value)) {
      if (dangerous.includes(member)) throw malformed(`The member name "${member}" is not allowed.`);
      refuseText(member);
      refuseUnstorable(inner);
    }
  }
};

const refuseText = (text: string): void => {
  if (!text.isWellFormed()) throw malformed(loneSurrogate);
  if (text.includes('\0')) throw unprocessable('The body holds a character that cannot be stored (U+0000).');
};

const refuseNumber = (value: number): void => {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    throw unprocessable('The body holds a number that cannot be stored exactly.');
  }
};
