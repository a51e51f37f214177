/** Chooses the recorded answer to a request: the next one that the same request got, and the last one ever after. */
import { parsedJson } from '../../../basics/json.ts';
import { readBasic } from '../../../basics/formats/basic-credentials.ts';
import { createHash } from 'node:crypto';
import { type ReadExchange, comparableBody, comparablePath } from '../../../exchange/exchange-files.ts';
import { headerValue, headerValues, type WireRequest } from '../../../exchange/exchange.ts';

/** Path and query, with the parameters in the order of their names. */
const placeOf = (path: string): string => {
  const plain = comparablePath(path);
  const mark = plain.indexOf('?');
  if (mark < 0) return plain;
  const parameters = plain
    .slice(mark + 1)
    .split('&')
    .filter((one) => one !== '');
  return `${plain.slice(0, mark)}?${parameters.sort().join('&')}`;
};

/** What a body says. JSON with other blanks says the same. */
const bodyKeyOf = (request: WireRequest): string => {
  const { body } = request;
  if (body.bytes === 0) return '';
  if (!body.isWhole) return body.sha256;
  const said = comparableBody(request);
  return createHash('sha256')
    .update(typeof said === 'string' ? jsonAlike(said) : said)
    .digest('hex');
};

const jsonAlike = (text: string): string => {
  const value = parsedJson(text);
  return value === undefined ? text : JSON.stringify(value);
};

/** Whether a request carries credentials: other cookies than those of a session say nothing. */
const hasCredentials = ({ headers }: Pick<WireRequest, 'headers'>): boolean =>
  headerValue(headers, 'authorization') !== undefined ||
  headerValues(headers, 'cookie').some((cookie) => /(?:^|;\s*)(?:[^=;]*sess[^=;]*|sid)=|^\[redacted\]$/i.test(cookie));

/** The lines with credentials as one text. */
const credentialsOf = ({ headers }: Pick<WireRequest, 'headers'>): string =>
  ['authorization', 'cookie'].map((name) => headerValues(headers, name).join('; ')).join('\n');

/** A recorded exchange, or why there is none, in one sentence. */
type Chosen = { readonly exchange: ReadExchange } | { readonly reason: string };

/** The same requests in the same order get the same answers. */
export const createReplay = (exchanges: readonly ReadExchange[]) => {
  const byPlace = new Map<string, ReadExchange[]>();
  for (const exchange of exchanges) {
    const key = keyOf(exchange.request);
    byPlace.set(key, [...(byPlace.get(key) ?? []), exchange]);
  }
  /** By the numbers of a group: how many of its answers were given. */
  const given = new Map<string, number>();

  const next = (group: readonly ReadExchange[], isLook: boolean): Chosen => {
    const name = group.map(({ number }) => number).join();
    const count = given.get(name) ?? 0;
    if (!isLook) given.set(name, count + 1);
    const at = Math.min(isLook ? Math.max(count - 1, 0) : count, group.length - 1);
    const exchange = group[at];
    return exchange === undefined ? { reason: '' } : { exchange };
  };
  return {
    choose: (request: WireRequest): Chosen => {
      const own = byPlace.get(keyOf(request));
      // The head of what a GET gets. It is no GET of its own, so it takes no answer away from one.
      const isLook = own === undefined && request.method === 'HEAD';
      const recorded = isLook ? byPlace.get(keyOf({ ...request, method: 'GET' })) : own;
      if (recorded === undefined) return { reason: unknownText(request, exchanges) };
      const sameCaller = ofCaller(recorded, request);
      if (sameCaller.length === 0) return { reason: callerText(request) };
      const sameBody = ofBody(sameCaller, request);
      if (sameBody.length === 0) return { reason: bodyText(request, sameCaller) };
      const group = ofConditions(sameBody, request);
      return next(group.length === 0 ? sameBody : group, isLook);
    },
  };
};

const keyOf = ({ method, path }: Pick<WireRequest, 'method' | 'path'>): string => `${method} ${placeOf(path)}`;

/** Those with the very credentials, which a client may have from a replayed login; else of the account; else any that have some. */
const ofCaller = (recorded: readonly ReadExchange[], request: WireRequest): readonly ReadExchange[] => {
  const isKnown = hasCredentials(request);
  const alike = recorded.filter((exchange) => hasCredentials(exchange.request) === isKnown);
  if (!isKnown) return alike;
  const credentials = credentialsOf(request);
  const very = alike.filter((exchange) => credentialsOf(exchange.request) === credentials);
  if (very.length > 0) return very;
  const account = readBasic(headerValue(request.headers, 'authorization'))?.name;
  const ofAccount = account === undefined ? [] : alike.filter((exchange) => exchange.account === account);
  return ofAccount.length > 0 ? ofAccount : alike;
};

/** A body counts only when several were recorded: then it says which answer is meant. */
const ofBody = (recorded: readonly ReadExchange[], request: WireRequest): readonly ReadExchange[] => {
  const keys = recorded.map((exchange) => bodyKeyOf(exchange.request));
  if (new Set(keys).size <= 1) return recorded;
  const own = bodyKeyOf(request);
  return recorded.filter((_, at) => keys[at] === own);
};

/** An answer with a part, or with nothing new, belongs to a request that asked for that. */
const ofConditions = (recorded: readonly ReadExchange[], request: WireRequest): readonly ReadExchange[] => {
  const conditions = ['range', 'if-none-match', 'if-modified-since'];
  const textOf = ({ headers }: WireRequest): string =>
    conditions.map((name) => headerValue(headers, name) ?? '').join('\n');
  const own = textOf(request);
  const same = recorded.filter((exchange) => textOf(exchange.request) === own);
  if (same.length > 0) return same;
  return recorded.filter(({ reply }) => reply.status !== 206 && reply.status !== 304 && reply.status !== 416);
};

const shown = ({ method, path }: Pick<WireRequest, 'method' | 'path'>): string => `${method} ${path.slice(0, 300)}`;

const callerText = (request: WireRequest): string =>
  `${shown(request)} was recorded ${hasCredentials(request) ? 'without credentials only. Leave them out' : 'with credentials only. Send some'}.`;

const bodyText = (request: WireRequest, recorded: readonly ReadExchange[]): string =>
  `${shown(request)} was recorded with ${recorded.length} other bodies: see ${recorded[0]?.file ?? ''}.`;

const unknownText = (request: WireRequest, exchanges: readonly ReadExchange[]): string => {
  const nearest = nearestTo(request, exchanges);
  const remedy =
    nearest === undefined
      ? 'The recording is empty.'
      : `The nearest recorded request is ${shown(nearest.request)} (${nearest.file}).`;
  return `${shown(request)} was not recorded. ${remedy}`;
};

/** The one whose address has most in common with that of the request, the same method before another one. */
const nearestTo = ({ method, path }: WireRequest, exchanges: readonly ReadExchange[]): ReadExchange | undefined => {
  const scored = exchanges.map((exchange) => ({
    exchange,
    score: alikeness(exchange.request.path, path) * 2 + (exchange.request.method === method ? 1 : 0),
  }));
  return scored.sort((a, b) => b.score - a.score)[0]?.exchange;
};

/** How many signs two texts have in common at their beginning and at their end, less the rest of the longer one. */
const alikeness = (a: string, b: string): number => {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return start + end - (Math.max(a.length, b.length) - start - end);
};
