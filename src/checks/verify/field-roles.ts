/** Finds the fields of a site by what they are for: which one names the container, the model, the node of a media, its use. */
import type { FieldDefinition, Site } from '../../repository/repository.ts';
import { valuesIn } from './record-members.ts';

/** The names that the upload itself uses in every repository. */
const mediaOf = 'field_media_of';
const mediaUse = 'field_media_use';

export const fieldRoles = ({ model }: Pick<Site, 'model'>) => {
  const nodeBundles = model.bundles('node');
  const nodeBundle =
    nodeBundles.find((bundle) => bundle.fields.has('field_member_of') && bundle.fields.has('field_model')) ??
    nodeBundles.find((bundle) => bundle.fields.has('field_member_of')) ??
    nodeBundles[0];
  const uploadBundles = model.bundles('media').filter(({ source }) => source !== undefined && source.kind !== 'oembed');
  const vocabularies = (fields: readonly (FieldDefinition | undefined)[]): string[] => [
    ...new Set(fields.flatMap((field) => field?.target?.bundles ?? [])),
  ];
  const named = (name: string): string | undefined => (nodeBundle?.fields.has(name) === true ? name : undefined);
  return {
    /** The bundle of the nodes that a run makes. Undefined when the site has no nodes. */
    nodeBundle,
    /** A field of `nodeBundle` that names the node which this one is a part of, and one that names the term of its kind. */
    ...{ memberOf: named('field_member_of'), model: named('field_model') },
    /** The vocabularies of the models, and of the uses of media. */
    modelVocabularies: vocabularies([nodeBundle?.fields.get('field_model')]),
    useVocabularies: vocabularies(uploadBundles.map(({ fields }) => fields.get(mediaUse))),
    ...{ mediaOf, mediaUse },
    /** The media bundles whose source is a file, and the field with the file of a media. */
    uploadBundles,
    sourceField: (mediaBundle: string): string | undefined => model.bundle('media', mediaBundle)?.source?.field,
  };
};

export type FieldRoles = ReturnType<typeof fieldRoles>;

/** The ids that a field of a record refers to. */
export const targetsIn = (record: unknown, field: string | undefined): readonly number[] =>
  valuesIn(record, field ?? '', 'target_id').filter((id) => typeof id === 'number');
