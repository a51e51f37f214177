/** Counts what clients have met of the contract in one world: answers, and links that were shown and followed. */
import type { Identity } from '../model/principal.ts';
import type { Operation } from '../document/operation.ts';
import { createLinkTally, type RelationCount } from './link-tally.ts';
import type { Exchanged } from '../traffic/traffic-log.ts';

/** Answers of one kind. `mediaType` as the document has it, null for an answer without a body. */
export type AnswerCount = {
  readonly operation: string;
  readonly status: number;
  readonly mediaType: string | null;
  /** `anonymous`; or `authenticated` and every role; none where nobody asked who it was before the answer was clear. */
  readonly identities: readonly string[];
  readonly count: number;
};

export type CoverageCounts = { readonly answers: readonly AnswerCount[]; readonly relations: readonly RelationCount[] };

export type CoverageTally = {
  add(exchanged: Exchanged): void;
  /** Everything, once the replies that are still to be checked have been. */
  counts(): Promise<CoverageCounts>;
  /** What has been counted so far, those included that are still to be checked. */
  countsNow(): CoverageCounts;
  clear(): void;
};

/** So many answers are counted at once. */
const batch = 64;

/**
 * An empty tally. An answer counts when it keeps the contract and reaches the client whole; `HEAD` where the document has
 * an operation for it, `OPTIONS` never.
 */
export const createCoverageTally = (): CoverageTally => {
  const answers = createAnswerTally();
  const links = createLinkTally();
  let waiting: Exchanged[] = [];

  const settle = (): void => {
    const settled = waiting;
    waiting = [];
    for (const exchanged of settled) {
      const { operation } = exchanged;
      if (operation === undefined || !keepsContract(exchanged, operation)) continue;
      answers.add(exchanged, operation);
      if (exchanged.status < 400) links.add(exchanged, operation);
    }
  };

  const countsNow = (): CoverageCounts => {
    settle();
    return {
      answers: answers.counts(),
      relations: links.counts(),
    };
  };

  return {
    add: (exchanged) => {
      waiting.push(exchanged);
      // The engine checks a logged reply in an immediate of its own, asked for before this one.
      if (waiting.length === batch) setImmediate(settle);
    },
    counts: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return countsNow();
    },
    countsNow,
    clear: () => {
      waiting = [];
      answers.clear();
      links.clear();
    },
  };
};

/** A count that goes on. */
type Counting<T> = Omit<T, 'count'> & { count: number };

const keepsContract = ({ method, status, findings, disturbance }: Exchanged, operation: Operation): boolean =>
  operation.method === method &&
  disturbance === undefined &&
  findings.replyViolations.length === 0 &&
  operation.responses.has(status);

/** What tells two answers of an operation apart without making a text of it. */
type Kind = {
  readonly status: number;
  readonly contentType: string | readonly string[] | undefined;
  readonly identity: Identity['principal'] | undefined;
  readonly count: Counting<AnswerCount> | undefined;
};

/** So many kinds of answers of one operation are known at sight; principals come and go. */
const mostKinds = 64;

const createAnswerTally = () => {
  const counts = new Map<string, Counting<AnswerCount>>();
  // Each reading of the document makes operations of its own; those of earlier ones may go.
  let kinds = new WeakMap<Operation, Kind[]>();
  const countFor = ({ status, replyHeaders, findings, method }: Exchanged, operation: Operation): Kind['count'] => {
    const documented = operation.responses.get(status) ?? [];
    const mediaType = method === 'HEAD' ? null : documentedType(documented, replyHeaders['Content-Type']);
    // A body that the document does not have: a fault on demand has made it.
    if (mediaType === undefined) return undefined;
    const identities = identitiesOf(findings.identity);
    const key = `${operation.id} ${status} ${mediaType} ${identities.join()}`;
    const known = counts.get(key) ?? { operation: operation.id, status, mediaType, identities, count: 0 };
    counts.set(key, known);
    return known;
  };
  return {
    add: (exchanged: Exchanged, operation: Operation): void => {
      const { status, replyHeaders, findings } = exchanged;
      const contentType = replyHeaders['Content-Type'];
      const identity = findings.identity?.principal;
      const known = kinds.get(operation) ?? [];
      let kind = known.find(
        (each) => each.status === status && each.identity === identity && each.contentType === contentType,
      );
      if (kind === undefined) {
        kind = { status, contentType, identity, count: countFor(exchanged, operation) };
        kinds.set(operation, [kind, ...known.slice(0, mostKinds - 1)]);
      }
      if (kind.count !== undefined) kind.count.count += 1;
    },
    counts: (): AnswerCount[] => [...counts.values()].map((each) => ({ ...each })),
    clear: (): void => {
      counts.clear();
      kinds = new WeakMap();
    },
  };
};

/** Null where the document has no body; undefined where it has others. */
const documentedType = (
  documented: readonly string[],
  header: string | readonly string[] | undefined,
): string | null | undefined => {
  if (documented.length === 0) return null;
  const type = typeof header === 'string' ? header.split(';', 1)[0] : undefined;
  return documented.find((each) => each === type) ?? documented.find((each) => each === '*/*');
};

const anonymous: readonly string[] = ['anonymous'];

const identitiesOf = (identity: Identity | undefined): readonly string[] => {
  if (identity === undefined) return [];
  const { uid, roles } = identity.principal;
  return uid === 0 ? anonymous : ['authenticated', ...roles];
};

/** What several worlds, or several runs, have met together. */
export const sumOfCounts = (counts: readonly CoverageCounts[]): CoverageCounts => ({
  answers: summed(
    counts.flatMap(({ answers }) => answers),
    ({ operation, status, mediaType, identities }) => `${operation} ${status} ${mediaType} ${identities.join()}`,
    (a, b) => ({ ...a, count: a.count + b.count }),
  ),
  relations: summed(
    counts.flatMap(({ relations }) => relations),
    ({ operation, relation }) => `${operation} ${relation}`,
    (a, b) => ({ ...a, seen: a.seen + b.seen, followed: a.followed + b.followed }),
  ),
});

const summed = <T>(items: readonly T[], keyOf: (item: T) => string, add: (a: T, b: T) => T): T[] => {
  const sums = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    const known = sums.get(key);
    sums.set(key, known === undefined ? item : add(known, item));
  }
  return [...sums.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
};
