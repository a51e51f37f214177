/** Chooses the reply that a client prefers among those of the document. */
import { type MakeAnswer, successOf } from '../../openapi/openapi-parts.ts';
import type { Operation } from '../document/operation.ts';
import type { HeaderValues } from '../../openapi/openapi-host.ts';

/** Which mock to make: from a `Prefer` header, or for an operation without a handler. */
export type MockPreference = {
  readonly code?: string | undefined;
  readonly example?: string | undefined;
  readonly dynamic?: boolean | undefined;
  readonly mediaType?: string | undefined;
};

/** `headers` are those that the document requires, with its examples as values. */
export type Mock = {
  readonly status: number;
  readonly headers: HeaderValues;
  readonly mediaType: string | undefined;
  readonly body: unknown;
};

export const makeMock = (
  { described }: Operation,
  { code, example, dynamic = false, mediaType }: MockPreference,
  { valueOf, headersOf }: MakeAnswer,
): Mock => {
  const preferred = described.responses.get(code ?? '');
  const { response, status } =
    preferred === undefined ? successOf(described) : { response: preferred, status: Number(code) };
  if (response === undefined) return { status, headers: {}, mediaType: undefined, body: undefined };
  const required = response.headers.filter((header) => header.isRequired && header.example !== undefined);
  const headers = headersOf({ ...response, headers: required });
  const media = response.media.find(({ type }) => type === mediaType) ?? response.media[0];
  if (media === undefined) return { status, headers, mediaType: undefined, body: undefined };
  // A mock of any media type is an empty file.
  if (media.type === '*/*') return { status, headers, mediaType: 'application/octet-stream', body: '' };
  // No schema says what is XML, so that a sample would be none.
  const isDynamic = dynamic && !/[/+]xml$/.test(media.type);
  const body = valueOf(media, { isDynamic, ...(example === undefined ? {} : { example }) });
  return { status, headers, mediaType: media.type, body };
};
