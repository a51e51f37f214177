/** The only importer of openapi-backend: request and reply validation, mocks, and the check that every handler belongs to an operation. Routing and authentication are ours. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonSchema } from 'json-schema-faker';
import { OpenAPIBackend, OpenAPIValidator, SetMatchType, type Document, type Options } from 'openapi-backend';
import type { ContractViolation } from '../document/contract-violation.ts';
import type { DocumentObject } from '../document/document.ts';
import { operationsOf, type Operation } from '../document/operation.ts';

/** The parts of a request that its schemas speak of. */
export type RequestParts = {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body; left out for operations that take none, or bytes. */
  readonly body?: unknown;
};

/** A finished reply. `body` is what the media type carries: a JSON value, or text; undefined for none and for bytes. */
export type ReplyParts = {
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
};

/** What a `Prefer` header, or an operation without a handler, asks of a mock. */
export type MockWish = {
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

export type Backend = {
  readonly operations: readonly Operation[];
  /** The HEAD operation beside a GET operation. */
  headOf(operation: Operation): Operation | undefined;
  requestViolations(operation: Operation, parts: RequestParts): readonly ContractViolation[];
  replyViolations(operation: Operation, reply: ReplyParts): readonly ContractViolation[];
  /** An answer made of the document's examples, or of its schemas where there is none (or `dynamic` is wished). */
  mock(operation: Operation, wish: MockWish): Promise<Mock>;
};

/**
 * Sets openapi-backend up on a dereferenced document. `operationIds` are those that have a handler. Throws when one of them
 * is not in the document.
 */
export const createBackend = async (document: DocumentObject, operationIds: readonly string[]): Promise<Backend> => {
  const { api, operations } = await setUp(document, operationIds);
  const replies = replyValidators(document);
  const heads = new Map(operations.filter(({ method }) => method === 'HEAD').map((head) => [head.path, head]));
  return {
    operations,
    headOf: ({ path }) => heads.get(path),
    requestViolations: ({ id }, { params, query, headers, body }) => {
      // The library's own `validateRequest` parses and picks again what has been read already; its validators do not.
      const subject = {
        path: params,
        query,
        header: headers,
        cookie: {},
        ...(body === undefined ? {} : { requestBody: body }),
      };
      return api.validator.getRequestValidatorsForOperation(id).flatMap((validate) => {
        validate(subject);
        return toFaults(validate.errors);
      });
    },
    replyViolations: (operation, reply) => replyFaults(replies, operation, reply),
    mock: (operation, wish) => mockFor(api, operation, wish),
  };
};

/** The library on our document, its routing and repeated parsing taken out of the way. */
const setUp = async (
  document: DocumentObject,
  operationIds: readonly string[],
): Promise<{ api: OpenAPIBackend; operations: readonly Operation[] }> => {
  const definition = document as unknown as Document; // validated by swagger-parser when it was loaded
  const api = new OpenAPIBackend({ definition, quick: true, strict: true, customizeAjv });
  await api.init();
  const operations = operationsOf(document);
  const known = api.router.getOperations();
  if (known.length !== operations.length)
    throw new Error('openapi-backend did not take every operation of the document.');
  // The library rebuilds its list on every look-up (dependencies 1.6).
  api.router.getOperations = () => known;
  for (const id of operationIds) api.registerHandler(id, () => undefined);
  return { api, operations };
};

type Errors = ReturnType<OpenAPIValidator['validateResponse']>['errors'];
const toFaults = (errors: Errors): ContractViolation[] =>
  (errors ?? []).map((error) => ({
    pointer: error.instancePath,
    message: `${error.message ?? error.keyword}${unexpected(error.params)}`,
    rule: { keyword: error.keyword, schemaPath: error.schemaPath, params: error.params },
  }));
const unexpected = (params: Readonly<Record<string, unknown>>): string =>
  typeof params['additionalProperty'] === 'string' ? ` (${params['additionalProperty']})` : '';

type AnyAjv = ReturnType<NonNullable<Options['customizeAjv']>>;
const ajvs = new Map<string, AnyAjv>();

/** One Ajv for each kind of check and set of options: a new one for each schema costs most of the start (dependencies 1.6). */
const customizeAjv = (_original: AnyAjv, options: object, context: string): AnyAjv => {
  const key = `${context} ${JSON.stringify(options)}`;
  const known = ajvs.get(key);
  if (known !== undefined) return known;
  // Ajv's own optimiser takes a third of the compiling, which the first request of each kind waits for; V8 has one too.
  const code = { optimize: false };
  const ajv = new Ajv2020({ ...options, code, strict: false, validateSchema: false, allErrors: false });
  addFormats.default(ajv);
  for (const name of ['float', 'double', 'byte', 'binary', 'password']) ajv.addFormat(name, true);
  const made: AnyAjv = ajv;
  ajvs.set(key, made);
  return made;
};

/** The library's compiled checks of one kind of reply; it has none for a reply without a body. */
type ReplyValidator = { readonly headers: Validate | undefined; readonly body: Validate | undefined };
type Validate = ReturnType<OpenAPIValidator['getRequestValidatorsForOperation']>[number];

type ReplyValidators = (operation: Operation, status: number, mediaType: string) => ReplyValidator | undefined;

/**
 * openapi-backend judges JSON replies by status alone, and compiles the schemas of all statuses of an operation at once.
 * So each status and media type of an operation becomes an operation of its own, when the first such reply is made.
 */
const replyValidators = (document: DocumentObject): ReplyValidators => {
  const responses = new Map<string, Readonly<Record<string, MediaResponse>>>();
  for (const item of Object.values(document.paths)) {
    for (const raw of Object.values(item) as { operationId?: string; responses?: Record<string, MediaResponse> }[]) {
      // validated document
      if (raw.operationId !== undefined && raw.responses !== undefined) responses.set(raw.operationId, raw.responses);
    }
  }
  const made = new Map<string, ReplyValidator | undefined>();
  return ({ id }, status, mediaType) => {
    const key = `${id} ${status} ${mediaType}`;
    if (made.has(key)) return made.get(key);
    const response = responses.get(id)?.[String(status)];
    const validator = response === undefined ? undefined : replyValidator(status, onlyMediaType(response, mediaType));
    made.set(key, validator);
    return validator;
  };
};

const replyValidator = (status: number, response: unknown): ReplyValidator => {
  const paths = { '/': { get: { operationId: 'reply', responses: { [status]: response } } } };
  const definition = { openapi: '3.1.0', info: { title: 'reply', version: '1' }, paths } as unknown as Document; // made right here
  const validator = new OpenAPIValidator({ definition, customizeAjv, lazyCompileValidators: true });
  return {
    headers: validator.getResponseHeadersValidatorForOperation('reply')[status]?.[SetMatchType.Any],
    body: validator.getStatusBasedResponseValidatorForOperation('reply')[status],
  };
};

/** The library's own `validateResponse` copies and lists what the compiled check needs as it is. */
const faultsBy = (validate: Validate | undefined, subject: unknown): ContractViolation[] => {
  if (validate === undefined || validate(subject)) return [];
  return toFaults(validate.errors);
};

type MediaResponse = {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema?: unknown }>>;
  readonly headers?: Readonly<Record<string, unknown>>;
};
const onlyMediaType = ({ description, content = {}, headers = {} }: MediaResponse, mediaType: string): unknown => {
  const schema = content[mediaType]?.schema;
  return { description, headers, ...(schema === undefined ? {} : { content: { 'application/json': { schema } } }) };
};

const replyFaults = (validators: ReplyValidators, operation: Operation, reply: ReplyParts): ContractViolation[] => {
  const allowed = operation.responses.get(reply.status);
  if (allowed === undefined) return [{ pointer: '/status', message: `${reply.status} is not documented` }];
  const headers: Record<string, string> = {};
  for (const name of Object.keys(reply.headers)) {
    const value = reply.headers[name] ?? '';
    headers[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
  }
  const missing = (operation.requiredHeaders.get(reply.status) ?? []).filter(
    (name) => !(name.toLowerCase() in headers),
  );
  const faults = missing.map((name) => ({ pointer: `/headers/${name}`, message: 'is missing' }));
  const bare = reply.mediaType?.split(';')[0];
  const documented =
    bare === undefined || operation.method === 'HEAD'
      ? 'none'
      : (allowed.find((type) => type === bare) ?? (allowed.includes('*/*') ? '*/*' : undefined));
  if (documented === undefined || (documented === 'none' && allowed.length > 0)) {
    return [
      ...faults,
      { pointer: '/headers/Content-Type', message: `${bare ?? 'no body'} is not documented for ${reply.status}` },
    ];
  }
  const found = validators(operation, reply.status, documented);
  if (found === undefined) return faults;
  const byHeaders = faultsBy(found.headers, { headers });
  const byBody = documented === 'none' || isBytes(documented) ? [] : faultsBy(found.body, reply.body);
  return [...faults, ...byHeaders, ...byBody];
};

/** Bytes have no shape to be held to. */
const isBytes = (mediaType: string): boolean => mediaType === '*/*' || mediaType === 'application/octet-stream';

const mockFor = async (api: OpenAPIBackend, operation: Operation, wish: MockWish): Promise<Mock> => {
  const status = statusFor(operation, wish.code);
  const mediaTypes = operation.responses.get(status) ?? [];
  const mediaType = mediaTypes.find((type) => type === wish.mediaType) ?? mediaTypes[0];
  const raw = api.router.getOperation(operation.id);
  const responses = (raw?.responses ?? {}) as Record<string, MediaResponse>; // validated document
  const headers = mockHeaders(operation.requiredHeaders.get(status) ?? [], responses[String(status)]?.headers ?? {});
  if (mediaType === undefined) return { status, headers, mediaType: undefined, body: undefined };
  // Bytes of any kind: a mock has none to show.
  if (mediaType === '*/*') return { status, headers, mediaType: 'application/octet-stream', body: '' };
  const media = responses[String(status)]?.content?.[mediaType] as
    { schema?: JsonSchema; example?: unknown; examples?: object } | undefined; // validated document
  const hasExample = media?.example !== undefined || Object.keys(media?.examples ?? {}).length > 0;
  if (media?.schema !== undefined && (wish.dynamic === true || !hasExample)) {
    const { generateSync } = await import('json-schema-faker');
    return { status, headers, mediaType, body: generateSync(media.schema, { seed: 1 }) };
  }
  const options = { code: status, mediaType, ...(wish.example === undefined ? {} : { example: wish.example }) };
  const made: unknown = api.mockResponseForOperation(operation.id, options).mock;
  return { status, headers, mediaType, body: made };
};

type ExampleHolder = {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
};

/** The first example of each header; one without examples is left out. */
const mockHeaders = (names: readonly string[], described: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const { example, examples = {} } = described[name] as ExampleHolder; // validated document; required names are described
      const value = example ?? Object.values(examples)[0]?.value;
      return value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
    }),
  );

/** The wished status if it is documented, else the first success. */
const statusFor = (operation: Operation, code: string | undefined): number => {
  const statuses = [...operation.responses.keys()].sort((a, b) => a - b);
  const wished = Number(code);
  return statuses.includes(wished) ? wished : (statuses.find((status) => status >= 200 && status < 300) ?? 200);
};
