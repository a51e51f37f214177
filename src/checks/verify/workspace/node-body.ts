/** Makes the smallest body of a node that a site takes: its bundle, a title, and what is required. */
import type { FieldDefinition } from '../../../core/model/bundle.ts';
import type { FieldRoles } from '../field-roles.ts';
import { bornPublished } from '../workflow-states.ts';

type NodeBodyParts = {
  readonly roles: FieldRoles;
  readonly title: string;
  /** The node that it becomes a part of. */
  readonly container: number | undefined;
  /** The term of its kind. */
  readonly model: number | undefined;
  /** A term for a required reference to these vocabularies. */
  readonly termIn: (vocabularies: readonly string[]) => number | undefined;
};

export const minimalNode = (parts: NodeBodyParts): Readonly<Record<string, unknown>> => {
  const { roles, title, container, model } = parts;
  const fields: Record<string, unknown> = {
    type: [{ target_id: roles.nodeBundle?.id ?? '' }],
    title: [{ value: title }],
    ...bornPublished(roles.nodeBundle),
  };
  for (const field of roles.nodeBundle?.fields.values() ?? []) {
    if (field.configured && field.required) fields[field.name] = itemsFor(field, parts);
  }
  if (roles.model !== undefined && model !== undefined) fields[roles.model] = [{ target_id: model }];
  if (roles.memberOf !== undefined && container !== undefined) fields[roles.memberOf] = [{ target_id: container }];
  return fields;
};

/** Items that the type of the field takes. Empty for a reference whose targets are unknown. */
const itemsFor = (field: FieldDefinition, { container, termIn, title }: NodeBodyParts): readonly object[] => {
  const { type, target, allowedValues } = field;
  if (type === 'entity_reference' || type === 'typed_relation') {
    const id = target?.type === 'node' ? container : termIn(target?.bundles ?? []);
    const relation = field.relations?.[0];
    if (id === undefined) return [];
    return [{ target_id: id, ...(type === 'typed_relation' ? { rel_type: relation ?? 'relators:cre' } : {}) }];
  }
  const allowed = Object.keys(allowedValues ?? {})[0];
  if (allowed !== undefined) return [{ value: type === 'list_integer' ? Number(allowed) : allowed }];
  return [samples[type] ?? { value: title.slice(0, field.maxLength ?? title.length) }];
};

const samples: Readonly<Partial<Record<FieldDefinition['type'], object>>> = {
  boolean: { value: true },
  integer: { value: 1 },
  decimal: { value: '1' },
  float: { value: 1 },
  timestamp: { value: '2026-01-01T00:00:00+00:00' },
  datetime: { value: '2026-01-01' },
  edtf: { value: '2026' },
  email: { value: 'verify@example.org' },
  link: { uri: 'https://example.org/', title: 'verify' },
  authority_link: { uri: 'https://example.org/', title: 'verify', source: 'viaf' },
  geolocation: { lat: 0, lng: 0 },
  language: { value: 'en' },
};
