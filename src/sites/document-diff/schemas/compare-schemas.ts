/** Compares a schema of two documents: what clients can no longer send, and what they receive that they did not expect. */
import { areEqual } from '../../../basics/equal-values.ts';
import { listOf } from '../../../basics/json.ts';
import { type Part, partOf } from '../../../openapi/openapi-terms.ts';
import { isOfBundle, schemasOf } from '../document-reader.ts';
import { finding, type Finding, type Pass, type Place } from '../finding.ts';
import { choiceLosses, type Compare } from './compare-choices.ts';
import { valueLosses } from './compare-values.ts';
import { asked, type Comparison, type Direction, offered } from './comparison.ts';
import { commonTypes, memberOf, type Shape, shapeOf } from './schema-shape.ts';

const saidElsewhere: readonly string[] = ['x-bundles', 'x-per-bundle', 'x-target'];

/** `offered` and `asked` as in the comparison: for what is received the later schema is the offered one. */
const annotationLosses = ({ direction }: Comparison, offered: Part, asked: Part, place: Place): Finding[] => {
  const [before, after] = direction === 'sent' ? [offered, asked] : [asked, offered];
  const begins = (word: string): boolean => before[word] !== true && after[word] === true;
  // `x-bundles` changes with a bundle or a field that is new or gone, `x-per-bundle` with its bounds: the rest of the schema says both.
  const extensions = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (word) => word.startsWith('x-') && !saidElsewhere.includes(word),
  );
  const hasOther = (word: string): boolean => !areEqual(before[word], after[word]);
  return [
    ...(begins('deprecated') ? [finding('schema-deprecated', place)] : []),
    ...(direction === 'sent' && begins('readOnly') ? [finding('sent-read-only', place)] : []),
    ...(direction === 'received' && begins('writeOnly') ? [finding('received-write-only', place)] : []),
    ...(direction === 'sent' && hasOther('default') ? [finding('default', place, written(after['default']))] : []),
    ...(direction === 'sent' ? targetLosses(before, after, place) : []),
    ...extensions.filter(hasOther).map((word) => finding('schema-extension', place, word)),
  ];
};

/** What a reference led to (`x-target`) and leads to no longer. */
const targetLosses = (before: Part, after: Part, place: Place): Finding[] => {
  const kept = targetsOf(after);
  return targetsOf(before)
    .filter((target) => !kept.includes(target))
    .map((target) => finding('target', place, target));
};

const targetsOf = ({ 'x-target': target }: Part): readonly string[] => {
  if (target === undefined) return [];
  const { type, bundles } = partOf(target);
  return bundles === undefined
    ? [`any ${String(type)}`]
    : listOf(bundles).map((bundle) => `${String(type)} ${String(bundle)}`);
};

const written = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** What of the objects of `from` lies outside `to`; for what clients receive also which members of `to` are gone. */
const memberLosses = (comparison: Comparison, compare: Compare, from: Shape, to: Shape, place: Place): Finding[] => {
  const at = (name: string): Place => ({ ...place, place: `${place.place}.${name}` });
  const own = comparison.direction === 'sent' ? sentMembers(from, to, at) : receivedMembers(from, to, at);
  const described = Object.keys(from.properties).filter(
    (name) => name in to.properties || (comparison.direction === 'sent' && isSchema(memberOf(to, name))),
  );
  return [
    ...own,
    ...described.flatMap((name) => compare(comparison, from.properties[name], memberOf(to, name), at(name))),
    ...otherMembers(comparison, compare, from, to, place),
  ];
};

const isSchema = (schema: unknown): boolean => typeof schema === 'object' && schema !== null;

type At = (name: string) => Place;

const missing = (from: Shape, to: Shape): readonly string[] =>
  to.required.filter((name) => !from.required.includes(name));

const sentMembers = (from: Shape, to: Shape, at: At): Finding[] => [
  ...missing(from, to).map((name) => finding('sent-member-demanded', at(name))),
  ...Object.keys(from.properties)
    .filter((name) => !(name in to.properties) && !isSchema(memberOf(to, name)))
    .map((name) => finding(memberOf(to, name) === false ? 'sent-member' : 'sent-member-described', at(name))),
];

const receivedMembers = (from: Shape, to: Shape, at: At): Finding[] => {
  const gone = Object.keys(to.properties).filter((name) => !(name in from.properties));
  return [
    ...gone.map((name) =>
      finding(to.required.includes(name) ? 'received-member-certain' : 'received-member', at(name)),
    ),
    ...missing(from, to)
      .filter((name) => !gone.includes(name))
      .map((name) => finding('received-member-promised', at(name))),
  ];
};

/** Members whose names are not given: by a pattern, or any. */
const otherMembers = (comparison: Comparison, compare: Compare, from: Shape, to: Shape, place: Place): Finding[] => {
  const hasMore = from.others !== false || Object.keys(from.patterns).some((pattern) => !(pattern in to.patterns));
  const isClosed = to.others === false && hasMore;
  return [
    ...Object.entries(to.patterns).flatMap(([pattern, schema]) => {
      const own = from.patterns[pattern] ?? from.others;
      return own === false ? [] : compare(comparison, own, schema, { ...place, place: `${place.place}./${pattern}/` });
    }),
    ...Object.entries(from.patterns).flatMap(([pattern, schema]) =>
      pattern in to.patterns || !isSchema(to.others)
        ? []
        : compare(comparison, schema, to.others, { ...place, place: `${place.place}./${pattern}/` }),
    ),
    ...(isClosed ? [finding(`${comparison.direction}-values`, place, 'members of other names')] : []),
    ...(isSchema(to.others) && from.others !== false
      ? compare(comparison, from.others, to.others, { ...place, place: `${place.place}.*` })
      : []),
  ];
};

/**
 * What is lost in a schema from `before` to `after` of the pass. What is `sent` must lie within the later schema. What is
 * `received` must lie within the earlier one, and have its members.
 */
export const schemaLosses = (
  pass: Pass,
  direction: Direction,
  before: unknown,
  after: unknown,
  place: Place,
): Finding[] => {
  const seen = pass.seen[direction];
  const comparison: Comparison = { pass, direction, open: [], isDryRun: false, isAtPlace: false, seen };
  return direction === 'sent'
    ? compare(comparison, before ?? true, after ?? true, place)
    : compare(comparison, after ?? true, before ?? true, place);
};

/** What of `offered` lies outside `asked`. */
const compare: Compare = (comparison, offeredSchema, askedSchema, place) => {
  const { pass, direction } = comparison;
  const [from, to] = [offered(comparison).follow(offeredSchema), asked(comparison).follow(askedSchema)];
  const isOfferedEarlier = (direction === 'sent') === pass.isForward;
  const isOther = !comparison.isAtPlace && isOtherSchema(comparison, from.name, to.name);
  const name = isOther ? undefined : isOfferedEarlier ? (from.name ?? to.name) : (to.name ?? from.name);
  if (!isOther && from.name !== undefined && to.name !== undefined) {
    const pair = `${from.name} ${to.name}`;
    if (comparison.seen.has(pair)) return [];
    comparison.seen.add(pair);
  }
  // Schemas without a name may hold themselves, too.
  const isOpen = comparison.open.some(([one, other]) => one === offeredSchema && other === askedSchema);
  if (isOpen || comparison.open.length > deepest) return [];
  const open = [...comparison.open, [offeredSchema, askedSchema] as const];
  const inner = { ...comparison, open, isAtPlace: isOther || comparison.isAtPlace };
  return shapeLosses(inner, from.value, to.value, name === undefined ? place : { subject: name, place: '' });
};

/**
 * Whether the place refers to another schema than before, rather than to the same one under a new name: what differs is said of the place.
 * The shapes of a single bundle's fields are named for what they hold, such as a text of at most 40 letters.
 */
const isOtherSchema = (comparison: Comparison, from: string | undefined, to: string | undefined): boolean => {
  if (from === undefined || to === undefined || from === to) return false;
  const [own, other] = [offered(comparison), asked(comparison)].map(schemasOf);
  return (
    [own?.[to], other?.[from]].some((known) => known !== undefined) ||
    isOfBundle(own?.[from]) ||
    isOfBundle(other?.[to])
  );
};

/** No body is nested deeper than this in earnest. */
const deepest = 100;

const shapeLosses = (comparison: Comparison, offeredSchema: unknown, askedSchema: unknown, place: Place): Finding[] => {
  const from = shapeOf(offered(comparison), offeredSchema);
  const to = shapeOf(asked(comparison), askedSchema);
  if (from.isNever) return [];
  const { direction } = comparison;
  if (to.isNever) return [finding(`${direction}-values`, place, 'anything')];
  if (isAnything(from) && to.types !== undefined) {
    return [finding(`${direction}-values`, place, 'values of any type')];
  }
  const types = from.types === undefined ? to.types : commonTypes(from.types, to.types);
  const has = (type: string): boolean => types === undefined || types.includes(type);
  const plain = [
    ...valueLosses(comparison, from, to, types, place),
    ...(has('object') ? memberLosses(comparison, compare, from, to, place) : []),
    ...(has('array') && to.items !== undefined
      ? compare(comparison, from.items ?? true, to.items, { ...place, place: `${place.place}[]` })
      : []),
  ];
  return [
    ...choiceLosses({ comparison, compare, place }, from, to, plain),
    ...(comparison.isDryRun ? [] : annotationLosses(comparison, partsOf(from.plain), partsOf(to.plain), place)),
  ];
};

/** The words next to the choices as one object; the outermost schema counts. */
const partsOf = (plain: readonly Part[]): Part => plain.reduceRight<Part>((all, part) => ({ ...all, ...part }), {});

/** A schema that says nothing. More than that it allows anything need not be said of it. */
const isAnything = ({ types, properties, patterns, required, items, choices, words }: Shape): boolean =>
  types === undefined &&
  items === undefined &&
  [properties, patterns, required, choices, words].every((each) => Object.keys(each).length === 0);
