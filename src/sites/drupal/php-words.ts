/** Reads durations and sizes in the words of PHP: `+2 hour`, `1 week`, `10 MB`. */

const seconds: Readonly<Record<string, number>> = {
  sec: 1,
  second: 1,
  min: 60,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  fortnight: 1_209_600,
  month: 2_592_000,
  year: 31_536_000,
};

/** The duration in seconds. Undefined for other words, and for one that lies in the past. */
export const durationSeconds = (text: string): number | undefined => {
  const parts = [
    ...text
      .trim()
      .toLowerCase()
      .matchAll(/([+-]?)\s*(\d+)\s*([a-z]+?)s?(?=\s|[+-]|$)\s*/g),
  ];
  const read = parts.map(([part]) => part).join('');
  if (parts.length === 0 || read.trim() !== text.trim().toLowerCase()) return undefined;
  let total = 0;
  for (const [, sign, number, word = ''] of parts) {
    const unit = seconds[word];
    if (unit === undefined) return undefined;
    total += (sign === '-' ? -1 : 1) * Number(number) * unit;
  }
  return total > 0 ? total : undefined;
};

const powers = ['', 'k', 'm', 'g', 't'];

/** Bytes as in `max_filesize`: `10 MB`, `512KB`, `2 GiB`, `100`. Undefined for nothing and for other words. */
export const sizeBytes = (text: string): number | undefined => {
  const [, number, letter = ''] = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?(?:b|bytes?)?\s*$/i.exec(text) ?? [];
  if (number === undefined) return undefined;
  const bytes = Math.round(Number(number) * 1024 ** powers.indexOf(letter.toLowerCase()));
  return bytes > 0 ? bytes : undefined;
};
