/** Finds the media that use a file. The index finds more than these; the model of the site decides. */
import { oncePerBundle, type Model } from '../model/bundle.ts';
import { targetIds, type Entity } from '../model/entity.ts';

/** Those of the found media that have a field which refers to the file. A thumbnail is not a use. */
export const mediaUsing = (found: readonly Entity[], file: number, model: Model): readonly Entity[] =>
  found.every((media) => uses(media, file, model)) ? found : found.filter((media) => uses(media, file, model));

const uses = (media: Entity, file: number, model: Model): boolean => {
  const bundle = model.bundle('media', media.bundle);
  return bundle !== undefined && fileFieldsOf(bundle).some((name) => targetIds(media, name).includes(file));
};

const fileFieldsOf = oncePerBundle((bundle): readonly string[] =>
  [...bundle.fields.values()].flatMap(({ name, target }) =>
    target?.type === 'file' && name !== 'thumbnail' ? [name] : [],
  ),
);
