/** Reads JSON that somebody has written, and chooses what a table shows of records. */

type ReadJson = { readonly value: unknown; readonly fault?: undefined } | { readonly fault: string };

/** The value of a text, or what is wrong with it in the words of the browser. */
export const readJson = (text: string): ReadJson => {
  if (text.trim() === '') return { fault: 'Write a JSON value, such as {}.' };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
};

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2);

/** As many members of a record are columns. */
const mostColumns = 4;

/** The first members that the records have, without that of the id, which has a column of its own. */
export const columnsOf = (values: readonly unknown[], idMember: string | null): readonly string[] => {
  const names = new Set(values.flatMap((value) => (isObject(value) ? Object.keys(value) : [])));
  return [...names].filter((name) => name !== idMember).slice(0, mostColumns);
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** So many characters of a value are shown in a table. */
const shownCharacters = 80;

/** A text as it is, another value as JSON; the beginning of a long one. */
const shortText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)} …` : text;
};

/** What a column shows of a record. Empty where the record lacks the member. Without a name: the whole value. */
export const cellText = (value: unknown, name: string | undefined): string => {
  if (name === undefined) return shortText(value);
  return isObject(value) && Object.hasOwn(value, name) ? shortText(value[name]) : '';
};
