/** Which remembered requests are meant: the parameters that every question about traffic understands. */
import type { Explaining } from './violations.ts';
import { replyVerdictOf, requestVerdictOf } from './traffic-entry.ts';
import type { Exchanged } from './traffic-log.ts';

/** All of what is given has to hold. The document has held each to its form. */
export type TrafficQuery = {
  readonly operation?: string | undefined;
  /** `404`, or `4xx`. */
  readonly status?: string | undefined;
  readonly method?: string | undefined;
  /** Within the world, without its query; `*` stands for any text. */
  readonly path?: string | undefined;
  /** The name of an account, or `anonymous`. */
  readonly identity?: string | undefined;
  /** Of the request `kept`, `lenient` or `broken`; `reply-broken` of the reply. */
  readonly verdict?: string | undefined;
  /** An id: those after it. Or an instant in ISO 8601: those from then on. */
  readonly since?: string | undefined;
};

export type Matches = (exchanged: Exchanged) => boolean;

/** The question as a test of one request. */
export const matchesOf = (query: TrafficQuery, explaining: Explaining): Matches => {
  const { operation, status, method, path, identity, verdict, since } = query;
  const tests: (Matches | false)[] = [
    operation !== undefined && ((one) => one.operation?.id === operation),
    status !== undefined && ((one) => isStatus(one.status, status)),
    method !== undefined && ((one) => one.method === method.toUpperCase()),
    path !== undefined && pathTest(path),
    identity !== undefined && ((one) => nameOf(one) === identity),
    verdict !== undefined && ((one) => hasVerdict(one, verdict, explaining)),
    since !== undefined && sinceTest(since),
  ];
  const asked = tests.filter((test) => test !== false);
  return (exchanged) => asked.every((test) => test(exchanged));
};

const isStatus = (status: number, wanted: string): boolean =>
  wanted.endsWith('xx') ? String(status)[0] === wanted[0] : String(status) === wanted;

/** Part by part, each as early as it goes: a regular expression would try every combination of a hostile pattern. */
const pathTest = (pattern: string): Matches => {
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

const nameOf = ({ findings: { identity } }: Exchanged): string | undefined =>
  identity?.principal.uid === 0 ? 'anonymous' : identity?.principal.name;

const hasVerdict = (exchanged: Exchanged, wanted: string, explaining: Explaining): boolean =>
  wanted === 'reply-broken'
    ? replyVerdictOf(exchanged, true) === 'broken'
    : requestVerdictOf(exchanged, explaining) === wanted;

const sinceTest = (since: string): Matches => {
  if (/^\d+$/.test(since)) return ({ id }) => id > Number(since);
  const from = Date.parse(since);
  return ({ at }) => at >= from;
};
