/** Compares a schema of two documents: what clients can no longer send, and what they receive that they did not expect. */
import type { Part } from '../../../core/document/document-tree.ts';
import { choiceLosses, type Compare } from './compare-choices.ts';
import { annotationLosses } from './compare-annotations.ts';
import { memberLosses } from './compare-members.ts';
import { valueLosses } from './compare-values.ts';
import { finding, type Finding, type Pass, type Place } from '../finding.ts';
import { commonTypes, shapeOf, type Shape } from './schema-shape.ts';
import { asked, offered, type Comparison, type Direction } from './comparison.ts';

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
  const comparison: Comparison = { pass, direction, open: [], isTrial: false, seen: pass.seen[direction] };
  return direction === 'sent'
    ? compare(comparison, before ?? true, after ?? true, place)
    : compare(comparison, after ?? true, before ?? true, place);
};

/** What of `offered` lies outside `asked`. */
const compare: Compare = (comparison, offeredSchema, askedSchema, place) => {
  const { pass, direction } = comparison;
  const [from, to] = [offered(comparison).follow(offeredSchema), asked(comparison).follow(askedSchema)];
  const isOfferedEarlier = (direction === 'sent') === pass.isForward;
  const name = isOfferedEarlier ? (from.name ?? to.name) : (to.name ?? from.name);
  if (from.name !== undefined && to.name !== undefined) {
    const pair = `${from.name} ${to.name}`;
    if (comparison.seen.has(pair)) return [];
    comparison.seen.add(pair);
  }
  // Schemas without a name may hold themselves, too.
  const isOpen = comparison.open.some(([one, other]) => one === offeredSchema && other === askedSchema);
  if (isOpen || comparison.open.length > deepest) return [];
  const inner = { ...comparison, open: [...comparison.open, [offeredSchema, askedSchema] as const] };
  return shapeLosses(inner, from.value, to.value, name === undefined ? place : { subject: name, place: '' });
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
    ...(comparison.isTrial ? [] : annotationLosses(comparison, partsOf(from.plain), partsOf(to.plain), place)),
  ];
};

/** The words beside the choices as one object; the outermost schema counts. */
const partsOf = (plain: readonly Part[]): Part => plain.reduceRight<Part>((all, part) => ({ ...all, ...part }), {});

/** A schema that says nothing. More than that it allows anything need not be said of it. */
const isAnything = ({ types, properties, patterns, required, items, choices, words }: Shape): boolean =>
  types === undefined &&
  items === undefined &&
  [properties, patterns, required, choices, words].every((each) => Object.keys(each).length === 0);
