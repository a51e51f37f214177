/** Removes secrets from a body: JSON by its members, forms and their parts by their names, other text by patterns. */
import { parsedJson, type Json } from '../../basics/json.ts';
import { utf8Text } from '../../basics/formats/utf8-text.ts';
import { styleOf, writeJson } from './json-style.ts';
import { redactJson, redactQuery, redactText } from './redact-text.ts';
import type { Redacting } from './redacting.ts';

/** Where a body is from. `isWhole` is false when its end is missing. */
type BodyPlace = {
  /** The path of the request, with its query. */
  readonly path: string;
  readonly contentType: string;
  readonly isWhole: boolean;
};

/** Returns the same bytes when there was nothing to remove. Bytes that are not text stay as they are. */
export const redactBody = (bytes: Uint8Array, place: BodyPlace, redacting: Redacting): Uint8Array => {
  if (bytes.byteLength === 0) return bytes;
  if (/^multipart\//i.test(place.contentType)) return redactParts(bytes, place.contentType, redacting);
  const wide = wideCoding(bytes, place.contentType);
  if (wide !== undefined) return redactWide(bytes, wide, place, redacting);
  const text = utf8Text(bytes, place.isWhole);
  const isText = text !== undefined || textTypes.test(place.contentType);
  if (!isText) return bytes;
  const before = text ?? latin1(bytes);
  const after = redactWords(before, place, redacting);
  if (after === before) return bytes;
  return Buffer.from(after, text === undefined ? 'latin1' : 'utf8');
};

type WideCoding = 'utf-16le' | 'utf-16be';

/** By the byte order mark, or by the charset of the type. */
const wideCoding = (bytes: Uint8Array, contentType: string): WideCoding | undefined => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const [, charset] = /charset="?(utf-16(?:le|be)?)\b/i.exec(contentType) ?? [];
  return charset === undefined ? undefined : charset.toLowerCase() === 'utf-16le' ? 'utf-16le' : 'utf-16be';
};

const redactWide = (bytes: Uint8Array, coding: WideCoding, place: BodyPlace, redacting: Redacting): Uint8Array => {
  const text = new TextDecoder(coding, { ignoreBOM: true }).decode(bytes);
  const left = redactWords(text, place, redacting);
  if (left === text) return bytes;
  const written = Buffer.from(left, 'utf16le');
  return coding === 'utf-16le' ? written : written.swap16();
};

const textTypes = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|javascript|x-www-form-urlencoded))/i;

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Their answers, and the bodies sent to them, are secret as a whole when they are neither JSON objects nor pages. */
const secretPaths = /\/(?:session\/token|user\/login)\/?(?:\?|$)/;

const redactWords = (text: string, { path, contentType }: BodyPlace, redacting: Redacting): string => {
  const json = /^\s*[[{"]/.test(text) ? (parsedJson(text) as Json | undefined) : undefined; // any JSON
  if (secretPaths.test(path) && !/^\s*[[{<]/.test(text) && !/[=&]/.test(text)) {
    const secret = text.trim();
    return redacting.placeholders[/\s/.test(secret) ? 'of' : 'learn'](secret, 'token');
  }
  if (json !== undefined) {
    try {
      const redacted = redactJson(json, redacting);
      // Numbers and escapes of a text that nothing is removed from stay as they are written.
      if (JSON.stringify(redacted) === JSON.stringify(json)) return text;
      return writeJson(redacted, styleOf(text, json) ?? 'compact');
    } catch (error) {
      // It is nested too deeply, and read as any text.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  if (/^text\/(?:csv|tab-separated-values)/i.test(contentType))
    return redactText(redactTable(text, redacting), redacting);
  const isForm = /x-www-form-urlencoded/i.test(contentType);
  return redactText(isForm ? redactQuery(text, redacting) : text, redacting);
};

/** The cells below a secret name in the first line of a table. */
const redactTable = (text: string, { rules, placeholders }: Redacting): string => {
  const lines = text.split('\n');
  const [head = ''] = lines;
  const separator = ['\t', ';', ','].find((sign) => head.includes(sign)) ?? ',';
  const names = head.split(separator).map((name) => name.trim().replace(/^"|"$/g, ''));
  if (!names.some((name) => rules.isSecretName(name))) return text;
  const shown = lines.slice(1).map((line) =>
    line
      .split(separator)
      .map((cell, at) => {
        const name = names[at] ?? '';
        return cell.trim() !== '' && rules.isSecretName(name) ? placeholders.learn(cell.trim(), name) : cell;
      })
      .join(separator),
  );
  return [head, ...shown].join('\n');
};

/** The empty line after the head of a part, and its place. Some clients end lines without a carriage return. */
const headEnd = (part: string): readonly [string?, number?] => {
  const found = /\r?\n\r?\n/.exec(part);
  return found === null ? [] : [found[0], found.index];
};

const pictureTypes = /^(?:image|audio|video|font)\//i;

/** The heads of all parts, and the content of those that are not files. */
const redactParts = (bytes: Uint8Array, contentType: string, redacting: Redacting): Uint8Array => {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  const text = latin1(bytes);
  if (boundary === undefined) return Buffer.from(redactText(text, redacting), 'latin1');
  const parts = text.split(`--${boundary}`).map((part) => {
    const [gap = '', at = part.length] = headEnd(part);
    const head = part.slice(0, at) + gap;
    const content = part.slice(head.length);
    const type = /content-type:\s*([^\r\n;]+)/i.exec(head)?.[1] ?? 'text/plain';
    const isText =
      textTypes.test(type) || (!pictureTypes.test(type) && utf8Text(Buffer.from(content, 'latin1')) !== undefined);
    const [, inQuotes, bare] = /;\s{0,8}name=(?:"([^"\r\n]{1,256})"|([^;\s"]{1,256}))/i.exec(head) ?? [];
    const name = inQuotes ?? bare;
    const isFile = /;\s{0,8}filename\*?=/i.test(head);
    if (!isText && (isFile || name === undefined)) return redactText(head, redacting) + content;
    const value = content.replace(/\r?\n$/, '');
    if (name === undefined || value === '' || !redacting.rules.isSecretParameter(name, value))
      return isText ? redactText(head + content, redacting) : redactText(head, redacting) + content;
    return redactText(head, redacting) + redacting.placeholders.learn(value, name) + content.slice(value.length);
  });
  return Buffer.from(parts.join(`--${boundary}`), 'latin1');
};
