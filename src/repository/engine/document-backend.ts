/** Makes of a document what the engine asks it: the violations of requests and replies, typed parameters, and mocks. */
import { once } from '../../basics/once.ts';
import {
  createAnswers,
  createReplyCheck,
  createSampler,
  loadGenerator,
  type MakeSample,
  readerOf,
  type ReadParameters,
  responseFor,
  type Schemas,
} from '../../openapi/openapi-parts.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import type { HostedBackend, HostedOperation } from '../../openapi/openapi-host.ts';
import { operationsOf, type Operation } from '../document/operation.ts';
import { makeMock, type Mock, type MockPreference } from './make-mock.ts';
import { createTextChecks, type TextChecksOf } from './reply-checks.ts';

export type Backend = Omit<HostedBackend, 'operations' | 'headOf'> & {
  readonly operations: readonly Operation[];
  headOf(operation: HostedOperation): Operation | undefined;
  /** Checks JSON while it is written as text. Missing where replies are not checked. */
  readonly textChecks?: TextChecksOf | undefined;
  /** A reply from the document's examples; from its schemas with `dynamic` or without examples. */
  mock(operation: Operation, preference: MockPreference): Promise<Mock>;
};

/**
 * Makes the backend of a dereferenced document. Throws when one of the handlers' `operationIds` is not in it. With `slowPatterns`
 * the document has overlays: these patterns look at a text, and all schemas at a value, for a bounded time.
 */
export type CreateBackend = (
  document: DocumentObject,
  operationIds: readonly string[],
  slowPatterns?: ReadonlySet<string>,
) => Backend;

type BackendParts = {
  readonly schemas: Schemas;
  readonly loadGenerator?: typeof loadGenerator | undefined;
  readonly areRepliesChecked: boolean;
};

export const backendWith = (
  document: DocumentObject,
  operationIds: readonly string[],
  { schemas, areRepliesChecked, loadGenerator: load = loadGenerator }: BackendParts,
): Backend => {
  const operations = operationsOf(document);
  requireIds(operations, operationIds);
  const heads = new Map(operations.filter(({ method }) => method === 'HEAD').map((head) => [head.path, head]));
  const readers = new WeakMap<HostedOperation, ReadParameters>();
  const readerFor = (operation: HostedOperation): ReadParameters => {
    const reader = readers.get(operation) ?? readerOf(operation.described.parameters, schemas, { isTolerant: true });
    readers.set(operation, reader);
    return reader;
  };
  const sampler = once(async (): Promise<MakeSample> => createSampler({ schemas, seed: '', makeAny: await load() }));
  const answers = once(async () => createAnswers({ schemas, sample: await sampler(), external: () => undefined }));
  return {
    operations,
    headOf: ({ path }) => heads.get(path),
    readParameters: (operation, raw) => readerFor(operation)(raw),
    bodyViolations: (operation, value) => {
      const check = schemas.check(jsonMediaOf(operation)?.schema ?? true, 'request');
      return check(value).map((each) => ({ ...each, pointer: `/requestBody${each.pointer}` }));
    },
    ...(areRepliesChecked ? replyChecksOf(schemas) : { replyViolations: () => [] }),
    mock: async (operation, preference) => makeMock(operation, preference, await answers()),
    sampleOf: async (schema) => (await sampler())(schema, { direction: 'request', isLean: true }),
  };
};

/** The schemas of its requests: that of its JSON body, where it has one, and those of its parameters in the order of the document. */
export const requestSchemas = (operation: Operation): readonly unknown[] => {
  const media = jsonMediaOf(operation);
  const ofParameters = operation.described.parameters.map(({ schema = true }) => schema);
  return [...(media === undefined ? [] : [media.schema ?? true]), ...ofParameters];
};

const jsonMediaOf = ({ described: { body } }: Pick<HostedOperation, 'described'>) =>
  body?.media.find(({ type }) => type === 'application/json');

const requireIds = (operations: readonly Operation[], ids: readonly string[]): void => {
  const known = new Set(operations.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw new Error(`The document has no operation "${unknown}".`);
};

const replyChecksOf = (schemas: Schemas): Pick<Backend, 'replyViolations' | 'textChecks'> => {
  const { violationsOf, headerViolations } = createReplyCheck(schemas);
  return {
    replyViolations: (operation, { status, mediaType, headers, body }) => {
      const { id, method, described } = operation;
      const response = responseFor(described, status);
      const bare = method === 'HEAD' ? undefined : mediaType?.split(';')[0];
      return violationsOf({ status, headers, mediaType: bare, value: body, response, isJson: true }, { id });
    },
    textChecks: createTextChecks({
      schemaOf: ({ described }, mediaType) =>
        responseFor(described, 200)?.media.find(({ type }) => type === mediaType)?.schema,
      compile: (schema) => {
        const check = schemas.check(schema, 'response');
        return (value) => check(value).length === 0;
      },
      headersAreRight: ({ described }, headers) => {
        const response = responseFor(described, 200);
        return response === undefined || headerViolations(headers, response).length === 0;
      },
    }),
  };
};
