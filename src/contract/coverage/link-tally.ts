/** Counts the links in a world's answers, and the links that later requests have followed. */
import type { HostedOperation } from '../../openapi/openapi-host.ts';
import type { RecordedExchange } from '../../exchange/exchange.ts';

/** The links of one relation in the answers of an operation. */
export type RelationCount = {
  readonly operation: string;
  readonly relation: string;
  /** The number of links whose target was not shown shortly before. */
  readonly seen: number;
  /** The number of requests for such a target that were answered with a status below 400. */
  readonly followed: number;
};

type MutableCount = Omit<RelationCount, 'seen' | 'followed'> & { seen: number; followed: number };

const rememberedTargets = 2000;

/** Hears what a process that is one of several cannot count alone: the targets that it shows and those that it is asked for. */
export type LinkListener = {
  /** What follows is of this request. */
  begins(exchange: RecordedExchange): void;
  shown(target: string, relation: Pick<RelationCount, 'operation' | 'relation'>): void;
  asked(target: string): void;
  /** A request that was `asked` is counted as one that follows this relation. */
  followed(target: string, relation: Pick<RelationCount, 'operation' | 'relation'>): void;
};

/** A request follows the links to its target. A link without a query is followed whatever query the request has. */
export const createLinkTally = (listener?: LinkListener) => {
  const byOperation = new Map<string, Map<string, MutableCount>>();
  const targets = createTargets(listener);

  const relationsOf = (operation: string): Map<string, MutableCount> => {
    const known = byOperation.get(operation) ?? new Map<string, MutableCount>();
    byOperation.set(operation, known);
    return known;
  };

  return {
    /** Counts the links of a reply, and the links that its request follows. */
    add: (exchange: RecordedExchange, { id }: HostedOperation): void => {
      const { path, query, baseUrl, replyHeaders, isReused } = exchange;
      listener?.begins(exchange);
      targets.follow(path);
      if (query !== '') targets.follow(`${path}?${query}`);
      const { Link: lines } = replyHeaders;
      if (typeof lines !== 'object' || (isReused && targets.hasSeen(lines, id))) return;
      const relations = relationsOf(id);
      for (const line of lines) {
        const link = readLine(line, baseUrl);
        if (link === undefined) continue;
        const known = relations.get(link.relation) ?? { operation: id, relation: link.relation, seen: 0, followed: 0 };
        if (known.seen === 0) relations.set(link.relation, known);
        targets.show(link.target, known);
      }
    },
    counts: (): RelationCount[] =>
      [...byOperation.values()].flatMap((relations) => [...relations.values()].map((each) => ({ ...each }))),
    /** The counts since the last call. The targets are remembered. */
    take: (): RelationCount[] => {
      const all = [...byOperation.values()].flatMap((relations) => [...relations.values()]);
      const taken = all.filter(({ seen, followed }) => seen > 0 || followed > 0).map((each) => ({ ...each }));
      for (const each of all) each.seen = each.followed = 0;
      return taken;
    },
    clear: (): void => {
      byOperation.clear();
      targets.clear();
    },
  };
};

/** The relations that led to a target, nearly always one. */
type RelationsByTarget = Map<string, MutableCount | Set<MutableCount>>;

/** Remembers the last `rememberedTargets` different targets, or up to twice as many. */
const createTargets = (listener: LinkListener | undefined) => {
  let recent: RelationsByTarget = new Map();
  let previous: RelationsByTarget = new Map();
  let seen = new WeakMap<object, string>();
  const follow = (target: string, relation: MutableCount): void => {
    relation.followed += 1;
    listener?.followed(target, relation);
  };
  return {
    follow: (target: string): void => {
      listener?.asked(target);
      for (const shown of [recent, previous]) {
        const found = shown.get(target);
        if (found instanceof Set) for (const relation of found) follow(target, relation);
        else if (found !== undefined) follow(target, found);
      }
    },
    show: (target: string, relation: MutableCount): void => {
      const known = recent.get(target);
      if (known === relation || (known instanceof Set && known.has(relation))) return;
      relation.seen += 1;
      listener?.shown(target, relation);
      if (known === undefined) recent.set(target, relation);
      else if (known instanceof Set) known.add(relation);
      else recent.set(target, new Set([known, relation]));
      if (recent.size < rememberedTargets) return;
      previous = recent;
      recent = new Map();
      seen = new WeakMap();
    },
    /** True when this array of lines was counted last for this operation. A reused reply has the same array each time, HEAD that of GET. */
    hasSeen: (lines: object, operation: string): boolean => {
      const isKnown = seen.get(lines) === operation;
      if (!isKnown) seen.set(lines, operation);
      return isKnown;
    },
    clear: (): void => {
      recent = new Map();
      previous = new Map();
      seen = new WeakMap();
    },
  };
};

const afterTarget = '>; rel="';

/**
 * Reads a line as `repository/links/typed-link.ts` writes it, with one relation. A target in this world loses its base URL. Searches
 * by position, for speed, because every link of every new answer is read.
 */
const readLine = (
  line: string,
  baseUrl: string,
): { readonly target: string; readonly relation: string } | undefined => {
  const end = line.indexOf(afterTarget);
  if (end < 0) return undefined;
  const start = end + afterTarget.length;
  const isInWorld = line.startsWith(baseUrl, 1);
  return {
    target: line.slice(isInWorld ? 1 + baseUrl.length : 1, end),
    relation: line.slice(start, line.indexOf('"', start)),
  };
};
