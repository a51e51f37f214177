/** The file of a site with the objects of the configuration that it was imported from. */
import * as v from 'valibot';
import { jsonObject } from './schema-words.ts';

/** The objects of the configuration that the site was imported from, one a line. They decide nothing: the reads of the content model show them. */
export const exportedName = 'exported.yml';
export const exportedFile = v.strictObject({
  objects: v.array(v.strictObject({ object: v.string(), content: jsonObject })),
});
