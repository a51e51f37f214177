/** Checks Extended Date/Time Format dates (ISO 8601-2:2019). The parser is loaded when it is first needed. */
import type * as Edtf from 'edtf';
import { lazyModule } from '../../model/lazy-module.ts';

const loadLibrary = lazyModule(() => import('edtf'), 'parse');

let parse: typeof Edtf.parse | undefined;

/** Loads the parser. Call it before a decision that uses `isEdtf`, because a decision cannot wait. */
export const loadEdtf = async (): Promise<void> => {
  parse ??= (await loadLibrary()).parse;
};

/** Accepts level 2, as the real site's field does: uncertain, unspecified, intervals, seasons, sets. */
export const isEdtf = (text: string): boolean => {
  if (parse === undefined) throw new Error('Call loadEdtf before isEdtf.');
  try {
    parse(text, { level: 2 });
    return true;
  } catch {
    return false;
  }
};
