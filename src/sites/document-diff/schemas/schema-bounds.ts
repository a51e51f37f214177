/** The bounds of a schema: how small and how large a number, a text, a list and an object may be. */
import type { Part } from '../../../openapi/openapi-terms.ts';

const quantities = {
  number: ['minimum', 'maximum', 'numbers below', 'numbers above'],
  string: ['minLength', 'maxLength', 'texts shorter than', 'texts longer than'],
  array: ['minItems', 'maxItems', 'fewer items than', 'more items than'],
  object: ['minProperties', 'maxProperties', 'fewer members than', 'more members than'],
} as const;

type Quantity = keyof typeof quantities;
const quantityNames: readonly Quantity[] = ['number', 'string', 'array', 'object'];

/** `isOpen`: the bound itself is not allowed. */
type Bound = { readonly at: number; readonly isOpen: boolean };
type Range = { readonly low: Bound; readonly high: Bound };

/** No entry: no bound. */
export type Bounds = Readonly<Partial<Record<Quantity, Range>>>;

const endless: Range = { low: { at: -Infinity, isOpen: false }, high: { at: Infinity, isOpen: false } };
/** No text, list or object is smaller than empty. */
const fromNothing: Range = { ...endless, low: { at: 0, isOpen: false } };

const widest = (quantity: Quantity): Range => (quantity === 'number' ? endless : fromNothing);

export const boundsOf = (part: Part): Bounds =>
  Object.fromEntries(
    quantityNames.flatMap((quantity) => {
      const [low, high] = quantities[quantity];
      const range = {
        low: boundOf(part, low, widest(quantity).low, higher),
        high: boundOf(part, high, widest(quantity).high, lower),
      };
      return range.low.at === widest(quantity).low.at && range.high.at === Infinity ? [] : [[quantity, range]];
    }),
  );

type Choose = (one: Bound, other: Bound) => Bound;
const higher: Choose = (one, other) => (isAbove(other, one) ? other : one);
const lower: Choose = (one, other) =>
  isAbove({ ...one, isOpen: !one.isOpen }, { ...other, isOpen: !other.isOpen }) ? other : one;

/** As a lower bound: an open one lies above a closed one. */
const isAbove = (one: Bound, other: Bound): boolean =>
  one.at > other.at || (one.at === other.at && one.isOpen && !other.isOpen);

const exclusiveWords: Readonly<Record<string, string>> = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' };

/** In 3.1 `exclusiveMinimum` is a number of its own, in 3.0 it makes `minimum` open. */
const boundOf = (part: Part, word: string, otherwise: Bound, choose: Choose): Bound => {
  const [plain, exclusive] = [part[word], part[exclusiveWords[word] ?? '']];
  const own = typeof plain === 'number' ? choose(otherwise, { at: plain, isOpen: exclusive === true }) : otherwise;
  return typeof exclusive === 'number' ? choose(own, { at: exclusive, isOpen: true }) : own;
};

export const tighter = (one: Bounds, other: Bounds): Bounds =>
  Object.fromEntries(
    quantityNames.flatMap((quantity) => {
      const [range, narrow] = [one[quantity] ?? other[quantity], other[quantity] ?? one[quantity]];
      if (range === undefined || narrow === undefined) return [];
      return [[quantity, { low: higher(range.low, narrow.low), high: lower(range.high, narrow.high) }] as const];
    }),
  );

/** What of `from` lies outside `to`, for the types that both have: `texts longer than 99`. */
export const outside = (from: Bounds, to: Bounds, types: readonly string[] | undefined): string[] =>
  quantityNames.flatMap((quantity) => {
    const isMeant =
      types === undefined || types.includes(quantity) || (quantity === 'number' && types.includes('integer'));
    const wanted = to[quantity];
    if (!isMeant || wanted === undefined) return [];
    const own = from[quantity] ?? widest(quantity);
    const [, , below, above] = quantities[quantity];
    return [
      ...(higher(own.low, wanted.low) === own.low ? [] : [`${below} ${written(wanted.low)}`]),
      ...(lower(own.high, wanted.high) === own.high ? [] : [`${above} ${written(wanted.high)}`]),
    ];
  });

const written = ({ at, isOpen }: Bound): string => `${at}${isOpen ? ' and that itself' : ''}`;
