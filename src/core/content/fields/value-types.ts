/** Defines the field types that hold values: text, numbers, dates, languages, links, lists of values to choose from, with the rules of numbers. Times are seconds since 1970 in records, `2019-03-01T19:43:12+00:00` on the wire. */
import { type FieldItem, type Json, type JsonObject, textOf } from '../../model/entity.ts';
import { unprocessable } from '../../problem.ts';
import { parseByPattern } from './date-formats.ts';
import {
  type FieldType,
  isMissing,
  isScalar,
  type ItemRule,
  numberIfDigits,
  type PropertyRule,
  quotedInput,
  readBoolean,
  scalarText,
  wrongPrimitive,
} from './field-type.ts';
import type { FieldDefinition } from '../../model/bundle.ts';

/** The pattern next to every time in JSON. */
export const timestampPattern = 'Y-m-d\\TH:i:sP';

/** Seconds since 1970 in the contract's pattern, always in UTC. */
export const formatTimestamp = (seconds: number): string => {
  if (seconds !== lastFormatted.seconds) {
    lastFormatted = { seconds, text: `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00` };
  }
  return lastFormatted.text;
};

/** A record often has the same time in several fields, one after the other. */
let lastFormatted = { seconds: Number.NaN, text: '' };

/** The first and the last second that the pattern can show: years 0001 to 9999. */
const earliest = -62_135_596_800;
const latest = 253_402_300_799;

/** PHP also reads a month, a day and an hour of one digit, a small z and a zone such as ` +1`. open: names of zones. */
const iso8601 =
  /^(\d{4})-(\d{1,2})-(\d{1,2})T(\d{1,2})(:\d{2}:\d{2})[ \t]*(?:[Zz]|([+-])([01]?\d|2[0-3])(?::?([0-5]\d))?)$/;

/** Seconds since 1970 from a UNIX time (number or digits), ISO 8601 or RFC 3339. Undefined for other values. */
export const parseTimestamp = (value: unknown): number | undefined => {
  const seconds = typeof value === 'number' ? value : typeof value === 'string' ? parseText(value) : undefined;
  return seconds !== undefined && Number.isInteger(seconds) && seconds >= earliest && seconds <= latest
    ? seconds
    : undefined;
};

const parseText = (text: string): number | undefined => {
  if (/^[+-]?\d{1,15}$/.test(text)) return Number(text);
  const [, year, month = '', day = '', hour = '', rest, sign, hours = 0, minutes = 0] = iso8601.exec(text) ?? [];
  if (year === undefined || rest === undefined) return undefined;
  const local = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${hour.padStart(2, '0')}${rest}`;
  const milliseconds = Date.parse(`${local}Z`);
  // Date.parse reads the 31st of February as the 3rd of March. PHP's strict parser refuses it, and so does this one.
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString().slice(0, 19) !== local) return undefined;
  const offset = Number(hours) * 3600 + Number(minutes) * 60;
  return milliseconds / 1000 - (sign === '-' ? -offset : offset);
};

/** Whether a property has no value. */
export const isUnset = (value: Json | undefined): value is null | undefined => value === undefined || value === null;
const isUnsetOrEmptyText = (value: Json | undefined): boolean => isUnset(value) || value === '';

/** The properties of a type whose items have a `value` and nothing else. */
const valueOnly = { main: 'value', properties: ['value'] } as const;

export const textType: FieldType = {
  ...valueOnly,
  isEmpty: ({ value }) => isUnsetOrEmptyText(value),
  store: ({ value }) => ({ value: scalarText(value) }),
};

/** A date whose value is null is a wrong date, like the empty text. Null in place of an item is nothing. */
export const edtfType: FieldType = {
  ...textType,
  read: ({ sent, kept }) => (sent !== null && kept['value'] === null ? { value: '' } : kept),
};

export const formattedTextType: FieldType = {
  main: 'value',
  properties: ['value', 'format'],
  computed: ['processed'],
  isEmpty: textType.isEmpty,
  store: ({ value, format }) => ({ value: scalarText(value), format: scalarOrNull(format) }),
};

const scalarOrNull = (value: Json | undefined): string | null => (isScalar(value) ? scalarText(value) : null);

export const integerType: FieldType = {
  ...valueOnly,
  // PHP takes these for no number at all.
  isEmpty: ({ value }) => isUnsetOrEmptyText(value) || value === false,
  store: ({ value }) => ({ value: numberIfDigits(value) }),
};

/** An item of these types is filled as soon as its value is not null: the empty text is a wrong value. */
const isUnsetItem = ({ value }: FieldItem): boolean => isUnset(value);

export const booleanType: FieldType = {
  ...valueOnly,
  isEmpty: isUnsetItem,
  store: ({ value = null }) => ({ value: readBoolean(value) ?? value }),
};

export const timestampType: FieldType = {
  ...valueOnly,
  isEmpty: isUnsetItem,
  read: ({ sent, kept: { value } }, { name }, { now }) => {
    if (typeof sent !== 'object' || sent === null || (typeof value !== 'string' && typeof value !== 'number')) {
      // The real site answers 500 here.
      throw unprocessable(`A value of "${name}" must be an object with a time in "value".`);
    }
    const { format } = sent as JsonObject; // it has a value, so it is not a list
    const pattern = typeof format === 'string' && !['', '0'].includes(format) ? format : undefined;
    const seconds = pattern === undefined ? parseTimestamp(value) : parseByPattern(pattern, scalarText(value), now);
    if (seconds !== undefined) return { value: seconds };
    const accepted =
      pattern === undefined
        ? '"U" (UNIX timestamp), "Y-m-d\\TH:i:sO" (ISO 8601), "Y-m-d\\TH:i:sP" (RFC 3339)'
        : `"${pattern.slice(0, 200)}" (0)`;
    throw unprocessable(`The specified date "${quotedInput(value)}" is not in an accepted format: ${accepted}.`);
  },
  store: (item) => item,
};

export const uuidType: FieldType = {
  ...textType,
  store: ({ value }) => ({ value: scalarText(value).toLowerCase() }),
};

export const languageType: FieldType = {
  ...valueOnly,
  isEmpty: isUnsetItem,
  store: (item) => item,
};

export const linkType: FieldType = {
  main: 'uri',
  properties: ['uri', 'title', 'options'],
  isEmpty: ({ uri }) => isUnsetOrEmptyText(uri),
  store: ({ uri, title, options }) => ({
    uri: textOf(uri),
    title: scalarOrNull(title),
    options: typeof options === 'object' && options !== null ? options : [],
  }),
};

const dayFormats = '"Y-m-d" (date-only)';
const timeFormats = '"Y-m-d\\TH:i:sP" (RFC 3339), "Y-m-d\\TH:i:sO" (ISO 8601)';

/** The day or time as it is kept: `2020-02-03` or `2020-02-03T04:05:06`. */
const readDate = (sent: string, isDay: boolean): string | undefined => {
  const seconds = isDay ? parseByPattern('Y-m-d', sent, 0) : sent.includes('T') ? parseTimestamp(sent) : undefined;
  return seconds === undefined ? undefined : formatTimestamp(seconds).slice(0, isDay ? 10 : 19);
};

export const dateType: FieldType = {
  ...textType,
  read: ({ kept }, { dateOnly = false }) => {
    const { value } = kept;
    // Validation refuses anything but a text.
    if (typeof value !== 'string' && typeof value !== 'number') return kept;
    const date = readDate(String(value), dateOnly);
    if (date !== undefined) return { value: date };
    const formats = dateOnly ? dayFormats : timeFormats;
    throw unprocessable(`The specified date "${quotedInput(value)}" is not in an accepted format: ${formats}.`);
  },
  store: (item) => item,
};

/** Whether PHP takes the value for a number. What is infinite as one, such as `1e400`, no answer could show. */
const isNumeric = (value: Json): boolean =>
  (typeof value === 'number' ||
    (typeof value === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value))) &&
  Number.isFinite(Number(value));

/** Whether the real site takes the text for a decimal. */
const isDecimal = (value: string): boolean => /^[+-]?(\d+(\.\d*)?|\.\d+)\n?$/.test(value);

/** A decimal is kept as text, with the digits after the point that the field has. */
export const decimalType: FieldType = {
  ...integerType,
  read: ({ kept }, { scale = 2 }) => {
    const { value } = kept;
    const isRounded = isScalar(value) && isDecimal(scalarText(value)) && Math.abs(Number(scalarText(value))) < 1e21;
    return isRounded ? { value: roundedText(Number(scalarText(value)), scale) } : kept;
  },
  store: ({ value }) => ({ value: value ?? null }),
};

/** PHP has no negative zero after rounding. */
const roundedText = (value: number, scale: number): string => {
  const rounded = value.toFixed(scale);
  return Number(rounded) === 0 ? (0).toFixed(scale) : rounded;
};

/** A number where the value is one, else the value. */
export const numberIfNumeric = (value: Json | undefined): Json =>
  value !== undefined && value !== null && isNumeric(value) ? Number(value) : (value ?? null);

export const floatType: FieldType = {
  ...integerType,
  store: ({ value }) => ({ value: value === true ? 1 : numberIfNumeric(value) }),
};

/** What PHP calls empty, but not 0. */
const isNothing = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length === 0
    : value === undefined || value === null || value === false || value === '';

export const listTextType: FieldType = { ...textType, isEmpty: ({ value }) => isNothing(value) };

export const listIntegerType: FieldType = {
  ...integerType,
  isEmpty: ({ value }) => isNothing(value),
  store: ({ value }) => ({ value: numberIfDigits(value) }),
};

/** A bound of a number, and what the real site says beyond it. A value that is not a number breaks each bound. */
const bound =
  (fault: (value: number, field: FieldDefinition) => string | undefined): ItemRule =>
  ({ value }, field) => {
    if (isMissing(value)) return [];
    const message = isNumeric(value) ? fault(Number(value), field) : 'This value should be a valid number.';
    return message === undefined ? [] : [{ property: 'value', message }];
  };

/** A bound counts only where the field has it. */
const where =
  (has: (field: FieldDefinition) => boolean, rule: ItemRule): ItemRule =>
  (item, field, ...others) =>
    has(field) ? rule(item, field, ...others) : [];

const tooSmall = (label: string, min: number): string => `${label}: the value may be no less than ${min}.`;
const tooLarge = (label: string, max: number): string => `${label}: the value may be no greater than ${max}.`;

const smallest = where(
  ({ min }) => min !== undefined,
  bound((value, { label, min = -Infinity }) => (value < min ? tooSmall(label, min) : undefined)),
);
const largest = where(
  ({ max }) => max !== undefined,
  bound((value, { label, max = Infinity }) => (value > max ? tooLarge(label, max) : undefined)),
);
const notNegative = where(
  ({ unsigned }) => unsigned === true,
  bound((value, { label }) => (value < 0 ? `${label}: The integer must be larger or equal to 0.` : undefined)),
);

/** A power of ten or `.5` is a number, but only the second is a decimal. */
const decimalText: ItemRule = ({ value }) =>
  isScalar(value) && !isDecimal(scalarText(value))
    ? [{ property: 'value', message: isNumeric(value ?? null) ? 'This value is not valid.' : wrongPrimitive }]
    : [];

/** The width of the database column, which a real site with MySQL answers with 500. */
const decimalDigits: ItemRule = ({ value }, { label, precision = 10, scale = 2 }) => {
  const most = Number(`${'9'.repeat(precision - scale) || '0'}.${'9'.repeat(scale)}`);
  const number = isScalar(value) && isDecimal(scalarText(value)) ? Number(scalarText(value)) : 0;
  if (Math.abs(number) <= most) return [];
  return [{ property: 'value', message: number < 0 ? tooSmall(label, -most) : tooLarge(label, most) }];
};

export const integerRules: readonly ItemRule[] = [smallest, largest, notNegative];
export const floatRules: readonly ItemRule[] = [smallest, largest];
export const decimalRules: readonly ItemRule[] = [smallest, largest, decimalText, decimalDigits];

export const float: PropertyRule = (value: Json) => (value === true || isNumeric(value) ? undefined : wrongPrimitive);
