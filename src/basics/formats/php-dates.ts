/** Reads a time by the pattern that a client sends with it, such as `d.m.Y`. The patterns are those of PHP's dates. */

type Part = 'year' | 'shortYear' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'unix' | 'zone';
type Parts = Partial<Record<Part, string>>;

/** What each letter of a pattern reads. open: names of months and days, and hours of half a day. */
const letters: Readonly<Record<string, readonly [part: Part, shape: RegExp]>> = {
  Y: ['year', /\d{1,4}/y],
  y: ['shortYear', /\d{2}/y],
  m: ['month', /\d{1,2}/y],
  n: ['month', /\d{1,2}/y],
  d: ['day', /\d{1,2}/y],
  j: ['day', /\d{1,2}/y],
  H: ['hour', /\d{1,2}/y],
  G: ['hour', /\d{1,2}/y],
  i: ['minute', /\d{2}/y],
  s: ['second', /\d{2}/y],
  U: ['unix', /[+-]?\d{1,15}/y],
  P: ['zone', /Z|[+-]\d{2}:?\d{2}/y],
  p: ['zone', /Z|[+-]\d{2}:?\d{2}/y],
  O: ['zone', /Z|[+-]\d{2}:?\d{2}/y],
};

/** Cuts a text into the parts that the pattern names. Undefined when it has another shape. */
const partsOf = (pattern: string, text: string): Parts | undefined => {
  const parts: Parts = {};
  let position = 0;
  for (const [step] of pattern.matchAll(/\\.|[^]/g)) {
    const [part, shape] = letters[step] ?? [];
    if (part === undefined || shape === undefined) {
      // A backslash makes a letter stand for itself. Other letters would be something that is not read here.
      const literal = step.length === 2 ? step[1] : /[A-Za-z]/.test(step) ? undefined : step;
      if (literal === undefined || text[position] !== literal) return undefined;
      position += 1;
      continue;
    }
    shape.lastIndex = position;
    const [found] = shape.exec(text) ?? [];
    if (found === undefined) return undefined;
    parts[part] = found;
    position += found.length;
  }
  return position === text.length ? parts : undefined;
};

/** Minutes east of Greenwich. */
const offsetOf = (zone: string): number => {
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
};

/**
 * Seconds since 1970. What the pattern leaves out is taken from `now`: the date, and the time of day if no part of it is given.
 * Undefined for a text of another shape and for a day or time that does not exist.
 */
export const parseByPattern = (pattern: string, text: string, now: number): number | undefined => {
  const parts = partsOf(pattern, text);
  if (parts === undefined) return undefined;
  if (parts.unix !== undefined) return Number(parts.unix);
  const present = new Date(now * 1000);
  const shortYear =
    parts.shortYear === undefined ? undefined : Number(parts.shortYear) + (Number(parts.shortYear) < 70 ? 2000 : 1900);
  const hasTime = parts.hour !== undefined || parts.minute !== undefined || parts.second !== undefined;
  const timePart = (part: Part, current: number): number => Number(parts[part] ?? (hasTime ? 0 : current));
  const date = [
    Number(parts.year ?? shortYear ?? present.getUTCFullYear()),
    Number(parts.month ?? present.getUTCMonth() + 1) - 1,
    Number(parts.day ?? present.getUTCDate()),
  ] as const;
  const time = [
    timePart('hour', present.getUTCHours()),
    timePart('minute', present.getUTCMinutes()),
    timePart('second', present.getUTCSeconds()),
  ] as const;
  const read = new Date(0);
  read.setUTCFullYear(...date);
  read.setUTCHours(...time);
  // An overflow would move other parts: the 31st of April becomes the 1st of May.
  const isSame = [
    read.getUTCMonth(),
    read.getUTCDate(),
    read.getUTCHours(),
    read.getUTCMinutes(),
    read.getUTCSeconds(),
  ];
  if (isSame.join() !== [date[1], date[2], ...time].join()) return undefined;
  return read.getTime() / 1000 - offsetOf(parts.zone ?? '') * 60;
};
