/** Writes a text as one word of a shell. */

/** Nothing has a meaning within single quotes (POSIX.1-2017, Shell Command Language 2.2.2). */
export const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
