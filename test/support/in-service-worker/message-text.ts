/**
 * Writes values as texts for the service worker and back. Beside JSON there are bytes, maps, sets, errors, problems, infinite
 * numbers, and undefined.
 */
import { Problem } from '../../../src/openapi/openapi-terms.ts';

const tag = '\u0000type';

export const messageText = (value: unknown): string => JSON.stringify(encoded(value));
export const valueOfMessage = (text: string): unknown => decoded(JSON.parse(text));

/** Throws for a function, which cannot be sent. */
const encoded = (value: unknown): unknown => {
  if (value === undefined) return { [tag]: 'undefined' };
  if (typeof value === 'number' && !Number.isFinite(value)) return { [tag]: 'number', of: String(value) };
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError('A function cannot be sent.');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(encoded);
  if (value instanceof Uint8Array) return { [tag]: 'bytes', of: Buffer.from(value).toString('base64') };
  if (value instanceof Map) return { [tag]: 'map', of: [...value].map(encoded) };
  if (value instanceof Set) return { [tag]: 'set', of: [...value].map(encoded) };
  if (value instanceof Problem) {
    const { status, message, kind, headers, member } = value;
    return { [tag]: 'problem', of: encoded({ status, message, kind, headers, member }) };
  }
  if (value instanceof Error) return { [tag]: 'error', of: [value.message, value.stack ?? ''] };
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, encoded(one)]));
};

const decoded = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(decoded);
  const members = value as Readonly<Record<string, unknown>>;
  const type = members[tag];
  if (type === undefined) return Object.fromEntries(Object.entries(members).map(([name, one]) => [name, decoded(one)]));
  return decodedAs(type as string, members['of']); // as `encoded` wrote it
};

/** The types are those that `encoded` has written. */
const decodedAs = (type: string, of: unknown): unknown => {
  if (type === 'number') return Number(of);
  if (type === 'bytes') return Buffer.from(of as string, 'base64');
  if (type === 'map') return new Map((of as unknown[]).map(decoded) as [unknown, unknown][]);
  if (type === 'set') return new Set((of as unknown[]).map(decoded));
  if (type === 'error') {
    const [message, stack] = of as [string, string];
    return Object.assign(new Error(message), { stack });
  }
  if (type === 'problem') {
    const { status, message, ...options } = decoded(of) as Problem;
    return new Problem(status, message, options);
  }
  return undefined;
};
