/**
 * The rules of validation as one table, in the order in which the real site checks them. A field's rules about its whole
 * list come first, then for each item the rules about the item, then for each property of a filled item the rules about the
 * property. `field-violations.ts` goes through the table, field by field in the order of `fieldsInOrder`.
 *
 * Before that a request is refused for the first of these: a bundle that cannot be read (422), fields that the bundle does
 * not have (422), a field that cannot be read (422, in the order of the body), a missing permission for the bundle (403),
 * a field that the account may not set (403, in the order of the body). After it: what only the record itself shows (422, 409).
 */
import { entityKey, firstValue, identityFields, textOf } from '../../model/entity.ts';
import type { FieldItem, FieldItems, Json } from '../../model/entity.ts';
import type { Bundle, FieldDefinition, FieldTypeName } from '../../model/bundle.ts';
import { edtfFaults } from './edtf-dates.ts';
import {
  isInteger,
  isScalar,
  quotedInput,
  readBoolean,
  scalarText,
  targetTypeOf,
  type ValidationContext,
} from './field-type.ts';
import { isEmptyItem } from './field-types.ts';
import { isAllowedLink, schemeOf } from './link-uris.ts';
import { extensionOf } from './reference-types.ts';

/** A rule that a list breaks. Without a delta the whole list is wrong. */
type ListViolation = { readonly delta?: number; readonly property?: string; readonly message: string };
/** A rule that an item breaks. Without a property the whole item is wrong. */
type ItemViolation = { readonly property?: string; readonly message: string };

type ListRule = (items: FieldItems, field: FieldDefinition, context: ValidationContext) => readonly ListViolation[];
type ItemRule = (item: FieldItem, field: FieldDefinition, context: ValidationContext) => readonly ItemViolation[];
/** Returns the message. Called with values that are not null. */
type PropertyRule = (value: Json, field: FieldDefinition, context: ValidationContext) => string | undefined;

type TypeRules = {
  readonly list?: readonly ListRule[];
  readonly item?: readonly ItemRule[];
  readonly properties: Readonly<Record<string, readonly PropertyRule[]>>;
};

/** The most values of a field, also of one that has no limit of its own. */
export const maxFieldValues = 1000;

const noChoice = 'The value you selected is not a valid choice.';
const wrongPrimitive = 'This value should be of the correct primitive type.';

const isMissing = (value: Json | undefined): value is null | undefined => value === undefined || value === null;

const required: ListRule = (items, field) =>
  field.required && items.every((item) => isEmptyItem(item, field.type))
    ? [{ message: 'This value should not be null.' }]
    : [];

const cardinality: ListRule = (items, field) => {
  const most = Math.min(field.cardinality, maxFieldValues);
  return items.length > most ? [{ message: `${field.label}: this field cannot hold more than ${most} values.` }] : [];
};

/** 0 is no reference for the real site, and so is everything that PHP calls empty. */
const refersToNothing = (id: Json | undefined): boolean =>
  isMissing(id) || id === 0 || id === '' || id === '0' || id === false;

const references: ListRule = (items, field, context) => {
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

const longest =
  (property: string, limit: (field: FieldDefinition) => number | undefined): ItemRule =>
  (item, field) => {
    const most = limit(field);
    const value = item[property];
    // Characters count, as on the real site, and not the units of UTF-16.
    return most !== undefined && isScalar(value) && Array.from(scalarText(value)).length > most
      ? [{ property, message: `${field.label}: may not be longer than ${most} characters.` }]
      : [];
  };

const maxLength = longest('value', (field) => field.maxLength);

const isNumeric = (value: Json): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value));

const notNegative: ItemRule = ({ value }, field) => {
  if (field.unsigned !== true || isMissing(value)) return [];
  if (!isNumeric(value)) return [{ property: 'value', message: 'This value should be a valid number.' }];
  const message = `${field.label}: The integer must be larger or equal to 0.`;
  return Number(value) < 0 ? [{ property: 'value', message }] : [];
};

const languageCode: ItemRule = ({ value }) =>
  isScalar(value) && Array.from(scalarText(value)).length > 12
    ? [{ property: 'value', message: 'This value is too long. It should have 12 characters or less.' }]
    : [];

const language: ItemRule = ({ value }, _field, context) =>
  isMissing(value) || (typeof value === 'string' && context.languages.includes(value)) ? [] : [{ message: noChoice }];

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The contract's table says "string UUID". The real site accepts any text, so this comes after all its own rules. */
const uuid: ListRule = ([item, ...others], { maxLength: most = Infinity }) => {
  const text = scalarText(item?.['value']);
  return others.length === 0 && isScalar(item?.['value']) && text.length <= most && !uuidPattern.test(text)
    ? [{ delta: 0, property: 'value', message: 'This value is not a valid UUID.' }]
    : [];
};

/** An interval can have thousands of ends, each with faults. */
const maxFaults = 50;

const edtf: ItemRule = ({ value }) =>
  isMissing(value) || isScalar(value)
    ? edtfFaults(scalarText(value))
        .slice(0, maxFaults)
        .map((fault) => ({ message: `${quotedInput(value)} is not valid EDTF: ${fault}` }))
    : [];

const link: ItemRule = ({ uri }) =>
  isAllowedLink(scalarText(uri)) ? [] : [{ message: `The path '${quotedInput(uri)}' is invalid.` }];

/** Otherwise users could read and overwrite a guarded file by making a media of their own that uses it. */
const visibleFile: ItemRule = ({ target_id: id }, _field, context) => {
  const file = isInteger(id) ? context.find(entityKey('file', Number(id))) : undefined;
  return file === undefined || context.mayView(file)
    ? []
    : [{ message: `You do not have access to the referenced entity (file: ${file.id}).` }];
};

const extension: ItemRule = ({ target_id: id }, { extensions }, context) => {
  const file = isInteger(id) ? context.find(entityKey('file', Number(id))) : undefined;
  return file === undefined || extensions?.includes(extensionOf(textOf(firstValue(file, 'filename')))) !== false
    ? []
    : [{ message: `Only files with the following extensions are allowed: ${extensions.join(' ')}.` }];
};

const text: PropertyRule = (value) => (isScalar(value) ? undefined : wrongPrimitive);
const integer: PropertyRule = (value) => (isInteger(value) ? undefined : wrongPrimitive);
const absoluteUri: PropertyRule = (value) => (schemeOf(scalarText(value)) === undefined ? wrongPrimitive : undefined);

/** The words "true" and "false" are refused on the real site, too: only what is equal to 1 or 0 is a boolean. */
const boolean: PropertyRule = (value) => (readBoolean(value) === undefined ? wrongPrimitive : undefined);

/** The width of the database column, which a real site with MySQL answers with 500. */
const fits =
  (most: number): PropertyRule =>
  (value, field) =>
    isScalar(value) && Array.from(scalarText(value)).length > most
      ? `${field.label}: may not be longer than ${most} characters.`
      : undefined;

const textFormat: PropertyRule = (value, _field, context) =>
  isScalar(value) && !context.textFormats.includes(scalarText(value)) ? noChoice : undefined;

const relation: PropertyRule = (value, field) =>
  field.relations !== undefined && !field.relations.includes(scalarText(value)) ? noChoice : undefined;

const onlyText: TypeRules = { properties: { value: [text] } };
const reference: TypeRules = { list: [references], properties: { target_id: [integer] } };
const file: TypeRules = { ...reference, item: [visibleFile, extension] };

/** Lists and properties are checked in the order in which they stand here. */
export const fieldRules: { readonly [T in FieldTypeName]: TypeRules } = {
  boolean: { properties: { value: [boolean] } },
  integer: { item: [notNegative], properties: { value: [integer] } },
  string: { ...onlyText, item: [maxLength] },
  string_long: onlyText,
  text_long: { properties: { value: [text], format: [text, textFormat] } },
  uuid: { ...onlyText, list: [uuid], item: [maxLength] },
  language: { ...onlyText, item: [languageCode, language] },
  // A time that cannot be read is refused before.
  timestamp: { properties: {} },
  changed: { properties: {} },
  entity_reference: reference,
  typed_relation: { ...reference, properties: { ...reference.properties, rel_type: [text, relation] } },
  file: { ...file, properties: { ...file.properties, display: [boolean], description: [text] } },
  image: {
    ...file,
    properties: {
      ...file.properties,
      alt: [text, fits(512)],
      title: [text, fits(1024)],
      width: [integer],
      height: [integer],
    },
  },
  file_uri: { ...onlyText, item: [maxLength] },
  link: { item: [link], properties: { uri: [absoluteUri, fits(2048)], title: [text] } },
  edtf: { ...onlyText, item: [edtf, maxLength] },
};

/** The rules about the list of every field. */
export const listRules: readonly ListRule[] = [required, cardinality];

/**
 * The fields of a bundle in the order in which the real site validates them. The owner stands before the label. The field
 * that keeps a media's file stands before the other configured fields.
 */
export const fieldsInOrder = (bundle: Bundle): readonly FieldDefinition[] => {
  const known = orders.get(bundle);
  if (known !== undefined) return known;
  const { label } = identityFields[bundle.entityType];
  const fields = [...bundle.fields.values()];
  const source = fields.filter(({ name }) => name === bundle.source?.field);
  const owner = fields.filter(({ name }) => name === 'uid' && bundle.entityType !== 'user');
  const firstConfigured = fields.find(({ configured }) => configured);
  const order = fields.flatMap((field) => {
    if (source.includes(field) || owner.includes(field)) return field === firstConfigured ? source : [];
    if (field.name === label) return [...owner, field];
    return field === firstConfigured ? [...source, field] : [field];
  });
  orders.set(bundle, order);
  return order;
};

const orders = new WeakMap<Bundle, readonly FieldDefinition[]>();
