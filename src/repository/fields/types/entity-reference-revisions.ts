/** References to a revision of a record, mostly of a paragraph, which has no records here. */
import type { FieldDefinition } from '../../model/bundle.ts';
import { markup } from '../../markup/page-markup.ts';
import { type FieldType, shapes } from '../field-type.ts';
import type { ItemRule } from '../rule.ts';
import { integer, text } from '../rules.ts';
import { isMissing, numberIfDigits } from '../values.ts';
import { entityReference, jsonWith, referencePart, shownTarget } from './entity-reference.ts';
import { textOf } from '../../../openapi/openapi-records.ts';

/** What a target is that has no records here, as the configuration of the site names it. */
const foreignTarget = ({ shown }: FieldDefinition): string => textOf(shown?.storageSettings?.['target_type'] ?? '');

/** Clients name the revision, too. A target without records here is not looked for. */
const hasRevision: ItemRule = ({ target_id: id, target_revision_id: revision }) =>
  isMissing(id) || !isMissing(revision)
    ? []
    : [{ property: 'target_revision_id', message: 'This value should not be null.' }];

/** open: whether the revision is one of the target. */
export const entityReferenceRevisions: FieldType = {
  ...entityReference,
  name: 'entity_reference_revisions',
  refers: 'with-revision',
  properties: ['target_id', 'target_revision_id', 'target_uuid'],
  ignored: ['target_type', 'url'],
  read: (received, field, context) =>
    field.target === undefined ? received.kept : entityReference.read(received, field, context),
  store: ({ target_id: id, target_revision_id: revision, target_uuid: uuid }) => ({
    ...{ target_id: numberIfDigits(id), target_revision_id: numberIfDigits(revision) },
    ...(isMissing(uuid) ? {} : { target_uuid: uuid }),
  }),
  item: [hasRevision],
  rules: { ...entityReference.rules, target_revision_id: [integer], target_uuid: [text] },
  json: (item, context, field) => {
    if (field.target !== undefined) return jsonWith('target_revision_id')(item, context, field);
    const { target_id: id = null, target_revision_id: revision = null, target_uuid: uuid } = item;
    const [own, type] = [{ target_id: id, target_revision_id: revision }, foreignTarget(field)];
    return { ...own, ...(type === '' ? {} : { target_type: type }), ...(isMissing(uuid) ? {} : { target_uuid: uuid }) };
  },
  page: (item, context, field) =>
    field.target === undefined
      ? markup`${foreignTarget(field)} ${textOf(item['target_id'] ?? '')}`
      : shownTarget(item, context, field),
  sample: ({ target }, draw) => {
    const revision = { target_revision_id: 1 + draw.below(1000) };
    return target === undefined ? { target_id: revision.target_revision_id, ...revision } : revision;
  },
  form: () => [referencePart, { property: 'target_revision_id', label: 'Revision', as: 'number' }],
  schema: shapes('RevisionReference', 'RevisionReferenceInput'),
  module: 'entity_reference_revisions',
  widget: 'entity_reference_revisions_autocomplete',
  settings: (field) => (field.target === undefined ? {} : entityReference.settings(field)),
  storageSettings: (field) => (field.target === undefined ? {} : entityReference.storageSettings(field)),
};
