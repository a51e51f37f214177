/** Filters recorded requests by the query parameters of `/_atoll/traffic`. */
import type { operations } from '../../client/generated/control.ts';
import { requestVerdictOf, type ExplanationContext } from '../../contract/contract.ts';
import { replyVerdictOf } from './traffic-entry.ts';
import type { RecordedExchange } from '../../exchange/exchange.ts';

/**
 * A request has to match all parameters. The engine has validated them against the document. An id in `since` selects the
 * requests after that id; a time in ISO 8601 selects the requests from that time on.
 */
export type TrafficQuery = Omit<NonNullable<operations['listTraffic']['parameters']['query']>, 'limit'>;

type ExchangePredicate = (exchange: RecordedExchange) => boolean;

export const queryPredicate = (query: TrafficQuery, context: ExplanationContext): ExchangePredicate => {
  const { operation, status, method, path, identity, verdict, advice, since } = query;
  const tests: (ExchangePredicate | false)[] = [
    operation !== undefined && ((one) => one.operation?.id === operation),
    status !== undefined && ((one) => isStatus(one.status, status)),
    method !== undefined && ((one) => one.method === method.toUpperCase()),
    path !== undefined && pathTest(path),
    identity !== undefined && ((one) => nameOf(one) === identity),
    verdict !== undefined && ((one) => hasVerdict(one, verdict, context)),
    advice !== undefined && ((one) => one.observations.advice.length > 0 === (advice === 'some')),
    since !== undefined && sinceTest(since),
  ];
  const active = tests.filter((test) => test !== false);
  return (exchange) => active.every((test) => test(exchange));
};

const isStatus = (status: number, wanted: string): boolean =>
  wanted.endsWith('xx') ? String(status)[0] === wanted[0] : String(status) === wanted;

/** Finds each part at the earliest position. A regular expression would take too long for a hostile pattern. */
const pathTest = (pattern: string): ExchangePredicate => {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return ({ path }) => path === pattern;
  return ({ path }) => {
    if (!path.startsWith(start) || !path.endsWith(end)) return false;
    let reached = start.length;
    for (const part of rest) {
      const found = path.indexOf(part, reached);
      if (found < 0) return false;
      reached = found + part.length;
    }
    return reached <= path.length - end.length;
  };
};

const nameOf = ({ observations: { identity } }: RecordedExchange): string | undefined =>
  identity?.principal.uid === 0 ? 'anonymous' : identity?.principal.name;

const hasVerdict = (exchange: RecordedExchange, wanted: string, context: ExplanationContext): boolean =>
  wanted === 'reply-broken'
    ? replyVerdictOf(exchange, true) === 'broken'
    : requestVerdictOf(exchange, context) === wanted;

const sinceTest = (since: string): ExchangePredicate => {
  if (/^\d+$/.test(since)) return ({ id }) => id > Number(since);
  const from = Date.parse(since);
  return ({ at }) => at >= from;
};
