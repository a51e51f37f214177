/** Reads the translations that records keep next to their fields. */
import type { Entity } from '../../openapi/openapi-records.ts';

/** What no record is translated into: a language that nobody speaks. */
const unspoken: readonly string[] = ['und', 'zxx'];

/** The languages of a site whose codes begin paths. The site's own language has none. */
export const prefixLanguages = (languages: readonly string[], own: string): readonly string[] =>
  languages.filter((language) => language !== own && !unspoken.includes(language));

/** The record in a language. It is the record itself where it has no such translation, or is in this language anyway. */
export const inLanguage = (entity: Entity, language: string | undefined): Entity => {
  const translation = language === undefined ? undefined : entity.translations?.[language];
  if (language === undefined || translation === undefined) return entity;
  const source = entity.fields['langcode'] ?? [];
  return {
    ...entity,
    fields: {
      ...entity.fields,
      ...(entity.fields['content_translation_source'] === undefined ? {} : { content_translation_source: source }),
      ...translation,
      langcode: [{ value: language }],
      default_langcode: [{ value: false }],
    },
  };
};
