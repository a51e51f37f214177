/** Compares the alternatives that two schemas give (`oneOf`, `anyOf`). */
import { finding, worstForClients, type Finding, type Place } from '../finding.ts';
import { asked, offered, type Comparison } from './comparison.ts';
import { isOpen, shapeOf, type Shape } from './schema-shape.ts';

/** What of the first schema lies outside the second one. */
export type Compare = (comparison: Comparison, offered: unknown, asked: unknown, place: Place) => Finding[];

type Where = { readonly comparison: Comparison; readonly compare: Compare; readonly place: Place };

/** Every loss: `plain` are those of the words next to the choices. */
export const choiceLosses = (where: Where, from: Shape, to: Shape, plain: readonly Finding[]): Finding[] => [
  ...plainLosses(where, from, to, plain),
  ...to.choices.flatMap((wanted, index) => groupLosses(where, from, wanted, index)),
];

/** The words next to the choices of `from` may lie outside `to`, although each alternative with it lies within. */
const plainLosses = (where: Where, from: Shape, to: Shape, plain: readonly Finding[]): readonly Finding[] => {
  if (plain.length === 0 || from.choices.length === 0) return plain;
  const words = from.plain.filter((part) => !isOpen(part));
  const wanted = { allOf: to.plain };
  const tries = from.choices.map((group) =>
    group.flatMap((choice) => {
      const whole = words.length === 0 ? choice : { allOf: [choice, ...words] };
      return where.compare(dryRunOf(where.comparison), whole, wanted, where.place);
    }),
  );
  return tries.reduce((best, losses) => (losses.length < best.length ? losses : best), plain);
};

/** Each alternative of `from` must lie within one of those of `to`. */
const groupLosses = (where: Where, from: Shape, wanted: readonly unknown[], index: number): Finding[] => {
  const groups = from.choices.length > 0 ? from.choices : [parted(from)];
  const tries = groups.map((group) => group.map((choice, at) => ({ choice, fit: fitOf(where, choice, wanted, at) })));
  if (tries.some((each) => each.every(({ fit }) => fit === 'fits')))
    return sameNamedLosses(where, groups[index] ?? groups[0] ?? [], wanted);
  const unfit = (tries[index] ?? tries[0] ?? []).filter(({ fit }) => fit !== 'fits');
  return [
    ...sameNamedLosses(where, groups[index] ?? groups[0] ?? [], wanted),
    ...unfit.map(({ choice, fit }) => {
      const { direction } = where.comparison;
      const label = groups[0]?.length === 1 ? 'of its own' : labelOf(where.comparison, choice);
      return finding(`${direction}-values${fit === 'perhaps' ? '-perhaps' : ''}`, where.place, `the shape ${label}`);
    }),
  ];
};

/** What a dry run meets was not reported. */
const dryRunOf = (comparison: Comparison): Comparison => ({
  ...comparison,
  seen: new Set(comparison.seen),
  isDryRun: true,
});

/** What has no alternatives may have several types or values, each of which may lie in another alternative. */
const parted = ({ plain, types = [], values }: Shape): readonly unknown[] => {
  if (values !== undefined) return values.map((value) => ({ allOf: [...plain, { const: value }] }));
  return types.length > 1 ? types.map((type) => ({ allOf: [...plain, { type }] })) : [{ allOf: plain }];
};

type Fit = 'fits' | 'perhaps' | 'never';

/** The alternative at the same place is the first that is tried. */
const fitOf = (where: Where, choice: unknown, wanted: readonly unknown[], index: number): Fit => {
  if (sameNamed(where.comparison, choice, wanted) !== undefined) return 'fits';
  const { comparison, compare, place } = where;
  let best: Fit = 'never';
  for (const each of [...wanted.slice(index, index + 1), ...wanted.filter((_, at) => at !== index)]) {
    const kind = worstForClients(compare(dryRunOf(comparison), choice, each, place));
    if (kind === 'harmless') return 'fits';
    if (kind === 'unknown') best = 'perhaps';
  }
  return best;
};

/** Alternatives of the same name stand for each other: what differs is said of the name. */
const sameNamed = (comparison: Comparison, choice: unknown, wanted: readonly unknown[]): unknown => {
  const { name } = offered(comparison).follow(choice);
  return name === undefined ? undefined : wanted.find((each) => asked(comparison).follow(each).name === name);
};

const sameNamedLosses = (
  { comparison, compare, place }: Where,
  group: readonly unknown[],
  wanted: readonly unknown[],
): Finding[] =>
  group.flatMap((choice) => {
    const match = sameNamed(comparison, choice, wanted);
    return match === undefined ? [] : compare(comparison, choice, match, place);
  });

const labelOf = (comparison: Comparison, choice: unknown): string => {
  const { name } = offered(comparison).follow(choice);
  const types = shapeOf(offered(comparison), choice).types;
  return name ?? (types === undefined ? 'of any type' : `of type ${types.join(' or ')}`);
};
