/** Counts the links that a world's answers have shown, and those of them that a later request has followed. */
import type { Operation } from '../document/operation.ts';
import type { Exchanged } from '../traffic/traffic-log.ts';

/** Links of one relation in the answers of an operation. */
export type RelationCount = {
  readonly operation: string;
  readonly relation: string;
  /** Links with a target that was not shown a short while before. */
  readonly seen: number;
  /** Requests for such a target that were answered well. */
  readonly followed: number;
};

/** A count that goes on. */
type Relation = Omit<RelationCount, 'seen' | 'followed'> & { seen: number; followed: number };

/** Targets are remembered until so many others have been shown, or at most twice as many. */
const rememberedTargets = 2000;

export type LinkTally = {
  /** A reply, with whatever links it has, to a request that may follow one. */
  add(exchanged: Exchanged, operation: Operation): void;
  counts(): RelationCount[];
  clear(): void;
};

/** A link is followed by a request for its target; for a target without a query, whatever query the request has. */
export const createLinkTally = (): LinkTally => {
  const byOperation = new Map<string, Map<string, Relation>>();
  const targets = createTargets();

  const relationsOf = (operation: string): Map<string, Relation> => {
    const known = byOperation.get(operation) ?? new Map<string, Relation>();
    byOperation.set(operation, known);
    return known;
  };

  return {
    add: ({ path, query, baseUrl, replyHeaders, isLasting }, { id }) => {
      targets.follow(path);
      if (query !== '') targets.follow(`${path}?${query}`);
      const { Link: lines } = replyHeaders;
      if (typeof lines !== 'object' || (isLasting && targets.haveSeen(lines))) return;
      const relations = relationsOf(id);
      for (const line of lines) {
        const link = readLine(line, baseUrl);
        if (link === undefined) continue;
        const known = relations.get(link.relation) ?? { operation: id, relation: link.relation, seen: 0, followed: 0 };
        if (known.seen === 0) relations.set(link.relation, known);
        targets.show(link.target, known);
      }
    },
    counts: () =>
      [...byOperation.values()].flatMap((relations) => [...relations.values()].map((each) => ({ ...each }))),
    clear: () => {
      byOperation.clear();
      targets.clear();
    },
  };
};

/** What a target was shown as, nearly always one relation. */
type ShownAs = Map<string, Relation | Set<Relation>>;

/** The targets that were shown not long ago: the last `rememberedTargets` different ones, or up to twice as many. */
const createTargets = () => {
  let young: ShownAs = new Map();
  let old: ShownAs = new Map();
  let seen = new WeakSet<object>();
  return {
    follow: (target: string): void => {
      for (const shown of [young, old]) {
        const found = shown.get(target);
        if (found instanceof Set) for (const relation of found) relation.followed += 1;
        else if (found !== undefined) found.followed += 1;
      }
    },
    show: (target: string, relation: Relation): void => {
      const known = young.get(target);
      if (known === relation || (known instanceof Set && known.has(relation))) return;
      relation.seen += 1;
      if (known === undefined) young.set(target, relation);
      else if (known instanceof Set) known.add(relation);
      else young.set(target, new Set([known, relation]));
      if (young.size < rememberedTargets) return;
      old = young;
      young = new Map();
      seen = new WeakSet();
    },
    /** Whether these very links have come by already: a reply that was kept shows them again and again. */
    haveSeen: (lines: object): boolean => {
      const known = seen.has(lines);
      if (!known) seen.add(lines);
      return known;
    },
    clear: (): void => {
      young = new Map();
      old = new Map();
      seen = new WeakSet();
    },
  };
};

const afterTarget = '>; rel="';

/**
 * A line as `links/typed-link.ts` alone writes it, with one relation; a target of this world without its base URL. Found
 * by position: this is done for every link of every answer that was made anew.
 */
const readLine = (
  line: string,
  baseUrl: string,
): { readonly target: string; readonly relation: string } | undefined => {
  const end = line.indexOf(afterTarget);
  if (end < 0) return undefined;
  const start = end + afterTarget.length;
  const isHere = line.startsWith(baseUrl, 1);
  return {
    target: line.slice(isHere ? 1 + baseUrl.length : 1, end),
    relation: line.slice(start, line.indexOf('"', start)),
  };
};
