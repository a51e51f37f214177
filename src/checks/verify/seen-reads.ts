/** Keeps the answers to reads until a request may change something. Checks that ask for the same thing share one exchange. */
import { headerValue } from '../../exchange/exchange.ts';
import type { AskedRequest } from './check.ts';

/** Sends a read unless another reader has its answer already. */
type Reader<T> = (request: AskedRequest, send: () => Promise<T>) => Promise<T>;

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request leaves the target as it is. A log-out by GET does not, and a method in a header is the method. */
export const isRead = ({ method = 'GET', path, headers = [] }: AskedRequest): boolean =>
  reading.has(method) &&
  !path.startsWith('/user/logout') &&
  headerValue(headers, 'x-http-method-override') === undefined;

const keyOf = ({ method = 'GET', path, as, by, headers = [], json, body }: AskedRequest): string =>
  JSON.stringify([method, path, as?.name, by, headers, json, body]);

export const createSeenReads = <T>() => {
  let known = new Map<string, Promise<T>>();
  const reader = (): Reader<T> => {
    let times = { of: known, counts: new Map<string, number>() };
    return (request, send) => {
      const seen = known;
      if (times.of !== seen) times = { of: seen, counts: new Map() };
      const read = keyOf(request);
      const count = (times.counts.get(read) ?? 0) + 1;
      times.counts.set(read, count);
      const key = `${count} ${read}`;
      const before = seen.get(key);
      // The check that sent it may have been given up.
      if (before !== undefined) return before.catch(send);
      const sent = send();
      seen.set(key, sent);
      sent.catch(() => seen.delete(key));
      return sent;
    };
  };
  return {
    /**
     * A reader for each check. What a check asks twice it gets twice: the second answer may be another one. So the second time of one
     * check is shared with the second time of another one.
     */
    reader,
    /** What was seen may hold no more. */
    forget: (): void => {
      known = new Map();
    },
  };
};

export type SeenReads<T> = ReturnType<typeof createSeenReads<T>>;
