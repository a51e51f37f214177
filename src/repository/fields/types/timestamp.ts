/** Moments as seconds since 1970, and as `2019-03-01T19:43:12+00:00` on the wire: those that clients set, and that of the last change. */
import { shownTime } from '../../markup/words.ts';
import { parseByPattern } from '../../../basics/formats/php-dates.ts';
import { type FieldType, shapes } from '../field-type.ts';
import { typed } from '../graph-values.ts';
import { integer } from '../rules.ts';
import { isMissing, quotedInput, scalarText } from '../values.ts';
import { textOf } from '../../../openapi/openapi-records.ts';
import { unprocessable } from '../../../openapi/openapi-terms.ts';
import type { JsonObject } from '../../../basics/json.ts';

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

export const sameTime: NonNullable<FieldType['reasonOfChange']> = ({ sent, stored }) =>
  parseTimestamp(sent) !== undefined && parseTimestamp(sent) === parseTimestamp(stored)
    ? 'A time is stored in whole seconds and shown in UTC.'
    : undefined;

export const timestamp: FieldType = {
  name: 'timestamp',
  main: 'value',
  properties: ['value'],
  ignored: ['format'],
  // The empty text is a wrong value.
  isEmpty: ({ value }) => isMissing(value),
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
  rules: { value: [integer] },
  reasonOfChange: sameTime,
  json: ({ value }) =>
    typeof value === 'number' ? { value: formatTimestamp(value), format: timestampPattern } : { value: value ?? null },
  jsonld: ({ value }) => (typeof value === 'number' ? [typed(formatTimestamp(value), 'dateTime')] : []),
  page: ({ value }) => shownTime(textOf(value ?? '')),
  sample: (_field, draw) => ({ value: formatTimestamp(draw.now - draw.below(3650) * 86_400) }),
  form: () => [{ property: 'value', label: 'Time', input: 'moment', hint: 'In UTC.' }],
  trials: () => ({ refused: ['yesterday', '2020-13-01T00:00:00+00:00', '2020-01-02'].map((value) => ({ value })) }),
  schema: shapes('DatetimeItem', 'DatetimeInput'),
  widget: 'datetime_timestamp',
};

export const changed: FieldType = { ...timestamp, name: 'changed', isOfBase: true };
