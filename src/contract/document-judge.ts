/** Explains and corrects recorded exchanges by the document of one's own that they are for. */
import { pointerTo } from '../basics/json-pointer.ts';
import { joinedValues, replyHeaders, splitPath } from './wire-records.ts';
import type { ContractJudge, Correction, ExplainedViolation } from './contract-judge.ts';
import { arrivedAt } from './violations.ts';
import type { RecordedExchange, WireReply, WireRequest } from '../exchange/exchange.ts';
import type {
  CorrectedParts,
  Engine,
  OpenedDocument,
  Operation,
  PastRequest,
  SentReply,
  SentRequest,
  Violation,
} from '../openapi/openapi.ts';
import { fullMessage } from '../openapi/openapi-terms.ts';
import type { Json } from '../basics/json.ts';

type JudgedEngine = Pick<Engine<never>, 'checkReply' | 'checkRequest' | 'correct' | 'faultsIn' | 'mock' | 'places'>;

/** Returns the judge of each operation. */
export const documentJudges = (
  opened: OpenedDocument,
  { checkReply, checkRequest, correct, faultsIn, mock, places }: JudgedEngine,
): ((operation: Operation) => ContractJudge) => {
  const explained = (
    violation: Violation,
    keys: readonly (string | number)[],
    arrived?: string,
  ): ExplainedViolation => {
    const { file, line } = opened.placeOf(keys);
    const { pointer, rule } = violation;
    return {
      ...{ rule: rule?.keyword ?? String(keys.at(-1) ?? 'responses'), pointer, message: fullMessage(violation) },
      ...(arrived === undefined ? {} : { arrived }),
      ...(line === undefined ? {} : { document: { file, pointer: pointerTo(opened.keysInFile(keys)), line } }),
    };
  };
  return (operation) => ({
    explainRequest: (exchange, violations = []) => {
      // A body that was not kept cannot be looked at again.
      const known = violations.length > 0 ? violations : exchange.observations.requestViolations;
      // A fault on demand may have answered before the engine has seen the request.
      const all = known.length === 0 && exchange.observations.isOrdered ? faultsIn(pastRequest(exchange)) : known;
      return all.map((each) => explained(each, places.ofRequest(operation, each), arrivedAt(exchange, each.pointer)));
    },
    explainReply: (exchange) =>
      exchange.observations.replyViolations.map((each) =>
        explained(each, places.ofReply(operation, exchange.status, each)),
      ),
    correct: async (exchange) => {
      const corrected = await correct(pastRequest(exchange));
      return correctionOf(exchange, corrected?.violations ?? [], corrected?.request);
    },
    check: async ({ request, reply }) => ({
      request: await checkRequest(sentRequest(request)),
      reply: checkReply(operation, sentReply(request, reply)),
    }),
    mock: (request) => mock(operation, request),
  });
};

const sentRequest = ({ method, path, headers, body }: WireRequest): SentRequest => ({
  ...{ method, ...splitPath(path), headers: joinedValues(headers) },
  body: body.isWhole ? body.kept : undefined,
});

const sentReply = ({ method }: WireRequest, { status, headers, body }: WireReply): SentReply => ({
  ...{ method, status, headers: replyHeaders(headers) },
  body: body.bytes === 0 ? undefined : body.isWhole ? body.kept : 'unknown',
});

const pastRequest = ({ method, path, query, headers, requestBody }: RecordedExchange): PastRequest => ({
  ...{ method, path, query, headers, text: requestBody.text },
});

const correctionOf = (
  { baseUrl, method }: RecordedExchange,
  violations: readonly Violation[],
  parts: CorrectedParts | undefined,
): Correction => {
  if (parts === undefined) return { violations, headRefusals: [], request: undefined };
  const { path, query, headers, contentType, body } = parts;
  return {
    ...{ violations, headRefusals: [] },
    request: {
      ...{ method, url: `${baseUrl}${path}${query === '' ? '' : `?${query}`}`, contentType, headers },
      body: body === undefined ? undefined : body === 'sent' ? 'bytes' : bodyOf(body.value, contentType),
    },
  };
};

const bodyOf = (value: unknown, contentType = ''): { readonly json: Json } | { readonly text: string } => {
  if (typeof value === 'string' && !/[/+]json/i.test(contentType)) return { text: value };
  if (/urlencoded/i.test(contentType)) return { text: new URLSearchParams(value as Record<string, string>).toString() };
  return { json: value as Json }; // made from JSON
};
