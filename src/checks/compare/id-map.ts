/** Remembers which id of the target stands for which id of Atoll, and the same for uuids, secrets, sessions and validators. */
import { otherSide, type Side } from './difference.ts';

/** `<type>_revision` for ids of revisions. */
export type IdKind =
  'node' | 'media' | 'file' | 'taxonomy_term' | 'user' | `${string}_revision` | 'path_alias' | 'redirect';
type PairKind = IdKind | 'uuid' | 'secret' | 'cookie' | 'etag';

export type Pair = { readonly kind: PairKind; readonly target: string; readonly atoll: string };

export type Pairs = {
  /** The id on the other side. Undefined when none is known. */
  counterpart(kind: PairKind, id: string, of: Side): string | undefined;
  /** Whether all of these may stand for each other. If so they do from now on; an id stands for one other only. */
  meet(pairs: readonly Pair[]): boolean;
  /** Pairs two ids whatever was known of them: a server has just said that it made them. */
  learn(pair: Pair): void;
  /** Notes that the target has made a record that Atoll has not. */
  miss(kind: PairKind, target: string): void;
  isMissing(kind: PairKind, target: string): boolean;
  /** Forgets all pairs of a kind. */
  forget(kind: PairKind): void;
  /** How many are known. */
  size(): number;
};

/** The oldest pairs beyond this number of a kind are forgotten, so that a long run needs no more memory. */
const maxPairs = 200_000;

/** Both servers issue new ones of these at any time: the last pair counts. */
const changing: ReadonlySet<PairKind> = new Set(['secret', 'cookie', 'etag']);

type Known = { readonly target: Map<string, string>; readonly atoll: Map<string, string> };

export const createPairs = (): Pairs => {
  const kinds = new Map<PairKind, Known>();
  const missing = new Set<string>();
  const of = (kind: PairKind): Known => {
    const known = kinds.get(kind) ?? { target: new Map<string, string>(), atoll: new Map<string, string>() };
    kinds.set(kind, known);
    return known;
  };
  const remove = (known: Known, side: Side, id: string): void => {
    const other = known[side].get(id);
    known[side].delete(id);
    if (other !== undefined && known[otherSide(side)].get(other) === id) known[otherSide(side)].delete(other);
  };
  const learn = ({ kind, target, atoll }: Pair): void => {
    const known = of(kind);
    remove(known, 'target', target);
    if (!changing.has(kind)) remove(known, 'atoll', atoll);
    known.target.set(target, atoll);
    known.atoll.set(atoll, target);
    const [oldest] = known.target.keys();
    if (known.target.size > maxPairs && oldest !== undefined) remove(known, 'target', oldest);
  };
  const fits = ({ kind, target, atoll }: Pair): boolean => {
    if (changing.has(kind)) return true;
    const { target: ours, atoll: theirs } = of(kind);
    return (ours.get(target) ?? atoll) === atoll && (theirs.get(atoll) ?? target) === target;
  };
  const agree = (pairs: readonly Pair[]): boolean =>
    pairs.every((one) =>
      pairs.every((other) => one.kind !== other.kind || (one.target === other.target) === (one.atoll === other.atoll)),
    );
  return {
    counterpart: (kind, id, side) => kinds.get(kind)?.[side].get(id),
    meet: (pairs) => {
      if (!pairs.every(fits) || !agree(pairs.filter(({ kind }) => !changing.has(kind)))) return false;
      pairs.forEach(learn);
      return true;
    },
    learn: (pair) => {
      missing.delete(`${pair.kind} ${pair.target}`);
      learn(pair);
    },
    miss: (kind, target) => {
      if (missing.size < maxPairs) missing.add(`${kind} ${target}`);
    },
    isMissing: (kind, target) => missing.has(`${kind} ${target}`),
    forget: (kind) => void kinds.delete(kind),
    size: () => [...kinds.values()].reduce((sum, { target }) => sum + target.size, 0),
  };
};
