/** Makes the smallest body of a node that a site takes: its bundle, a title, and what is required. */
import { fixedDraw, fieldTypeOf, type FieldDefinition } from '../../../repository/repository.ts';
import type { FieldRoles } from '../field-roles.ts';
import { bornPublished } from '../workflow-states.ts';

type NodeBodyParts = {
  readonly roles: FieldRoles;
  readonly title: string;
  /** The node that it becomes a part of. */
  readonly container: number | undefined;
  /** The term of its kind, and of each reference to a term that is required. */
  readonly model: number | undefined;
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
const itemsFor = (field: FieldDefinition, { container, model, title }: NodeBodyParts): readonly object[] => {
  const { refers, sample } = fieldTypeOf(field);
  const own = sample?.(field, fixedDraw(title));
  if (refers === undefined) return own === undefined ? [] : [own];
  const id = field.target?.type === 'node' ? container : model;
  return id === undefined ? [] : [{ target_id: id, ...own }];
};
