/** Writes a time by a pattern of PHP's dates. Times are those of UTC, as everywhere on a site. */
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November'],
  'December',
];

const two = (number: number): string => String(number).padStart(2, '0');

/** open: letters that no pattern of a site was seen to have, such as that of the week. */
const letters: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => String(date.getUTCFullYear()),
  y: (date) => String(date.getUTCFullYear()).slice(-2),
  m: (date) => two(date.getUTCMonth() + 1),
  n: (date) => String(date.getUTCMonth() + 1),
  F: (date) => months[date.getUTCMonth()] ?? '',
  M: (date) => (months[date.getUTCMonth()] ?? '').slice(0, 3),
  d: (date) => two(date.getUTCDate()),
  j: (date) => String(date.getUTCDate()),
  l: (date) => days[date.getUTCDay()] ?? '',
  D: (date) => (days[date.getUTCDay()] ?? '').slice(0, 3),
  H: (date) => two(date.getUTCHours()),
  G: (date) => String(date.getUTCHours()),
  i: (date) => two(date.getUTCMinutes()),
  s: (date) => two(date.getUTCSeconds()),
  U: (date) => String(Math.floor(date.getTime() / 1000)),
};

/** The formats that every site has. */
const formats: Readonly<Record<string, string>> = {
  raw: 'U',
  timestamp: 'U',
  html_date: 'Y-m-d',
  html_month: 'Y-m',
  html_year: 'Y',
  short: 'm/d/Y - H:i',
  medium: 'D, m/d/Y - H:i',
  long: 'l, F j, Y - H:i',
};

/** What a letter of a pattern stands for. Undefined for a letter that stands for nothing here. */
export const datePart = (letter: string, date: Date): string | undefined => letters[letter]?.(date);

/** `steps` is what a token says behind the time: `custom:Y`, the name of a format, or nothing. */
export const dateText = (seconds: number, [name = 'medium', ...rest]: readonly string[]): string => {
  const pattern = name === 'custom' ? rest.join(':') : formats[name];
  const date = new Date(seconds * 1000);
  return (pattern ?? '').replace(/\\(.)|([A-Za-z])/g, (_, literal: string | undefined, letter: string | undefined) =>
    letter === undefined ? (literal ?? '') : (datePart(letter, date) ?? ''),
  );
};
