/** References with the role that the target plays, such as author or part. */
import { isRecord } from '../../../basics/json.ts';
import { markup } from '../../markup/page-markup.ts';
import type { FieldType } from '../field-type.ts';
import { text } from '../rules.ts';
import { isMissingOrEmptyText, isPhpEmpty, numberIfDigits, textOrNull } from '../values.ts';
import { entityReference, jsonWith, referencePart, shownTarget } from './entity-reference.ts';
import { textOf } from '../../../openapi/openapi-records.ts';

export const typedRelation: FieldType = {
  ...entityReference,
  name: 'typed_relation',
  refers: 'with-role',
  properties: ['target_id', 'rel_type'],
  isEmpty: (item) => entityReference.isEmpty(item) || isPhpEmpty(item['rel_type']),
  store: (item) => ({ target_id: numberIfDigits(item['target_id']), rel_type: textOrNull(item['rel_type']) }),
  rules: { ...entityReference.rules, rel_type: [text] },
  reasonOfDrop: (sent) => {
    const { target_id: id, rel_type: relation } = isRecord(sent) ? sent : { target_id: sent, rel_type: null };
    if (isMissingOrEmptyText(id)) return undefined;
    if (relation === '0' || relation === 0) return 'A "rel_type" of 0 counts as empty, so the relation is dropped.';
    return typeof relation === 'string' && relation !== '' ? undefined : 'A relation without "rel_type" is dropped.';
  },
  json: jsonWith('rel_type'),
  page: (item, context, field) => {
    const type = textOf(item['rel_type'] ?? '');
    const words = field.shown?.relationLabels?.[type] ?? type;
    return markup`${shownTarget(item, context, field)}${words === '' ? undefined : markup` <span class="note">(${words})</span>`}`;
  },
  sample: ({ relations = ['relators:pht', 'relators:aut'] }, draw) => {
    const relation = draw.pick(relations);
    return relation === undefined ? undefined : { rel_type: relation };
  },
  form: () => [{ property: 'rel_type', label: 'Relation', choicesIn: 'relations' }, referencePart],
  schema: ({ target }) => ({
    shown: target?.type === 'node' ? 'NodeRelation' : 'TypedRelation',
    sent: 'TypedRelationInput',
  }),
  module: 'controlled_access_terms',
  widget: 'typed_relation_default',
  keys: ['relations'],
};
