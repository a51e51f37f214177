/** Judges a request by itself against the document, where its answer was ordered and says nothing of it. */
import { parsedJson } from '../basics/json.ts';
import type { ContractViolation } from '../core/document/contract-violation.ts';
import type { Operation } from '../core/document/operation.ts';
import type { Backend } from '../core/engine/backend.ts';
import { hasBody, type PlainRequest } from '../core/engine/exchange.ts';
import { chooseFormat, prefersPage, requireContentType } from '../core/engine/negotiation.ts';
import { pathValues, queryValues, readQuery } from '../core/engine/path-parameters.ts';
import type { Router } from '../core/engine/router.ts';
import { Problem } from '../core/problem.ts';
import type { RecordedExchange } from '../exchange/recorded-exchange.ts';

type JudgeContext = { readonly router: Router; readonly backend: Pick<Backend, 'requestViolations'> };

type Judgement = {
  /** Statuses that the path, the method, the head or the syntax of the body deserve. */
  readonly refused: readonly (400 | 404 | 405 | 406 | 415)[];
  /** What breaks a schema. Empty where anything is refused already. */
  readonly violations: readonly ContractViolation[];
};

const nothing: Judgement = { refused: [], violations: [] };

/** In the order of the engine. It leaves out what only the repository can say, such as a 404 for a record or a 413. */
export const judgeByItself = (exchange: RecordedExchange, { router, backend }: JudgeContext): Judgement => {
  const { operation, path, query, headers, isUnchecked } = exchange;
  const match = router.match(path);
  const parameters = readQuery(query);
  const formatName = parameters.get('_format') || undefined;
  if (formatName === undefined && prefersPage(exchange)) return nothing;
  if (operation === undefined) {
    if (exchange.method === 'OPTIONS') return nothing;
    if (match !== undefined) return { ...nothing, refused: [405] };
    // Which paths are aliases of records only a target knows.
    return isUnchecked === true ? nothing : { ...nothing, refused: [404] };
  }
  const head = refusedHead(operation, headers, { formatName, path });
  if (head.length > 0) return { ...nothing, refused: head };
  const params = match === undefined ? {} : pathValues(operation, match);
  const body = bodyOf(exchange, operation);
  if (body === 'malformed') return { ...nothing, refused: [400] };
  const violations = backend
    .requestViolations(operation, {
      params,
      query: { ...withoutUndefined(queryValues(operation, parameters)), ...formatOf(operation, formatName) },
      headers: withoutUndefined(Object.fromEntries(operation.headerNames.map((name) => [name, headers[name]]))),
      ...(body === undefined || body === 'unknown' ? {} : { body }),
    })
    // An id of another form is that of a record which is not there.
    .filter(({ pointer }) => !pointer.startsWith('/path'))
    .filter(({ pointer }) => body !== 'unknown' || /^\/(query|header)/.test(pointer));
  return { ...nothing, violations };
};

const refusedHead = (
  operation: Operation,
  headers: PlainRequest['headers'],
  { formatName, path }: { readonly formatName: string | undefined; readonly path: string },
): (406 | 415)[] => {
  const isBodyExpected = !operation.isBodyOptional || hasBody(headers);
  return [
    ...(isBodyExpected && isRefused(() => requireContentType(operation, headers, formatName)) ? [415 as const] : []),
    ...(isRefused(() => chooseFormat(operation, formatName, path)) ? [406 as const] : []),
  ];
};

const isRefused = (check: () => unknown): boolean => {
  try {
    check();
    return false;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return true;
  }
};

/** The JSON of a request. `unknown` for a body that was not recorded whole. */
const bodyOf = (
  { headers, requestBody: { bytes, text } }: RecordedExchange,
  operation: Operation,
): object | 'unknown' | 'malformed' | undefined => {
  if (operation.body === 'none') return undefined;
  if (operation.body === 'bytes') return 'unknown';
  if (!hasBody(headers)) return operation.isBodyOptional ? {} : 'malformed';
  const length = headers['content-length'];
  if (text === undefined || (length !== undefined && Number(length) !== bytes)) return 'unknown';
  const body = parsedJson(text);
  if (body === undefined) return length === undefined ? 'unknown' : 'malformed';
  // The validators would parse a text again, and take null for an absent body.
  return typeof body === 'object' && body !== null ? body : { '(no object)': body };
};

const formatOf = ({ format }: Operation, name: string | undefined): Record<string, string> =>
  format === undefined || name === undefined ? {} : { _format: name };

const withoutUndefined = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));
