/** Says times, dates, languages and sizes in words. */
import { markup, type Markup } from './page-markup.ts';

const timeWords = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const dateWords = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const languageWords = new Intl.DisplayNames('en', { type: 'language' });

/** A moment as ISO 8601, in UTC. A text that is not a moment is shown as it is. */
export const shownTime = (text: string): Markup => {
  const time = Date.parse(text);
  if (Number.isNaN(time)) return markup`${text}`;
  return markup`<time datetime="${new Date(time).toISOString()}">${timeWords.format(time)} UTC</time>`;
};

/** A day, or a moment. */
export const shownDate = (text: string): Markup => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return shownTime(text);
  const time = Date.parse(text);
  return Number.isNaN(time) ? markup`${text}` : markup`<time datetime="${text}">${dateWords.format(time)}</time>`;
};

/** The name of a language in English. */
export const languageName = (code: string): string => {
  if (code === 'und') return 'not specified';
  if (code === 'zxx') return 'not applicable';
  try {
    return languageWords.of(code) ?? code;
  } catch {
    return code;
  }
};

export const shownLanguage = (code: string): Markup => markup`${languageName(code)} (${code})`;

/** A number of bytes, such as `1.2 MiB`. */
export const shownSize = (bytes: number): string => {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, bytes < 1024 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const number = bytes / 1024 ** power;
  return `${power === 0 ? bytes : number.toFixed(1)} ${units[power] ?? ''}`;
};
