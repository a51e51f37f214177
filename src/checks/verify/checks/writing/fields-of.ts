/** The fields of a kind of record that checks send values for, and what the checks of them are called. */
import type { FieldDefinition } from '../../../../core/model/bundle.ts';
import { CheckSkip } from '../../answer.ts';
import type { JsonRecord } from '../../record-members.ts';
import type { RecordKind } from './record-kinds.ts';

export type FieldOf = { readonly kind: RecordKind; readonly field: FieldDefinition };

/** Only those who wrote a site's model know who may set a field with permissions of its own. */
const isOpen = ({ access = 'public', configured, type }: FieldDefinition): boolean =>
  access === 'public' && configured && type !== 'other' && type !== 'comment' && type !== 'metatag';

/** A minimal record shows a field that its file fills; its values are the subject of other checks. */
export const fieldsOf = (kind: RecordKind): readonly FieldOf[] =>
  [...kind.bundle.fields.values()].filter(isOpen).map((field) => ({ kind, field }));

export const placeOf = ({ kind, field }: FieldOf): string => `${kind.word}.${kind.bundle.id}.${field.name}`;
export const sentenceOf = ({ kind, field }: FieldOf): string =>
  `"${field.label}" (${field.name}) of ${kind.bundle.id} ${kind.word}`;

/** A value for each field of a kind, where there is one; a check cannot make all of them. */
export const valuesFor = async (kind: RecordKind, valueOf: (of: FieldOf) => unknown): Promise<JsonRecord> => {
  const values: Record<string, unknown> = {};
  for (const of of fieldsOf(kind)) {
    try {
      const value = await valueOf(of);
      if (value !== undefined) values[of.field.name] = value;
    } catch (error) {
      if (!(error instanceof CheckSkip)) throw error;
    }
  }
  return values;
};
