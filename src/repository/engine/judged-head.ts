/** Says of the head of a request alone what the engine would make of it: a page for people, or a refusal for its media types. */
import { type HostedOperation, hasBody, type PlainRequest } from '../../openapi/openapi-host.ts';
import { Problem } from '../../openapi/openapi-terms.ts';
import { repositoryOperation } from '../document/operation.ts';
import { readQuery } from './contract-request.ts';
import { chooseFormat, prefersPage, requireContentType } from './negotiation.ts';

type RequestHead = Pick<PlainRequest, 'method' | 'path' | 'query' | 'headers'>;

/** `isPage`: a browser asks for the page at the address. `refused`: 415 for the body that is sent, 406 for the answer that is wanted. */
type JudgedHead = { readonly isPage: boolean; readonly refused: readonly (406 | 415)[] };

/** Without an operation nothing is refused for its head. */
export const judgedHead = (request: RequestHead, operation: HostedOperation | undefined): JudgedHead => {
  const { headers, path, query } = request;
  const format = readQuery(query).get('_format') || undefined;
  if (format === undefined && prefersPage(request)) return { isPage: true, refused: [] };
  if (operation === undefined) return { isPage: false, refused: [] };
  const known = repositoryOperation(operation);
  const isBodyExpected = !operation.isBodyOptional || hasBody(headers);
  const refused = [
    ...(isBodyExpected && isRefused(() => requireContentType(known, headers, format)) ? [415 as const] : []),
    ...(isRefused(() => chooseFormat(known, format, path)) ? [406 as const] : []),
  ];
  return { isPage: false, refused };
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
