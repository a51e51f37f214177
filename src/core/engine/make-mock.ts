/** Makes a mock reply from the examples of the document, or from its schemas. */
import type { DocumentObject } from '../document/document.ts';
import { type Operation, rawOperation, type RawResponse } from '../document/operation.ts';
import { sampleOfSchema } from '../document/sample.ts';

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
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: string | undefined;
  readonly body: unknown;
};

/** Which example of a status and media type: the one of this name, or the first. */
export type ExampleChoice = { readonly code: number; readonly mediaType: string; readonly example?: string };

/** `exampleOf` finds the value of an example. It is asked only where there is one. */
export const makeMock = async (
  document: DocumentObject,
  operation: Operation,
  preference: MockPreference,
  exampleOf: (choice: ExampleChoice) => unknown,
): Promise<Mock> => {
  const status = statusFor(operation, preference.code);
  const mediaTypes = operation.responses.get(status) ?? [];
  const mediaType = mediaTypes.find((type) => type === preference.mediaType) ?? mediaTypes[0];
  const response = rawOperation(document, operation)?.responses[String(status)];
  const headers = mockHeaders(operation.requiredHeaders.get(status) ?? [], response?.headers ?? {});
  if (mediaType === undefined) return { status, headers, mediaType: undefined, body: undefined };
  // A mock of any media type is an empty file.
  if (mediaType === '*/*') return { status, headers, mediaType: 'application/octet-stream', body: '' };
  const media = response?.content?.[mediaType];
  const hasExample = media?.example !== undefined || Object.keys(media?.examples ?? {}).length > 0;
  // No schema says what is XML, so that a sample would be none.
  const wantsSample = preference.dynamic === true && !/[/+]xml$/.test(mediaType);
  if (media?.schema !== undefined && (wantsSample || !hasExample)) {
    return { status, headers, mediaType, body: await sampleOfSchema(media.schema) };
  }
  const named = preference.example === undefined ? {} : { example: preference.example };
  return { status, headers, mediaType, body: exampleOf({ code: status, mediaType, ...named }) };
};

/** The first example of each header. A header without examples is left out. */
const mockHeaders = (
  names: readonly string[],
  described: NonNullable<RawResponse['headers']>,
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const { example, examples = {} } = described[name] ?? {};
      const value = example ?? Object.values(examples)[0]?.value;
      return value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
    }),
  );

/** The preferred status if it is documented, else the first success, else the first one. */
const statusFor = (operation: Operation, code: string | undefined): number => {
  const statuses = [...operation.responses.keys()].sort((a, b) => a - b);
  const preferred = Number(code);
  return statuses.includes(preferred)
    ? preferred
    : (statuses.find((status) => status >= 200 && status < 300) ?? statuses[0] ?? 200);
};
