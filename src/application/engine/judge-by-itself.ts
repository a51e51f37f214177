/** Judges a request by itself against the document, where its answer was ordered and says nothing of it. */
import { repositoryOperation } from '../../repository/document/operation.ts';
import { parsedJson } from '../../basics/json.ts';
import type { ServedContract } from '../../contract/contract.ts';
import { type HostedOperation, hasBody, type PlainRequest, type HostedBackend } from '../../openapi/openapi-host.ts';
import type { PathRouter } from '../../openapi/openapi-parts.ts';
import { chooseFormat, prefersPage, requireContentType } from '../../repository/engine/negotiation.ts';
import { readQuery } from '../../repository/engine/contract-request.ts';
import type { RecordedExchange } from '../../exchange/exchange.ts';
import { Problem } from '../../openapi/openapi-terms.ts';

type RequestJudgement = ReturnType<NonNullable<ServedContract['judgeByItself']>>;

const nothing: RequestJudgement = { refused: [], violations: [] };

type JudgeContext = {
  readonly router: PathRouter;
  readonly backend: Pick<HostedBackend, 'readParameters' | 'bodyViolations'>;
};

/** In the order of the engine. It leaves out what only the repository can say, such as a 404 for a record or a 413. */
export const judgeByItself = (exchange: RecordedExchange, { router, backend }: JudgeContext): RequestJudgement => {
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
  const body = bodyOf(exchange, operation);
  if (body === 'malformed') return { ...nothing, refused: [400] };
  const ofBody = typeof body === 'object' ? backend.bodyViolations(operation, body.value) : [];
  const read = backend.readParameters(operation, { path: match?.pieces ?? {}, query, headers });
  // An id of another form is that of a record which is not there.
  const ofParameters = read.violations.filter(({ pointer }) => !pointer.startsWith('/path'));
  return { ...nothing, violations: [...ofBody, ...ofParameters] };
};

const refusedHead = (
  operation: HostedOperation,
  headers: PlainRequest['headers'],
  { formatName, path }: { readonly formatName: string | undefined; readonly path: string },
): (406 | 415)[] => {
  const known = repositoryOperation(operation);
  const isBodyExpected = !operation.isBodyOptional || hasBody(headers);
  return [
    ...(isBodyExpected && isRefused(() => requireContentType(known, headers, formatName)) ? [415 as const] : []),
    ...(isRefused(() => chooseFormat(known, formatName, path)) ? [406 as const] : []),
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
  operation: HostedOperation,
): { readonly value: unknown } | 'unknown' | 'malformed' | undefined => {
  if (operation.body === 'none') return undefined;
  if (operation.body === 'bytes') return 'unknown';
  if (!hasBody(headers)) return operation.isBodyOptional ? { value: {} } : 'malformed';
  const length = headers['content-length'];
  if (text === undefined || (length !== undefined && Number(length) !== bytes)) return 'unknown';
  const body = parsedJson(text);
  if (body === undefined) return length === undefined ? 'unknown' : 'malformed';
  return { value: body };
};
