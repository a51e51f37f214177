/** Knows the vocabularies of the archive, and which ones of another site are for the same. */
import type { FieldDefinition } from '../../repository/repository.ts';
import type { ArchiveTerm } from './archive.ts';
import type { SampleContext } from './sample-context.ts';

/** The vocabularies of the archive that grow, and what other sites call them. All others are lists that a site has decided. */
export const growing: Readonly<Record<string, RegExp>> = {
  corporate_body: /corporate|organi[sz]ation|agent|maker|creator/i,
  family: /famil|agent|maker|creator/i,
  geo_location: /geo|place|location/i,
  person: /person|people|agent|maker|creator|artist|author/i,
  subject: /subject|topic|keyword|^tags?$/i,
};

/** The vocabularies of the archive in which a term with this name may be, for a field of the archive. */
const vocabulariesOf: Readonly<Record<string, readonly string[]>> = {
  field_model: ['islandora_models'],
  field_resource_type: ['resource_types'],
  field_display_hints: ['islandora_display'],
  field_media_use: ['islandora_media_use'],
};

/** The term of the archive that a field of it names. */
export const archiveTerm = ({ archive }: SampleContext, field: string, name: string): ArchiveTerm | undefined =>
  (vocabulariesOf[field] ?? Object.keys(growing)).flatMap(archive.terms).find((term) => term.name === name);

/** The names of terms that the archive has for a vocabulary of the site. */
export const archiveNames = ({ archive }: SampleContext, vocabulary: string): readonly string[] =>
  Object.entries(growing)
    .filter(([id, others]) => id === vocabulary || others.test(vocabulary))
    .flatMap(([id]) => archive.terms(id).map(({ name }) => name));

/** The vocabulary in which the field may have a term of this kind: the one of the same name, or else one with a like name. */
export const vocabularyFor = (
  { site }: SampleContext,
  { target }: FieldDefinition,
  { vocabulary }: ArchiveTerm,
): string | undefined => {
  if (target?.type !== 'taxonomy_term') return undefined;
  const allowed = target.bundles ?? site.model.bundles('taxonomy_term').map(({ id }) => id);
  return allowed.find((id) => id === vocabulary) ?? allowed.find((id) => growing[vocabulary]?.test(id) === true);
};
