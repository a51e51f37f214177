/** Makes of a request that breaks the contract the nearest one that keeps it: filled from the document's own examples. */
import type { Json } from '../model/entity.ts';
import type { Operation } from '../document/operation.ts';
import { correctedBody, type ServedContract } from './corrected-body.ts';
import { sentJson } from './violations.ts';
import type { Exchanged } from './traffic-log.ts';

/** What a client would send instead. */
export type CorrectedRequest = {
  readonly method: string;
  /** Absolute, with its query. */
  readonly url: string;
  /** Undefined where there is no body. */
  readonly contentType: string | undefined;
  /** Bytes are sent again as they were. */
  readonly body: { readonly json: Json } | 'bytes' | undefined;
};

/** Undefined when nothing would be other than it was sent, or no way is known. */
export const correctRequest = async (
  exchanged: Exchanged,
  contract: ServedContract,
): Promise<CorrectedRequest | undefined> => {
  const { operation, method, baseUrl, path, query, headers, sent } = exchanged;
  if (operation === undefined) return undefined;
  const wanted = correctedQuery(query, operation);
  const url = `${baseUrl}${path}${wanted === '' ? '' : `?${wanted}`}`;
  const contentType = contentTypeFor(operation, headers['content-type']);
  const isSameHead = wanted === query && contentType === headers['content-type'];
  if (operation.body === 'none' || (operation.isBodyOptional && sent.bytes === 0)) {
    return wanted === query ? undefined : { method, url, contentType: undefined, body: undefined };
  }
  if (operation.body === 'bytes') return isSameHead ? undefined : { method, url, contentType, body: 'bytes' };
  // A body that was too long to be kept cannot be corrected.
  if (sent.text === undefined && sent.bytes > 0) return undefined;
  const before = sentJson(exchanged);
  const body = await correctedBody(before, operation, contract);
  return body === undefined || (isSameHead && body === before)
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
  const asked = new URLSearchParams(query);
  const name = asked.get('_format');
  const isGood = name === null ? !format.required : format.enabled.some((enabled) => enabled === name);
  if (isGood) return query;
  asked.set('_format', format.enabled.find((enabled) => enabled === 'json') ?? format.enabled[0] ?? 'json');
  return asked.toString();
};
