/** Judges a request by itself against the document, where its answer was ordered and says nothing of it. */
import { parsedJson } from '../../basics/json.ts';
import { type HostedOperation, hasBody, type HostedBackend } from '../../openapi/openapi-host.ts';
import type { ServedContract } from '../../contract/contract.ts';
import type { PathRouter } from '../../openapi/openapi-parts.ts';
import { judgedHead } from '../../repository/repository-engine.ts';
import type { RecordedExchange } from '../../exchange/exchange.ts';

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
  const { isPage, refused } = judgedHead(exchange, operation);
  if (isPage) return nothing;
  if (operation === undefined) {
    if (exchange.method === 'OPTIONS') return nothing;
    if (match !== undefined) return { ...nothing, refused: [405] };
    // Which paths are aliases of records only a target knows.
    return isUnchecked === true ? nothing : { ...nothing, refused: [404] };
  }
  if (refused.length > 0) return { ...nothing, refused };
  const body = bodyOf(exchange, operation);
  if (body === 'malformed') return { ...nothing, refused: [400] };
  const ofBody = typeof body === 'object' ? backend.bodyViolations(operation, body.value) : [];
  const read = backend.readParameters(operation, { path: match?.pieces ?? {}, query, headers });
  // An id of another form is that of a record which is not there.
  const ofParameters = read.violations.filter(({ pointer }) => !pointer.startsWith('/path'));
  return { ...nothing, violations: [...ofBody, ...ofParameters] };
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
