/**
 * Judges dates in the Extended Date/Time Format as the real site's field does. Its rules are not those of ISO 8601-2:
 * a day must lie in 1 to 31 but need not exist in its month, and an interval may have more than two ends.
 */

/** Any part of a date may be marked as uncertain, approximate or both. */
const mark = '[%?~]?';
const twoDigits = '[\\dX]{2}';
const datePattern = new RegExp(
  [
    `^${mark}(?<long>Y)?(?<year>-?[\\dX]+)(?:E(?<exponent>\\d))?(?:S\\d)?${mark}`,
    `${mark}(?<month>${twoDigits})?${mark}`,
    `${mark}(?<day>${twoDigits})?(?<dayMark>[%?~])?$`,
  ].join('-?'),
);

type DateParts = {
  /** The year begins with `Y`, so it may have any number of digits. */
  readonly isLong: boolean;
  readonly year: string;
  readonly exponent: string | undefined;
  readonly month: string;
  readonly day: string;
  readonly isMarkedAtEnd: boolean;
};

/** The parts of a date without a time. Undefined for a text that has another shape. */
const partsOf = (date: string): DateParts | undefined => {
  const parts = datePattern.exec(date)?.groups;
  if (parts === undefined) return undefined;
  const { long, year = '', exponent, month = '', day = '', dayMark } = parts;
  return { isLong: long !== undefined, year, exponent, month, day, isMarkedAtEnd: dayMark !== undefined };
};

/** The month that a part of a year begins with. 21 to 24 are seasons; the others name hemisphere, quarter or half. */
const firstMonths: Readonly<Record<string, string>> = {
  ...{ 21: '03', 22: '06', 23: '09', 24: '12' },
  ...{ 25: '03', 26: '06', 27: '09', 28: '12' },
  ...{ 29: '09', 30: '12', 31: '03', 32: '06' },
  ...{ 33: '01', 34: '04', 35: '07', 36: '10' },
  ...{ 37: '01', 38: '05', 39: '09' },
  ...{ 40: '01', 41: '07' },
};

const yearFault = ({ isLong, year }: DateParts): string | undefined => {
  if (isLong) return undefined;
  if (year.replace(/^-/, '').length > 4) return "Years longer than 4 digits must be prefixed with a 'Y'.";
  // The minus sign counts, so the real site accepts -215.
  return year.length < 4 ? 'Years must be at least 4 characters long.' : undefined;
};

const monthFault = ({ month, day, isMarkedAtEnd }: DateParts): string | undefined => {
  if (month === '') return undefined;
  const isPartOfYear = month in firstMonths;
  const isValid = isPartOfYear
    ? day === '' && !isMarkedAtEnd
    : !/^X\d/.test(month) && Number(month.replaceAll('X', '1')) <= 12;
  return isValid ? undefined : `Provided month value '${month}' is not valid.`;
};

const dayFault = ({ day }: DateParts): string | undefined =>
  day === '' || day.includes('X') || (Number(day) >= 1 && Number(day) <= 31)
    ? undefined
    : `Provided day value '${day}' is not valid.`;

/** Hours, minutes and seconds are all there, and the time zone is `Z` or has hours and minutes. */
const dateTimePattern = /^-?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)?\n?$/;

const timeFault = (text: string, time: string | undefined): string | undefined => {
  if (time === undefined) return undefined;
  if (isEmpty(time)) return 'Time not provided with time seperator (T).';
  return dateTimePattern.test(text) ? undefined : `The date/time '${text}' is invalid.`;
};

/** What PHP calls empty. */
const isEmpty = (text: string): boolean => text === '' || text === '0';

const dateFaults = (text: string): readonly string[] => {
  const [date = '', time] = text.split('T');
  const parts = partsOf(date);
  if (parts === undefined) return [`Could not parse the date '${date}'.`];
  return [yearFault(parts), monthFault(parts), dayFault(parts), timeFault(text, time)].filter(
    (fault) => fault !== undefined,
  );
};

const setPattern = /^[[{][\d\-XYES.,]+[\]}]\n?$/;

/** The dates of a set. */
const membersOf = (set: string): readonly string[] => withoutBrackets(set).split(/,|\.\./);
const withoutBrackets = (text: string): string => text.replace(/^[[\]{}]+|[[\]{}]+$/g, '');

/** What the real site says is wrong with a text, in its words and order: nothing about a good one. */
export const edtfFaults = (text: string): readonly string[] => {
  if (isEmpty(text)) return ['Cannot parse empty value.'];
  if (/[[{]/.test(text)) {
    if (!setPattern.test(text)) return ['The set is improperly encoded.'];
    return membersOf(text).flatMap((date) => (isEmpty(date) ? [] : dateFaults(date)));
  }
  if (!text.includes('/')) return dateFaults(text);
  const ends = text.split('/').flatMap((date) => (isEmpty(date) || date === '..' ? [] : dateFaults(date)));
  return text.includes('T') ? ['Date intervals cannot include times.', ...ends] : ends;
};

/**
 * The date that the real site writes for a text in linked data: the first of an interval or set, without marks and time,
 * with the first month of a season. Unknown digits become 0, an unknown month or day becomes 01. Empty for a text
 * without a first date, and for one that `edtfFaults` refuses.
 */
export const plainDate = (text: string): string => {
  const first = withoutBrackets(text).split(/,|\.\.|\//)[0] ?? '';
  if (edtfFaults(first).length > 0) return '';
  const [date = '', time = ''] = first.split('T');
  const parts = partsOf(date);
  // A date with a time has no marks and no unknown digits.
  if (parts === undefined || !isEmpty(time)) return date;
  const month = knownDigits(parts.month);
  return [knownYear(parts), firstMonths[month] ?? month, knownDigits(parts.day)]
    .filter((part) => !isEmpty(part))
    .join('-');
};

const knownDigits = (part: string): string => part.replace('XX', '01').replaceAll('X', '0');

/** `2E5` is 200000. PHP reads the digits before the first unknown one as the number. */
const knownYear = ({ year, exponent }: DateParts): string =>
  exponent === undefined
    ? year.replaceAll('X', '0')
    : String(Number(/^-?\d+/.exec(year)?.[0] ?? 0) * 10 ** Number(exponent));
