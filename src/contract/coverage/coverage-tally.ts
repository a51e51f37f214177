/** Counts which parts of the contract clients have used in one world: answers, and links that were shown and followed. */
import { documentedType, readMediaType } from '../../openapi/openapi-terms.ts';
import type { Awaitable } from '../../basics/awaitable.ts';
import { responseTypes, type HostedIdentity, type HostedOperation } from '../../openapi/openapi-host.ts';
import { adviceKey, createAdviceTally, type AdviceCount } from './advice-tally.ts';
import { createLinkTally, type LinkListener, type RelationCount } from './link-tally.ts';
import type { RecordedExchange } from '../../exchange/exchange.ts';

/** Answers of one kind. `mediaType` is written as in the document; null for an answer without a body. */
type AnswerCount = {
  readonly operation: string;
  readonly status: number;
  readonly mediaType: string | null;
  /** `anonymous`, or `authenticated` and every role. Empty when the request was answered before authentication. */
  readonly identities: readonly string[];
  readonly count: number;
};

export type CoverageCounts = {
  readonly answers: readonly AnswerCount[];
  readonly relations: readonly RelationCount[];
  readonly advice: readonly AdviceCount[];
};

/** The coverage of a world, where it is kept. */
export type CoverageTally = {
  add(exchange: RecordedExchange): void;
  /** Waits until every reply so far has been checked. */
  counts(): Promise<CoverageCounts>;
  clear(): Awaitable<void>;
};

/** The same in memory. */
export type LocalTally = Omit<CoverageTally, 'clear'> & {
  /** Counts replies that have not been checked yet as if they kept the contract. */
  countsNow(): CoverageCounts;
  /** The counts since the last call of this. Which links were shown is remembered. */
  takeNow(): CoverageCounts;
  clear(): void;
};

/** The number of answers that are counted together. */
const batchSize = 64;

/**
 * An answer counts when it keeps the contract and is sent completely. `HEAD` counts when the document has an operation for
 * it, `OPTIONS` never.
 */
export const createCoverageTally = (listener?: LinkListener): LocalTally => {
  const answers = createAnswerTally();
  const links = createLinkTally(listener);
  const advice = createAdviceTally();
  let waiting: RecordedExchange[] = [];

  const countWaiting = (): void => {
    const batch = waiting;
    waiting = [];
    for (const exchange of batch) {
      const { operation } = exchange;
      if (operation === undefined) continue;
      advice.add(exchange, operation.id);
      if (!keepsContract(exchange, operation)) continue;
      answers.add(exchange, operation);
      if (exchange.status < 400) links.add(exchange, operation);
    }
  };

  const countsNow = (): CoverageCounts => {
    countWaiting();
    return {
      answers: answers.counts(),
      relations: links.counts(),
      advice: advice.counts(),
    };
  };

  return {
    add: (exchange) => {
      waiting.push(exchange);
      // With `--check-replies log` the engine has scheduled the check of the reply with an earlier `setImmediate`.
      if (waiting.length === batchSize) setImmediate(countWaiting);
    },
    counts: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return countsNow();
    },
    countsNow,
    takeNow: () => {
      countWaiting();
      return { answers: answers.take(), relations: links.take(), advice: advice.take() };
    },
    clear: () => {
      waiting = [];
      answers.clear();
      links.clear();
      advice.clear();
    },
  };
};

type MutableCount = Omit<AnswerCount, 'count'> & { count: number };

const keepsContract = (
  { method, status, observations, transmissionFault, isUnchecked }: RecordedExchange,
  operation: HostedOperation,
): boolean =>
  operation.method === method &&
  isUnchecked !== true &&
  transmissionFault === undefined &&
  observations.replyViolations.length === 0 &&
  responseTypes(operation, status) !== undefined;

/** Distinguishes the answers of an operation without building the text key of `counts` each time. */
type Kind = {
  readonly status: number;
  readonly contentType: string | readonly string[] | undefined;
  readonly identity: HostedIdentity['principal'] | undefined;
  readonly count: MutableCount | undefined;
};

/** The most kinds kept for an operation. Without a limit each new principal would add some. */
const maxKinds = 64;

const createAnswerTally = () => {
  const counts = new Map<string, MutableCount>();
  // A reload creates new operations. The weak map keeps none of the old document in memory.
  let kinds = new WeakMap<HostedOperation, Kind[]>();
  const countFor = (
    { status, replyHeaders, observations, method }: RecordedExchange,
    operation: HostedOperation,
  ): Kind['count'] => {
    const documented = responseTypes(operation, status) ?? [];
    const mediaType = method === 'HEAD' ? null : typeIn(documented, replyHeaders['Content-Type']);
    // The document has no such body, so a fault on demand has made the reply.
    if (mediaType === undefined) return undefined;
    const identities = identitiesOf(observations.identity, operation);
    const key = `${operation.id} ${status} ${mediaType} ${identities.join()}`;
    const known = counts.get(key) ?? { operation: operation.id, status, mediaType, identities, count: 0 };
    counts.set(key, known);
    return known;
  };
  return {
    add: (exchange: RecordedExchange, operation: HostedOperation): void => {
      const { status, replyHeaders, observations } = exchange;
      const contentType = replyHeaders['Content-Type'];
      const identity = observations.identity?.principal;
      const known = kinds.get(operation) ?? [];
      let kind = known.find(
        (each) => each.status === status && each.identity === identity && each.contentType === contentType,
      );
      if (kind === undefined) {
        kind = { status, contentType, identity, count: countFor(exchange, operation) };
        kinds.set(operation, [kind, ...known.slice(0, maxKinds - 1)]);
      }
      if (kind.count !== undefined) kind.count.count += 1;
    },
    counts: (): AnswerCount[] => [...counts.values()].map((each) => ({ ...each })),
    /** The counts since the last call. */
    take: (): AnswerCount[] => {
      const taken = [...counts.values()].filter(({ count }) => count > 0).map((each) => ({ ...each }));
      for (const each of counts.values()) each.count = 0;
      return taken;
    },
    clear: (): void => {
      counts.clear();
      kinds = new WeakMap();
    },
  };
};

/** Null when the document has no body for the answer, undefined when it has only other media types. */
const typeIn = (
  documented: readonly string[],
  header: string | readonly string[] | undefined,
): string | null | undefined => {
  if (documented.length === 0) return null;
  const type = typeof header === 'string' ? readMediaType(header) : undefined;
  return type === undefined ? documented.find((each) => each === '*/*') : documentedType(documented, type);
};

const anonymous: readonly string[] = ['anonymous'];

const identitiesOf = (identity: HostedIdentity | undefined, { responseRanges }: HostedOperation): readonly string[] => {
  // Documents of one's own know no accounts.
  if (identity === undefined) return responseRanges === undefined ? [] : anonymous;
  const { uid, roles } = identity.principal;
  return uid === 0 ? anonymous : ['authenticated', ...roles];
};

/** Adds the counts of several worlds or runs. */
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
  advice: summed(
    counts.flatMap(({ advice }) => advice),
    adviceKey,
    (a, b) => ({ ...a, count: a.count + b.count }),
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
