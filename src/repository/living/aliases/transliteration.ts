/** Writes texts of other scripts in ASCII. The tables are loaded for sites whose aliases are written so. */
import { lazyModule } from '../../../basics/lazy-module.ts';
import { withOwnLetters } from './letters.ts';

type Transliterate = (text: string) => string;

const load = lazyModule(() => import('transliteration'), 'transliterate');

let loaded: Transliterate | undefined;

/** Once it resolves, `transliterated` knows other scripts. */
export const loadTransliteration = async (): Promise<void> => {
  const { transliterate } = await load();
  loaded = (text) => transliterate(withOwnLetters(text), { unknown: '?', fixChineseSpacing: false });
};

/** An unknown character is a question mark. */
export const transliterated: Transliterate = (text) => {
  if (/^[\p{ASCII}]*$/u.test(text)) return text;
  if (loaded === undefined) throw new Error('The tables of other scripts are not loaded.');
  return loaded(text);
};
