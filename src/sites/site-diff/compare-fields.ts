/** Compares a field of two sites. */
import { areEqual } from '../../basics/equal-values.ts';
import { type settingRows, settingRowsOf } from '../../core/content-model/field-rows.ts';
import { fieldTypeOf } from '../../core/fields/field-types.ts';
import { string, stringLong } from '../../core/fields/types/string.ts';
import { float, integer } from '../../core/fields/types/numbers.ts';
import { listInteger, listString } from '../../core/fields/types/list.ts';
import { textLong, formattedLine } from '../../core/fields/types/formatted-text.ts';
import { email } from '../../core/fields/types/email.ts';
import { edtf } from '../../core/fields/types/edtf.ts';
import type { FieldDefinition } from '../../core/model/bundle.ts';
import { answers, both, differencesOf, harmless, listed, requests, type Difference, type Side } from './difference.ts';

export const compareFields = (
  subject: string,
  before: FieldDefinition | undefined,
  after: FieldDefinition | undefined,
): readonly Difference[] => {
  if (before === undefined) return after === undefined ? [] : [added(subject, after)];
  if (after === undefined) return [{ subject, change: 'is gone', breaks: both }];
  if (before.type !== after.type) return [typeChange(subject, before.type, after.type)];
  return [
    ...presence(subject, before, after),
    ...limits(subject, before, after),
    ...choices(subject, before, after),
    ...others(subject, before, after),
    ...targets(subject, before, after),
  ];
};

const added = (subject: string, field: FieldDefinition): Difference => {
  const isDemanded = field.required && field.configured && field.default === undefined;
  return isDemanded
    ? { subject, change: `is new and required (${field.type})`, breaks: requests }
    : { subject, change: `is new (${field.type})`, breaks: harmless };
};

/** Types whose items look alike: the later ones of a row take less. */
const families: readonly (readonly string[])[] = [
  [stringLong, string, email, listString, edtf],
  [textLong, formattedLine],
  [float, integer, listInteger],
].map((types) => types.map(({ name }) => name));

const typeChange = (subject: string, before: string, after: string): Difference => {
  const change = `is of type ${after} instead of ${before}`;
  const family = families.find((types) => types.includes(before) && types.includes(after));
  if (family === undefined) return { subject, change, breaks: both };
  const isStricter = family.indexOf(after) > family.indexOf(before);
  // A client that reads dates or choices gets any text now.
  return { subject, change, breaks: isStricter ? requests : answers };
};

const presence = (subject: string, before: FieldDefinition, after: FieldDefinition): readonly Difference[] => {
  const { found, note } = differencesOf(subject);
  note(!before.required && after.required, 'is required now', requests);
  note(before.required && !after.required, 'is not required any more, so a record may lack it', answers);
  const [many, more] = [before.cardinality, after.cardinality];
  note(more < many, `takes ${counted(more)} instead of ${counted(many)}`, requests);
  note(more > many, `takes ${counted(more)} instead of ${counted(many)}`, many === 1 ? answers : harmless);
  note(before.label !== after.label, `has the label "${after.label}" instead of "${before.label}"`, harmless);
  const [defaults, others] = [before.default, after.default].map((items) => JSON.stringify(items ?? []));
  note(defaults !== others, 'has another default', harmless);
  const [access = 'public', nowAccess = 'public'] = [before.access, after.access];
  const narrower = accessOrder.indexOf(nowAccess) > accessOrder.indexOf(access);
  note(access !== nowAccess, `has ${nowAccess} access instead of ${access}`, narrower ? both : harmless);
  note(before.translatable !== after.translatable, languageChange(after), answers);
  return found;
};

const accessOrder: readonly string[] = ['public', 'custom', 'private'];

const languageChange = ({ translatable }: FieldDefinition): string =>
  translatable ? 'has the language of its record in JSON-LD now' : 'has no language in JSON-LD any more';

const counted = (cardinality: number): string => {
  if (cardinality === Infinity) return 'any number of values';
  return cardinality === 1 ? '1 value' : `${cardinality} values`;
};

const limits = (subject: string, before: FieldDefinition, after: FieldDefinition): readonly Difference[] => {
  const { found, note, toggled } = differencesOf(subject);
  const bound = (name: string, was: number | undefined, is: number | undefined, isLower: boolean): void => {
    const open = isLower ? -Infinity : Infinity;
    const [from, to] = [was ?? open, is ?? open];
    const change =
      to === open ? `has no ${name} any more` : `has the ${name} ${to}${from === open ? '' : ` instead of ${from}`}`;
    note(from !== to, change, (isLower ? to > from : to < from) ? requests : harmless);
  };
  bound('greatest length', before.maxLength, after.maxLength, false);
  bound('smallest value', smallest(before), smallest(after), true);
  bound('greatest value', before.max, after.max, false);
  bound('number of digits', before.precision, after.precision, false);
  bound('number of decimals', before.scale, after.scale, false);
  const [day, moment] = ['has no time of day any more', 'has a time of day now'];
  toggled(before.dateOnly !== true, after.dateOnly !== true, [day, both], [moment, both]);
  return found;
};

const smallest = ({ min, unsigned }: FieldDefinition): number | undefined => min ?? (unsigned === true ? 0 : undefined);

/** Where a list of allowed ones is missing, all are. */
const choices = (subject: string, before: FieldDefinition, after: FieldDefinition): readonly Difference[] => {
  const { found, note, members } = differencesOf(subject);
  const compare = (
    name: string,
    was: readonly string[] | undefined,
    is: readonly string[] | undefined,
    breaks: Effects,
  ): void => {
    const [lost, got] = [`does not take ${name} % any more`, `takes ${name} % now`];
    members(was ?? is ?? [], is ?? was ?? [], [lost, breaks.fewer], [got, breaks.more]);
    note(was === undefined && is !== undefined, `takes only ${name} ${listed(is ?? [])} now`, breaks.fewer);
    note(was !== undefined && is === undefined, `takes any ${name} now`, breaks.more);
  };
  const values = (field: FieldDefinition): string[] | undefined =>
    field.allowedValues && Object.keys(field.allowedValues);
  compare('values', values(before), values(after), { fewer: requests, more: answers });
  compare('extensions', before.extensions, after.extensions, { fewer: requests, more: harmless });
  compare('links', linksOf(before), linksOf(after), { fewer: requests, more: harmless });
  // A client may send any relation, before and after.
  const [lost, got] = ['does not offer % in forms any more', 'offers % in forms now'];
  members(before.relations ?? [], after.relations ?? [], [lost, harmless], [got, harmless]);
  const [from, to] = [before, after].map(({ scheme }) => scheme ?? 'the default storage');
  note(from !== to, `keeps its files in ${String(to)} instead of ${String(from)}`, harmless);
  return found;
};

type Effects = { readonly fewer: readonly Side[]; readonly more: readonly Side[] };

const linksOf = ({ link }: FieldDefinition): readonly string[] | undefined =>
  link === undefined || link === 'both' ? undefined : [link];

/** The settings whose changes have sentences of their own. Any other one is for forms and for the content model. */
const told: ReadonlySet<string> = new Set<keyof typeof settingRows>([
  ...(['max_length', 'min', 'max', 'unsigned', 'precision', 'scale', 'allowed_values', 'date_only', 'link'] as const),
  ...(['relations', 'extensions', 'scheme'] as const),
]);

/** A setting is a row, and so a new one is compared without more. */
const others = (subject: string, before: FieldDefinition, after: FieldDefinition): readonly Difference[] => {
  const { found, note } = differencesOf(subject);
  for (const [key, [, , write]] of Object.entries(settingRowsOf(fieldTypeOf(after)))) {
    if (!told.has(key))
      note(!areEqual(write(before), write(after)), `has other ${key.replace(/_/g, ' ')} in forms`, harmless);
  }
  return found;
};

const targets = (subject: string, before: FieldDefinition, after: FieldDefinition): readonly Difference[] => {
  const { found, note, members } = differencesOf(subject);
  const [was, is] = [before.target, after.target];
  if (was?.type !== is?.type) {
    note(true, `leads to ${is?.type ?? 'nothing'} instead of ${was?.type ?? 'nothing'}`, both);
    return found;
  }
  const [from, to] = [was?.bundles, is?.bundles];
  note(from !== undefined && to === undefined, 'leads to any bundle now', harmless);
  note(from === undefined && to !== undefined, `leads only to ${listed(to ?? [])} now`, requests);
  if (from === undefined || to === undefined) return found;
  members(from, to, ['does not lead to % any more', requests], ['leads to % too', harmless]);
  return found;
};
