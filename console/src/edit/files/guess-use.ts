/** Guesses which use a file has for an object, from its name and from the media that the object has. */
import type { EntitySummary } from '../../api/queries.ts';

/** What names of files say, and the terms that it means. */
const said: readonly (readonly [name: RegExp, use: RegExp])[] = [
  [/thumb|[-_ ]tn\b/i, /thumbnail/i],
  [/service|derivative/i, /service/i],
  [/transcri/i, /transcript/i],
  [/ocr|extracted/i, /extracted/i],
  [/preserv|master/i, /preservation/i],
];

/** The uses in the order in which an object gets its files. */
const usual: readonly RegExp[] = [/original/i, /service/i, /intermediate/i, /preservation/i];

/** The term that no media of the object has yet, as far as there is one that fits. `media` have the labels of their uses as model. */
export const guessedUse = (
  name: string,
  terms: readonly EntitySummary[],
  media: readonly EntitySummary[],
): EntitySummary | undefined => {
  const used = new Set(media.map(({ model }) => model));
  const free = terms.filter(({ title }) => !used.has(title));
  const wanted = [...said.filter(([known]) => known.test(name)).map(([, use]) => use), ...usual];
  return wanted.flatMap((use) => free.find(({ title }) => use.test(title)) ?? [])[0] ?? free[0];
};
