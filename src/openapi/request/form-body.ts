/** Reads a form of several parts (`multipart/form-data`) as a typed value: each part as its field of the schema and its encoding say. */
import { isRecord } from '../../basics/json.ts';
import { encodeStep } from '../../basics/json-pointer.ts';
import { documentedType, isJsonType, readMediaType } from '../media-type.ts';
import type { KeepFile, Part, SentFile } from './form-file.ts';
import type { Encoding, Media } from '../document/operation.ts';
import { type MultipartLimits, readMultipart } from './multipart.ts';
import { hasPartHeaders, headerViolations, notingHeaders, type PartHeaders } from './part-headers.ts';
import type { Schemas } from '../schemas/schemas.ts';
import { createValues, setOwn, type Values } from '../schemas/values.ts';
import type { Violation } from '../schemas/violations.ts';

type FormOptions = {
  readonly contentType: string;
  readonly schemas: Schemas;
  readonly limits: MultipartLimits;
  readonly keep: KeepFile;
};

type ReadForm = {
  readonly value: Record<string, unknown>;
  /** The value with texts in place of files. */
  readonly forCheck: Record<string, unknown>;
  /** What the schema does not say: media types and headers of parts, and texts that are not JSON. */
  readonly violations: readonly Violation[];
};

/** Rejects as `readMultipart` does. */
export const readForm = async (
  media: Media,
  chunks: AsyncIterable<Uint8Array>,
  { contentType, schemas, limits, keep }: FormOptions,
): Promise<ReadForm> => {
  const values = createValues(schemas);
  const { member } = values.outline(media.schema ?? true);
  const noted: PartHeaders[] = [];
  const parts = await readMultipart(hasPartHeaders(media) ? notingHeaders(chunks, contentType, noted) : chunks, {
    ...{ contentType, keep, limits },
    isText: (name, type) => isJsonType(type) && isStructured(member(name), values),
  });
  const { violations, ...form } = formOf(media, parts, schemas);
  return { ...form, violations: [...headerViolations(noted, media, schemas), ...violations] };
};

/** Whether the schema wants an object, or a list of objects. */
const isStructured = (schema: unknown, values: Values): boolean => {
  const { types, item } = values.outline(schema);
  return types.has('object') || (types.has('array') && values.outline(item(0)).types.has('object'));
};

const formOf = (media: Media, parts: readonly Part[], schemas: Schemas): ReadForm => {
  const values = createValues(schemas);
  const { member } = values.outline(media.schema ?? true);
  const violations: Violation[] = [];
  const value: Record<string, unknown> = {};
  const forCheck: Record<string, unknown> = {};
  for (const [name, sent] of byName(parts)) {
    const schema = member(name);
    const isList = values.outline(schema).types.has('array');
    const items = (isList ? divided(sent, media.encoding[name]) : sent).map((part, index) => {
      const itemSchema = isList ? values.outline(schema).item(index) : schema;
      violations.push(...typeViolations(part, media.encoding[name]?.['contentType']));
      return partValue(part, itemSchema, { values, schemas, violations });
    });
    const [first] = items;
    const isSingle = !isList && items.length === 1 && first !== undefined;
    // A list may also be written as JSON in one part.
    const whole = isList && items.length === 1 && Array.isArray(first?.value) ? first : undefined;
    setOwn(value, name, isSingle || whole !== undefined ? first?.value : items.map((item) => item.value));
    setOwn(forCheck, name, isSingle || whole !== undefined ? first?.checked : items.map((item) => item.checked));
  }
  return { value, forCheck, violations };
};

const byName = (parts: readonly Part[]): Map<string, Part[]> => {
  const named = new Map<string, Part[]>();
  for (const part of parts) {
    // A file that nobody chose in a form.
    if (part.kind === 'file' && part.file.name === '' && part.file.size === 0) continue;
    named.set(part.name, [...(named.get(part.name) ?? []), part]);
  }
  return named;
};

const delimiters: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' };

/** A list in one part, as a style without explode writes it. */
const divided = (parts: readonly Part[], { style, explode }: Encoding = {}): readonly Part[] => {
  const [part] = parts;
  const delimiter = delimiters[typeof style === 'string' ? style : 'form'];
  const isJoined = explode === false || (explode === undefined && style !== undefined && style !== 'form');
  if (!isJoined || part?.kind !== 'text' || parts.length > 1 || delimiter === undefined) return parts;
  return part.text.split(delimiter).map((text) => ({ ...part, text }));
};

type Reading = { readonly values: Values; readonly schemas: Schemas; readonly violations: Violation[] };
type PartValue = { readonly value: unknown; readonly checked: unknown };

const partValue = (part: Part, schema: unknown, { values, schemas, violations }: Reading): PartValue => {
  if (part.kind === 'file') return { value: part.file, checked: standIn(part.file, schema, schemas) };
  const { types } = values.outline(schema);
  const isJson = isJsonType(part.type ?? '') || types.has('object');
  if (!isJson) return both(values.fromText(part.text, schema));
  try {
    return both(JSON.parse(part.text));
  } catch {
    if (types.size === 0 || types.has('string') || types.has('array')) return both(values.fromText(part.text, schema));
    violations.push({ pointer: `/requestBody/${encodeStep(part.name)}`, message: 'is not JSON' });
    return both(part.text);
  }
};

const both = (value: unknown): PartValue => ({ value, checked: value });

/** The most characters that a text in place of a file has. */
const longestStandIn = 16 * 1024 * 1024;

/** A text in place of a file, as long as the file where the schema bounds its length. */
const standIn = ({ size }: SentFile, schema: unknown, schemas: Schemas): string => {
  const read = schemas.read(schema, 'request');
  const isBounded = isRecord(read) && ('minLength' in read || 'maxLength' in read);
  return isBounded ? 'x'.repeat(Math.min(size, longestStandIn)) : 'file';
};

/** `contentType` of an encoding is a list of types and ranges. */
const typeViolations = (part: Part, contentType: unknown): Violation[] => {
  if (typeof contentType !== 'string') return [];
  const type = part.kind === 'file' ? part.file.type : part.type;
  const sent = readMediaType(type ?? 'text/plain');
  const allowed = contentType.split(',').map((each) => each.trim());
  if (sent !== undefined && documentedType(allowed, sent) !== undefined) return [];
  // A text without a type has the default of its field.
  if (part.kind === 'text' && (type === undefined || type === 'text/plain')) return [];
  return [
    {
      pointer: `/requestBody/${encodeStep(part.name)}`,
      message: `has the media type ${type ?? 'of none'}, not ${contentType}`,
    },
  ];
};
