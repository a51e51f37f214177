/** References to other records, to bundles and to roles, and what all types have that lead to records. */
import { isRecord, type Json, type JsonObject } from '../../../basics/json.ts';
import { roleOf } from '../../site/permissions.ts';
import type { FieldDefinition, ReferenceTarget } from '../../model/bundle.ts';
import { numberedName, recordLink } from '../../markup/page-context.ts';
import { type Markup, markup } from '../../markup/page-markup.ts';
import { contentUrl } from '../../site/content-url.ts';
import { entityPath } from '../../site/site.ts';
import type { FieldType, FormPart, JsonContext, ValueContext } from '../field-type.ts';
import type { ListRule } from '../rule.ts';
import { integer } from '../rules.ts';
import { isMissing, isPhpEmpty, numberIfDigits, quotedInput, scalarText, targetTypeOf } from '../values.ts';
import { becomesNumber } from './numbers.ts';
import { type Entity, entityKey, type FieldItem, textOf } from '../../../openapi/openapi-records.ts';
import { unprocessable } from '../../../openapi/openapi-terms.ts';

/** Resolves a `target_uuid`, which wins over a `target_id`. `target_type` is checked only together with a uuid. */
const read: NonNullable<FieldType['read']> = ({ sent, kept, delta }, field, context) => {
  const received = isRecord(sent) ? sent : {};
  const { target_uuid: uuid = null, target_type: receivedType = null } = received as Readonly<Record<string, Json>>; // no list
  if (uuid === null) return kept;
  if (isPhpEmpty(uuid)) throw unprocessable(`If provided "target_uuid" cannot be empty for field "${delta}".`);
  const fieldTarget = field.target?.type ?? '';
  if (!isPhpEmpty(receivedType) && receivedType !== fieldTarget) {
    throw unprocessable(`The field "${field.name}" property "target_type" must be set to "${fieldTarget}" or omitted.`);
  }
  const type = targetTypeOf(field);
  const id = type === undefined ? undefined : context.idOf(type, textOf(uuid).toLowerCase());
  if (id === undefined) {
    throw unprocessable(
      `No "${quotedInput(receivedType ?? '')}" entity found with UUID "${quotedInput(uuid)}" for field "${delta}".`,
    );
  }
  return { ...kept, target_id: id };
};

/** 0 is not a reference for the real site, and so is everything that PHP calls empty. */
const refersToNothing = (id: Json | undefined): boolean =>
  isMissing(id) || id === 0 || id === '' || id === '0' || id === false;

const mayRefer: ListRule = (items, field, context) => {
  const type = targetTypeOf(field);
  if (type === undefined) return [];
  return items.flatMap(({ target_id: id }, delta) => {
    if (refersToNothing(id)) return [];
    // An id with a sign or spaces is a number, but the number of no record.
    const target = scalarText(id) === String(Number(id)) ? context.find(entityKey(type, Number(id))) : undefined;
    const at = { delta, property: 'target_id' };
    if (target === undefined) {
      return [{ ...at, message: `The referenced entity (${type}: ${quotedInput(id)}) does not exist.` }];
    }
    const isAllowed = field.target?.bundles?.includes(target.bundle) ?? true;
    return isAllowed && context.mayReference(target)
      ? []
      : [{ ...at, message: `This entity (${type}: ${target.id}) cannot be referenced.` }];
  });
};

/** `columns` are the item's own properties apart from its target. A dead reference has no other properties. */
export const jsonWith =
  (...columns: string[]): NonNullable<FieldType['json']> =>
  (item, context, field) => {
    if (field.target?.type === 'user_role') return roleReference(item, context);
    const type = targetTypeOf(field);
    // The term 0 is the root of a vocabulary, which has no id.
    const id = (type === 'taxonomy_term' ? item['target_id'] || null : item['target_id']) ?? null;
    const target = type && typeof id === 'number' ? context.records.get(entityKey(type, id)) : undefined;
    if (columns.length === 0) return target === undefined ? { target_id: id } : renderTarget(target, context).withId;
    const own = Object.fromEntries(columns.map((column) => [column, item[column] ?? null]));
    return { target_id: id, ...own, ...(target && renderTarget(target, context).properties) };
  };

/** A role that the site has no more is a dead reference. */
const roleReference = (item: FieldItem, { site }: JsonContext): JsonObject => {
  const id = roleOf(item) ?? null;
  const role = site.roles.get(id ?? '');
  return role === undefined ? { target_id: id } : { target_id: id, target_type: 'user_role', target_uuid: role.uuid };
};

/** A target as references show it: `withId` in references without columns, `properties` in the others. */
type RenderedTarget = Omit<JsonContext, 'records'> & {
  readonly properties: JsonObject;
  readonly withId: JsonObject;
};

/**
 * Records never change, so a rendered target can be kept. Only terms and accounts are kept: they are few, and most
 * references lead to them. A file is usually referred to only once.
 */
const renderedTargets = new WeakMap<Entity, RenderedTarget>();

export const renderTarget = (target: Entity, context: JsonContext): RenderedTarget => {
  const { site, baseUrl, basePath } = context;
  const known = renderedTargets.get(target);
  if (known?.site === site && known.baseUrl === baseUrl && known.basePath === basePath) return known;
  const url = referenceUrl(target, context);
  const properties = { target_type: target.type, target_uuid: target.uuid, ...(url === undefined ? {} : { url }) };
  const rendered = { site, baseUrl, basePath, properties, withId: { target_id: target.id, ...properties } };
  if (target.type === 'taxonomy_term' || target.type === 'user') renderedTargets.set(target, rendered);
  return rendered;
};

/** The path of the target on this site. For a file: the absolute URL of its content. */
const referenceUrl = (target: Entity, { site, baseUrl, basePath }: JsonContext): string | undefined =>
  target.type === 'file' ? contentUrl(site, baseUrl, target) : basePath + entityPath(site, target);

/** What a reference leads to: its label where the viewer may view it, else its number alone. */
export const shownTarget = ({ target_id: id }: JsonObject, context: ValueContext, field: FieldDefinition): Markup => {
  const type = targetTypeOf(field);
  if (type === undefined || typeof id !== 'number') return namedTarget(id ?? null, context, field);
  const found = context.targets.get(entityKey(type, id));
  if (found === undefined) return markup`${numberedName(type, id)} <span class="note">(does not exist)</span>`;
  if (!context.visible.has(entityKey(type, id))) {
    return markup`${numberedName(type, id)} <span class="note">(not shown to you)</span>`;
  }
  return recordLink(found, context);
};

/** Bundles and roles have machine names. A term without a parent is at the root. */
const namedTarget = (id: Json, { world: { site }, entity }: ValueContext, field: FieldDefinition): Markup => {
  if (id === null) return markup`none`;
  const name = textOf(id);
  if (field.target?.type === 'user_role')
    return markup`${site.roles.get(roleOf({ target_id: id }) ?? '')?.label ?? name}`;
  return markup`${site.model.bundle(entity.type, name)?.label ?? name}`;
};

/** A `target_id` can only differ from the stored one because of a `target_uuid`, unless the server sets the field. */
const reasonOfChange: NonNullable<FieldType['reasonOfChange']> = (member) => {
  const { property, sent, stored, field, isAssigned } = member;
  if (property !== 'target_id') return undefined;
  const isNothing = Number(sent) === 0 && (stored ?? null) === null;
  const byUuid =
    field.target === undefined || isAssigned ? undefined : 'A "target_uuid" wins over the "target_id" next to it.';
  return becomesNumber(member) ?? (isNothing ? 'The id 0 refers to nothing. It is shown as null.' : byUuid);
};

const shownSchemas: { readonly [T in ReferenceTarget['type']]: string } = {
  node: 'NodeReference',
  media: 'MediaReference',
  file: 'PlainFileReference',
  taxonomy_term: 'TermReference',
  user: 'UserReference',
  node_type: 'NodeTypeReference',
  media_type: 'MediaTypeReference',
  taxonomy_vocabulary: 'VocabularyReference',
  user_role: 'RoleReference',
};

/** Null allows any bundle. */
const settings = ({ target }: FieldDefinition): JsonObject => {
  const bundles = target?.bundles;
  return {
    handler: `default:${target?.type ?? 'node'}`,
    handler_settings: {
      target_bundles: bundles === undefined ? null : Object.fromEntries(bundles.map((bundle) => [bundle, bundle])),
      sort:
        target?.type === 'taxonomy_term' ? { field: 'name', direction: 'asc' } : { field: '_none', direction: 'ASC' },
      auto_create: false,
      auto_create_bundle: '',
    },
  };
};

export const referencePart: FormPart = { property: 'target_id', label: 'Refers to', as: 'number', input: 'reference' };

export const entityReference = {
  name: 'entity_reference',
  refers: 'plainly',
  main: 'target_id',
  properties: ['target_id'],
  ignored: ['target_type', 'target_uuid', 'url'],
  // The empty text is not a number, so it is a wrong value. 0 refers to nothing.
  isEmpty: ({ target_id: id }) => isMissing(id),
  read,
  store: ({ target_id: id }) => ({ target_id: numberIfDigits(id) }),
  list: [mayRefer],
  rules: { target_id: [integer] },
  reasonOfChange,
  json: jsonWith(),
  page: shownTarget,
  form: (): readonly FormPart[] => [referencePart],
  // open: a reference without a target (no loaded site has one) counts as one to a node.
  schema: ({ target }) => ({ shown: shownSchemas[target?.type ?? 'node'], sent: 'ReferenceInput' }),
  widget: 'entity_reference_autocomplete',
  settings,
  storageSettings: ({ target }) => ({ target_type: target?.type ?? 'node' }),
} satisfies FieldType;
