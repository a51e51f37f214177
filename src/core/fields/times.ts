/** Reads and writes times: seconds since 1970 in records, `2019-03-01T19:43:12+00:00` on the wire. */
import type { Draw } from './field-type.ts';

/** A day of the last two centuries, `1893-04-17`. */
export const drawnDay = (draw: Draw): string =>
  new Date(Date.UTC(1800 + draw.below(220), draw.below(12), 1 + draw.below(28))).toISOString().slice(0, 10);

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
