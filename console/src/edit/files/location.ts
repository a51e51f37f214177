/** Suggests where a new file is put. */

/** Where a new file is usually put: in a folder for the month. */
export const usualLocation = (name: string, now: Date): string =>
  `public://${now.toISOString().slice(0, 'YYYY-MM'.length)}/${name}`;

/** The part after the last dot, in lower case. */
export const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
