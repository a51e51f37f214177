/** Says of the head of a request alone what the engine would make of it: a page for people, or a refusal for its media types. */
import { type HostedOperation, hasBody, type PlainRequest } from '../../openapi/openapi-host.ts';
import { Problem } from '../../openapi/openapi-terms.ts';
import { repositoryOperation } from '../document/operation.ts';
import { readQuery } from './contract-request.ts';
import { chooseFormat, prefersPage, requireContentType } from './negotiation.ts';

type RequestHead = Pick<PlainRequest, 'method' | 'path' | 'query' | 'headers'>;

/** Whether a browser asks for the page at an address: the request prefers HTML and names no `_format`. */
export const isForPage = (request: RequestHead): boolean => formatIn(request) === undefined && prefersPage(request);

/** The statuses that a request of this operation is refused with: 415 for its body, 406 for the answer that it wants. */
export const headRefusals = (request: RequestHead, operation: HostedOperation): (406 | 415)[] => {
  const { headers, path } = request;
  const known = repositoryOperation(operation);
  const format = formatIn(request);
  const isBodyExpected = !operation.isBodyOptional || hasBody(headers);
  return [
    ...(isBodyExpected && isRefused(() => requireContentType(known, headers, format)) ? [415 as const] : []),
    ...(isRefused(() => chooseFormat(known, format, path)) ? [406 as const] : []),
  ];
};

const formatIn = ({ query }: RequestHead): string | undefined => readQuery(query).get('_format') || undefined;

const isRefused = (check: () => unknown): boolean => {
  try {
    check();
    return false;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return true;
  }
};
