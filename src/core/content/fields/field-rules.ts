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
import type { Json } from '../../model/entity.ts';
import { oncePerBundle, type FieldDefinition, type FieldTypeName } from '../../model/bundle.ts';
import { edtfFaults } from './edtf-dates.ts';
import { nameParts } from './compound-types.ts';
import { isEmailAddress, longestAddress, isAllowedLink, isInsideSite, schemeOf } from './address-rules.ts';
import { areEmpty } from './field-types.ts';
import { transition } from './moderation.ts';
import { decimalRules, float, floatRules, integerRules } from './value-types.ts';
import { extensionOf } from './reference-types.ts';
import {
  boolean,
  fits,
  integer,
  isInteger,
  isLonger,
  isMissing,
  isScalar,
  type ItemRule,
  type ListRule,
  noChoice,
  type PropertyRule,
  quotedInput,
  scalarText,
  targetTypeOf,
  text,
  type TypeRules,
  wrongPrimitive,
} from './field-type.ts';

/** The most values of a field, also of one that has no limit of its own. */
export const maxFieldValues = 1000;

const required: ListRule = (items, field) =>
  field.required && areEmpty(items, field.type) ? [{ message: 'This value should not be null.' }] : [];

const cardinality: ListRule = (items, field) => {
  const most = Math.min(field.cardinality, maxFieldValues);
  return items.length > most ? [{ message: `${field.label}: this field cannot hold more than ${most} values.` }] : [];
};

/** 0 is not a reference for the real site, and so is everything that PHP calls empty. */
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

const noLonger =
  (limit: (field: FieldDefinition) => number | undefined, words: string): ItemRule =>
  ({ value }, field) => {
    const most = limit(field);
    return most !== undefined && isLonger(value, most)
      ? [{ property: 'value', message: `${field.label}: ${words} longer than ${most} characters.` }]
      : [];
  };

const maxLength = noLonger(({ maxLength: most }) => most, 'may not be');
const maxTextLength = noLonger(({ maxLength: most }) => most, 'the text may not be');
const maxAddressLength = noLonger(() => longestAddress, 'the email address can not be');

const languageCode: ItemRule = ({ value }) =>
  isLonger(value, 12) ? [{ property: 'value', message: tooLong(12) }] : [];

const tooLong = (most: number): string => `This value is too long. It should have ${most} characters or less.`;

/** A field without a list of values is one whose values a program of the real site makes. */
const choice: ItemRule = ({ value }, { allowedValues, type }) => {
  if (isMissing(value) || allowedValues === undefined) return [];
  const isNumber = type === 'list_integer';
  const key = isNumber ? String(Number(scalarText(value))) : scalarText(value);
  return isScalar(value) && (!isNumber || isInteger(value)) && Object.hasOwn(allowedValues, key)
    ? []
    : [{ message: noChoice }];
};

/** "Not specified" and "not applicable" are on every site. A new record has the first as the source of its translation. */
const fixedLanguages: readonly string[] = ['und', 'zxx'];

const language: ItemRule = ({ value }, _field, { languages }) =>
  isMissing(value) || (typeof value === 'string' && (languages.includes(value) || fixedLanguages.includes(value)))
    ? []
    : [{ message: noChoice }];

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

/**
 * Null in place of an item is passed over. An item without a value is judged only where the real site has looked at it before,
 * for the first item with a value.
 */
const edtf: ItemRule = ({ value }, _field, _context, isLeading) => {
  const judged = value === undefined && isLeading ? '' : value;
  return isScalar(judged)
    ? edtfFaults(scalarText(judged))
        .slice(0, maxFaults)
        .map((fault) => ({ message: `${quotedInput(judged)} is not valid EDTF: ${fault}` }))
    : [];
};

const link: ItemRule = ({ uri }) =>
  isAllowedLink(scalarText(uri)) ? [] : [{ message: `The path '${quotedInput(uri)}' is invalid.` }];

/** Addresses that lead out of the site or into it, where a field allows only the others. */
const linkKind: ItemRule = ({ uri }, field) => {
  const address = scalarText(uri);
  if (schemeOf(address) === undefined || (field.link ?? 'both') === 'both') return [];
  return isInsideSite(address) === (field.link === 'internal')
    ? []
    : [{ message: `The path '${quotedInput(uri)}' is invalid.` }];
};

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

/** A summary needs its text, which may be empty. */
const textOfSummary: ItemRule = ({ value }) =>
  isMissing(value) ? [{ property: 'value', message: 'This value should not be null.' }] : [];

const absoluteUri: PropertyRule = (value) => (schemeOf(scalarText(value)) === undefined ? wrongPrimitive : undefined);

const shortText: PropertyRule = (value) => (isLonger(value, 255) ? tooLong(255) : undefined);

const emailAddress: PropertyRule = (value) =>
  isScalar(value) && !isEmailAddress(scalarText(value)) ? 'This value is not a valid email address.' : undefined;

const object: PropertyRule = (value) => (typeof value === 'object' ? undefined : wrongPrimitive);

/** Every comment field says whether comments are open. */
const commentStatus: ItemRule = ({ status }) =>
  isMissing(status) ? [{ property: 'status', message: 'This value should not be null.' }] : [];

/** Any text can be read as a date, or the request is refused before. */
const dateText: ItemRule = ({ value }) =>
  isMissing(value) || typeof value === 'string' ? [] : [{ message: 'The datetime value must be a string.' }];

const textFormat: PropertyRule = (value, _field, context) =>
  isScalar(value) && !context.textFormats.includes(scalarText(value)) ? noChoice : undefined;

const aliasForm: PropertyRule = (value, { automatic }) =>
  automatic === true || scalarText(value).startsWith('/') ? undefined : 'The alias path has to start with a slash.';

const onlyText: TypeRules = { properties: { value: [text] } };
const reference: TypeRules = { list: [references], properties: { target_id: [integer] } };
const formatted: TypeRules = { properties: { value: [text], format: [text, textFormat] } };
const address: TypeRules = {
  item: [linkKind, link],
  properties: { uri: [absoluteUri, fits(2048)], title: [text] },
};
const file: TypeRules = { ...reference, item: [visibleFile, extension] };

/** Lists and properties are checked in the order in which they stand here. */
export const fieldRules: { readonly [T in FieldTypeName]: TypeRules } = {
  boolean: { properties: { value: [boolean] } },
  integer: { item: integerRules, properties: { value: [integer] } },
  string: { ...onlyText, list: [transition], item: [maxLength] },
  string_long: onlyText,
  text_long: formatted,
  uuid: { ...onlyText, list: [uuid], item: [maxLength] },
  language: { ...onlyText, item: [languageCode, language] },
  // A time that cannot be read is refused before.
  timestamp: { properties: {} },
  changed: { properties: {} },
  entity_reference: reference,
  typed_relation: { ...reference, properties: { ...reference.properties, rel_type: [text] } },
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
  link: address,
  edtf: { ...onlyText, item: [edtf, maxLength] },
  path: { properties: { alias: [text, aliasForm, fits(255)], pid: [integer], langcode: [text] } },
  metatag: { properties: {} },
  redirect_source: { properties: { path: [text, fits(2048)], query: [object] } },
  text: { ...formatted, item: [maxTextLength] },
  text_with_summary: { item: [textOfSummary], properties: { ...formatted.properties, summary: [text] } },
  list_string: { item: [choice], properties: { value: [shortText, text] } },
  list_integer: { item: [choice], properties: { value: [integer] } },
  email: { item: [maxAddressLength], properties: { value: [text, emailAddress] } },
  authority_link: { ...address, properties: { ...address.properties, source: [text, fits(255)] } },
  geolocation: { properties: { lat: [float], lng: [float], data: [object] } },
  media_track: {
    ...file,
    properties: {
      ...file.properties,
      label: [text, fits(128)],
      kind: [text, fits(20)],
      srclang: [text, fits(20)],
      default: [boolean],
    },
  },
  comment: { item: [commentStatus], properties: { status: [integer], last_comment_timestamp: [integer] } },
  name: { properties: Object.fromEntries(nameParts.map((part) => [part, [text, fits(255)]])) },
  datetime: { ...onlyText, item: [dateText] },
  decimal: { ...onlyText, item: decimalRules },
  float: { item: floatRules, properties: { value: [float] } },
  // Nobody knows its rules.
  other: { properties: {} },
};

/** The rules about the list of every field. */
export const listRules: readonly ListRule[] = [required, cardinality];

/**
 * The fields of a bundle in the order in which the real site validates them. The owner comes before the label. The field
 * that keeps a media's file comes before the other configured fields.
 */
export const fieldsInOrder = oncePerBundle((bundle): readonly FieldDefinition[] => {
  const { label } = identityFields[bundle.entityType];
  const fields = [...bundle.fields.values()];
  const source = fields.filter(({ name }) => name === bundle.source?.field);
  const owner = fields.filter(({ name }) => name === 'uid' && bundle.entityType !== 'user');
  const firstConfigured = fields.find(({ configured }) => configured);
  return fields.flatMap((field) => {
    if (source.includes(field) || owner.includes(field)) return field === firstConfigured ? source : [];
    if (field.name === label) return [...owner, field];
    return field === firstConfigured ? [...source, field] : [field];
  });
});
