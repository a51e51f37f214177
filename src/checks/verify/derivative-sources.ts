/** Tells of which media a site makes derivatives by itself: an upload with such a use is followed by media that no check has made. */
import * as v from 'valibot';
import type { Site } from '../../repository/repository.ts';

/** What the official starter site makes derivatives of, and with it nearly every site whose configuration is not known. */
const usual = ['http://pcdm.org/use#OriginalFile'];

const actionsSchema = v.looseObject({
  actions: v.optional(v.record(v.string(), v.looseObject({ source_term_uri: v.optional(v.string()) })), {}),
});

/** The addresses of the uses of media that derivatives are made of, by the site's files. `isDrupal`: the target is a real site. */
export const derivativeSources = ({ living }: Pick<Site, 'living'>, isDrupal: boolean): readonly string[] => {
  if (living.derivatives === undefined) return isDrupal ? usual : [];
  const { success, output } = v.safeParse(actionsSchema, living.derivatives);
  if (!success) return usual;
  return [...new Set(Object.values(output.actions).flatMap(({ source_term_uri: uri }) => uri ?? []))];
};
