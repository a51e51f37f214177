/** Corrects a request that breaks the contract. `corrected-body.ts` corrects its JSON body. */
import type { Json } from '../core/model/entity.ts';
import type { Operation } from '../core/document/operation.ts';
import { correctedBody, type ServedContract } from './corrected-body.ts';
import { type RequestFaults, sentJson } from './violations.ts';
import type { RecordedExchange } from '../exchange/recorded-exchange.ts';

/** The request that a client should send instead. */
export type CorrectedRequest = {
  readonly method: string;
  /** Absolute, with its query. */
  readonly url: string;
  /** Undefined when the request has no body. */
  readonly contentType: string | undefined;
  /** `bytes` stands for the bytes of the original request. */
  readonly body: { readonly json: Json } | 'bytes' | undefined;
};

export type Correction = RequestFaults & {
  /** Undefined when nothing has to change, and when no correction is known. */
  readonly request: CorrectedRequest | undefined;
};

export const correctRequest = async (exchange: RecordedExchange, contract: ServedContract): Promise<Correction> => {
  const { operation, method, baseUrl, path, query, headers, requestBody, observations } = exchange;
  const observed = observations.requestViolations;
  if (operation === undefined) return { request: undefined, violations: observed, headRefusals: [] };
  const newQuery = correctedQuery(query, operation);
  const url = `${baseUrl}${path}${newQuery === '' ? '' : `?${newQuery}`}`;
  const hasBody = operation.body !== 'none' && !(operation.isBodyOptional && requestBody.bytes === 0);
  const contentType = hasBody ? contentTypeFor(operation, headers['content-type']) : undefined;
  const isSameQuery = newQuery === query;
  const isSameType = !hasBody || contentType === headers['content-type'];
  const corrected = (body: CorrectedRequest['body'], isSameBody = true): CorrectedRequest | undefined =>
    isSameQuery && isSameType && isSameBody ? undefined : { method, url, contentType, body };
  const headRefusals = [...(isSameQuery ? [] : [406 as const]), ...(isSameType ? [] : [415 as const])];
  if (!hasBody) return { request: corrected(undefined), violations: observed, headRefusals };
  if (operation.body === 'bytes') return { request: corrected('bytes'), violations: observed, headRefusals };
  // The body was too long to be recorded.
  if (requestBody.text === undefined && requestBody.bytes > 0) {
    return { request: undefined, violations: observed, headRefusals };
  }
  const sent = sentJson(exchange);
  const { body, violations } = await correctedBody(sent, operation, contract);
  const ofHead = observed.filter(({ pointer }) => !pointer.startsWith('/requestBody'));
  return {
    request: body === undefined ? undefined : corrected({ json: body }, body === sent),
    violations: violations.length === 0 ? observed : [...ofHead, ...violations],
    headRefusals,
  };
};

const contentTypeFor = (operation: Operation, sent: string | undefined): string | undefined => {
  if (operation.body === 'json')
    return /^application\/json *(; *charset="?utf-?8"?)?$/i.test(sent ?? '') ? sent : 'application/json';
  if (operation.byteTypes.length === 0) return sent ?? 'application/octet-stream';
  return operation.byteTypes.find((type) => type === sent) ?? operation.byteTypes[0];
};

const correctedQuery = (query: string, { format }: Operation): string => {
  if (format === undefined) return query;
  const parameters = new URLSearchParams(query);
  const name = parameters.get('_format');
  const isValid = name === null ? !format.required : format.enabled.some((enabled) => enabled === name);
  if (isValid) return query;
  parameters.set('_format', format.enabled.find((enabled) => enabled === 'json') ?? format.enabled[0] ?? 'json');
  return parameters.toString();
};
