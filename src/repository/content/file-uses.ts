/** Finds the media that use a file. The index finds more than these; the model of the site decides. */
import { oncePerBundle, type Model } from '../model/bundle.ts';
import { targetIds } from '../model/entity.ts';
import type { Entity, FieldName } from '../../openapi/openapi-records.ts';

/** Those of the found media that have a field which refers to the file. A thumbnail is not a use. */
export const mediaUsing = (found: readonly Entity[], file: number, model: Model): readonly Entity[] =>
  found.every((media) => uses(media, file, model)) ? found : found.filter((media) => uses(media, file, model));

const uses = (media: Entity, file: number, model: Model): boolean => {
  const bundle = model.bundle('media', media.bundle);
  return (
    bundle !== undefined &&
    fileFieldsOf(bundle).some((name) => name !== 'thumbnail' && targetIds(media, name).includes(file))
  );
};

/** The names of the fields that refer to files. Every write asks for them. */
export const fileFieldsOf = oncePerBundle((bundle): readonly FieldName[] =>
  [...bundle.fields.values()].filter(({ target }) => target?.type === 'file').map(({ name }) => name),
);
