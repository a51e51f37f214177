/** Corrects a request that breaks the contract. `corrected-body.ts` corrects its JSON body. */
import type { Json } from '../core/model/entity.ts';
import type { Operation } from '../core/document/operation.ts';
import { correctedBody, type ServedContract } from './corrected-body.ts';
import { sentJson } from './violations.ts';
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

/** Returns undefined when nothing has to change, or when no correction is known. */
export const correctRequest = async (
  exchange: RecordedExchange,
  contract: ServedContract,
): Promise<CorrectedRequest | undefined> => {
  const { operation, method, baseUrl, path, query, headers, requestBody } = exchange;
  if (operation === undefined) return undefined;
  const newQuery = correctedQuery(query, operation);
  const url = `${baseUrl}${path}${newQuery === '' ? '' : `?${newQuery}`}`;
  const contentType = contentTypeFor(operation, headers['content-type']);
  const hasSameHead = newQuery === query && contentType === headers['content-type'];
  if (operation.body === 'none' || (operation.isBodyOptional && requestBody.bytes === 0)) {
    return newQuery === query ? undefined : { method, url, contentType: undefined, body: undefined };
  }
  if (operation.body === 'bytes') return hasSameHead ? undefined : { method, url, contentType, body: 'bytes' };
  // The body was too long to be recorded.
  if (requestBody.text === undefined && requestBody.bytes > 0) return undefined;
  const sent = sentJson(exchange);
  const body = await correctedBody(sent, operation, contract);
  return body === undefined || (hasSameHead && body === sent)
    ? undefined
    : { method, url, contentType, body: { json: body } };
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
