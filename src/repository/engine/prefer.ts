/** Reads from the `Prefer` header (RFC 7240) which mock a request asks for, and answers with it. */
import type { Operation } from '../document/operation.ts';
import { preferenceIn } from '../../openapi/openapi-parts.ts';
import type { Backend } from './backend.ts';
import type { OutgoingReply } from './exchange.ts';
import type { MockPreference } from './make-mock.ts';
import { malformed, type Problem } from '../../openapi/openapi-terms.ts';

/** Any of `code=404, example=nodeMissing, dynamic=true`; undefined when there is none of them. Other preferences are ignored. */
export const mockPreference = (header: string | undefined): MockPreference | undefined => {
  if (header === undefined) return undefined;
  const { code, example, isDynamic: dynamic = false } = preferenceIn(header) ?? {};
  return code === undefined && example === undefined && !dynamic ? undefined : { code, example, dynamic };
};

/** 400 for a status that the operation does not document: a mock with another one would be taken for the answer. */
export const preferenceProblem = ({ id, responses }: Operation, { code }: MockPreference): Problem | undefined => {
  if (code === undefined || (/^[1-5]\d\d$/.test(code) && responses.has(Number(code)))) return undefined;
  const documented = [...responses.keys()].sort((a, b) => a - b).join(', ');
  return malformed(
    `The header "Prefer" asks for the status "${code.slice(0, 20)}"; the operation ${id} documents ${documented}.`,
  );
};

/** The mock as a reply. */
export const mockReply = async (
  backend: Pick<Backend, 'mock'>,
  operation: Operation,
  preference: MockPreference,
): Promise<OutgoingReply> => {
  const mock = await backend.mock(operation, preference);
  const body = mock.mediaType === 'text/plain' ? String(mock.body) : mock.body;
  return {
    status: mock.status,
    headers: { ...mock.headers, 'Atoll-Mocked': 'true' },
    ...(mock.mediaType === undefined ? {} : { mediaType: mock.mediaType, body: body as OutgoingReply['body'] }), // made from the document
  };
};
