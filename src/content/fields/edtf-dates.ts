/** Whether a text is an Extended Date/Time Format date (ISO 8601-2:2019). The parser is loaded when first needed. */
type Parse = (text: string, options?: { level?: 0 | 1 | 2 | 3 }) => unknown;
let parse: Parse | undefined;

/** Makes `isEdtf` usable. A decision may not wait, so whoever decides on dates calls this beforehand. */
export const loadEdtf = async (): Promise<void> => {
  parse ??= (await import('edtf')).parse;
};

/** Level 2, as the reference's field accepts: uncertain, unspecified, intervals, seasons, sets. */
export const isEdtf = (text: string): boolean => {
  if (parse === undefined) throw new Error('isEdtf was asked before loadEdtf');
  try {
    parse(text, { level: 2 });
    return true;
  } catch {
    return false;
  }
};
