/**
 * Wraps openapi-backend, of which Atoll uses three parts: the validators of requests and replies, the mocks from examples,
 * and the strict check that each handler's name is an operation id. The engine does the rest itself. Its router
 * (`router.ts`) is a tree built once. The library would compile a regular expression for each path of the document on each
 * request. The engine refuses credentials only after the handler has looked for the record, as the real site does (404
 * before 401). The library would run its security handlers first. `read-json.ts` reads JSON bodies with limits, and bodies
 * of bytes stay streams.
 */
import { Ajv2020, type CodeOptions, type Options as AjvOptions } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  OpenAPIBackend,
  OpenAPIRouter,
  OpenAPIValidator,
  SetMatchType,
  type Document,
  type Options,
} from 'openapi-backend';
import { violationsFrom } from './ajv-violations.ts';
import { boundedValidator, createCompiledSchemas } from './compiled-schemas.ts';
import type { ContractViolation } from '../document/contract-violation.ts';
import type { DocumentObject } from '../document/document.ts';
import { regExpWith } from '../../basics/time-limit.ts';
import { operationsOf, rawOperation, type Operation, type RawResponse } from '../document/operation.ts';
import { makeMock, type Mock, type MockPreference } from './make-mock.ts';
import {
  type Check,
  createTextChecks,
  joinedHeaders,
  missingHeaders,
  type Schema,
  type TextChecksOf,
} from './reply-checks.ts';

/** The parts of a request that have schemas. */
type RequestParts = {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body; left out when the operation takes no body, or bytes. */
  readonly body?: unknown;
};

/** A finished reply. `body` is a JSON value or a text; undefined when the reply has bytes or no body. */
type ReplyParts = {
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
};

export type Backend = {
  readonly operations: readonly Operation[];
  /** The HEAD operation with the path of a GET operation. */
  headOf(operation: Operation): Operation | undefined;
  requestViolations(operation: Operation, parts: RequestParts): readonly ContractViolation[];
  replyViolations(operation: Operation, reply: ReplyParts): readonly ContractViolation[];
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

/** Sets up openapi-backend. */
export const createBackend: CreateBackend = (document, operationIds, slowPatterns) => {
  const customizeAjv = ajvWith(slowPatterns);
  const slow = slowPatterns && [...slowPatterns];
  const definition = document as unknown as Document; // validated when it was loaded
  const api = new OpenAPIBackend({ definition, quick: true, strict: true, customizeAjv });
  initialise(api, definition, customizeAjv);
  const operations = operationsOf(document);
  const known = api.router.getOperations();
  if (known.length !== operations.length)
    throw new Error('openapi-backend did not take every operation of the document.');
  // The library would rebuild this list at every look-up.
  api.router.getOperations = () => known;
  for (const id of operationIds) api.registerHandler(id, () => undefined);
  const replies = replyValidators(document, customizeAjv, slow);
  const requestValidators = requestValidatorsOf(api, document, operations, slow);
  const heads = new Map(operations.filter(({ method }) => method === 'HEAD').map((head) => [head.path, head]));
  return {
    operations,
    headOf: ({ path }) => heads.get(path),
    requestViolations: ({ id }, { params, query, headers, body }) => {
      // `validateRequest` of the library would parse the request again. Its compiled validators take the parts.
      const subject = {
        path: params,
        query,
        header: headers,
        cookie: {},
        ...(body === undefined ? {} : { requestBody: body }),
      };
      return requestValidators(id).flatMap((validate) => violationsBy(validate, subject));
    },
    replyViolations: (operation, reply) => replyViolations(replies, operation, reply),
    textChecks: createTextChecks({
      schemaOf: (operation, mediaType) =>
        rawOperation(document, operation)?.responses['200']?.content?.[mediaType]?.schema,
      compile: (schema) => memberCheck(schema, customizeAjv, slow),
      headersAreRight: (operation, mediaType, headers) => headersAreRight(replies, operation, mediaType, headers),
    }),
    mock: (operation, preference) =>
      makeMock(document, operation, preference, (options) => {
        const made: { readonly mock: unknown } = api.mockResponseForOperation(operation.id, options);
        return made.mock;
      }),
  };
};

/** What the library's `init` does, without a copy of the document: a copy takes a tenth of the start. */
const initialise = (api: OpenAPIBackend, definition: Document, customizeAjv: CustomizeAjv): void => {
  api.definition = definition;
  api.router = new OpenAPIRouter({ definition, apiRoot: '/' });
  api.validator = new OpenAPIValidator({
    ...{ definition, customizeAjv, router: api.router },
    lazyCompileValidators: true,
  });
  api.initialized = true;
};

type AnyAjv = ReturnType<NonNullable<Options['customizeAjv']>>;
type CustomizeAjv = NonNullable<Options['customizeAjv']>;
const ajvs = new Map<string, AnyAjv>();

/** One Ajv for each context and set of options. The library's new Ajv for each schema would take most of the start. */
const ajvWith =
  (slowPatterns: ReadonlySet<string> | undefined): CustomizeAjv =>
  (_original, options, context) => {
    const key = `${context} ${JSON.stringify([options, slowPatterns && [...slowPatterns]])}`;
    const known = ajvs.get(key);
    if (known !== undefined) return known;
    // Ajv's optimiser takes a third of the compile time, which the first request of each operation waits for.
    const hasSlow = slowPatterns !== undefined && slowPatterns.size > 0;
    const code = { optimize: false, ...(hasSlow ? { regExp: regExpWith(slowPatterns) } : {}) };
    const ajv = createAjv(options, code);
    // The library calls nothing else.
    const created =
      slowPatterns === undefined
        ? ajv
        : ({ compile: (schema: object) => boundedValidator(ajv.compile(schema)) } as AnyAjv);
    ajvs.set(key, created);
    return created;
  };

/** The Ajv that requests and replies are checked with. `options` are those that the library asks for. */
export const createAjv = (options: AjvOptions, code: CodeOptions): Ajv2020 => {
  const ajv = new Ajv2020({ ...options, code, strict: false, validateSchema: false, allErrors: false });
  addFormats.default(ajv);
  for (const name of ['float', 'double', 'byte', 'binary', 'password']) ajv.addFormat(name, true);
  return ajv;
};

/** The library's validators for one status and media type. A reply without a body has no validator of its body. */
type ReplyValidator = { readonly headers: Validate | undefined; readonly body: Validate | undefined };
type Validate = ReturnType<OpenAPIValidator['getRequestValidatorsForOperation']>[number];

const compiledReplies = createCompiledSchemas<ReplyValidator>();
const compiledRequests = createCompiledSchemas<readonly Validate[]>();

/** The library's validators of each operation, compiled when its first request comes. */
const requestValidatorsOf = (
  api: OpenAPIBackend,
  document: DocumentObject,
  operations: readonly Operation[],
  slowPatterns: readonly string[] | undefined,
): ((id: string) => readonly Validate[]) => {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const known = new Map<string, readonly Validate[]>();
  return (id) => {
    const compiled = known.get(id);
    if (compiled !== undefined) return compiled;
    const operation = byId.get(id);
    const { parameters, requestBody } = (operation && rawOperation(document, operation)) ?? {};
    const ofPath = document.paths[operation?.path ?? '']?.['parameters'];
    const schemas = [id, operation?.path, ofPath, parameters, requestBody, slowPatterns];
    const validators = compiledRequests(schemas, () => api.validator.getRequestValidatorsForOperation(id));
    known.set(id, validators);
    return validators;
  };
};

/** Compiles one schema for a context of the library: `requestBodyValidator`, `paramsValidator`. */
export type CompileSchema = (schema: object, context: string, options: Parameters<CustomizeAjv>[1]) => Validate;

/**
 * What `compile` makes of the schemas of each operation's requests, by operation id, in the order in which the backend
 * applies them. For validators that are compiled ahead of time. The document is dereferenced, and gets changed as by a backend.
 */
export const requestValidatorsBy = (
  document: DocumentObject,
  compile: CompileSchema,
): ReadonlyMap<string, readonly Validate[]> => {
  const definition = document as unknown as Document; // validated when it was loaded
  const customizeAjv: CustomizeAjv = (_original, options, context) =>
    ({ compile: (schema: object) => compile(schema, context, options) }) as unknown as AnyAjv; // the library calls nothing else
  const router = new OpenAPIRouter({ definition, apiRoot: '/' });
  const validator = new OpenAPIValidator({ definition, customizeAjv, router, lazyCompileValidators: true });
  return new Map(operationsOf(document).map(({ id }) => [id, validator.getRequestValidatorsForOperation(id)]));
};

type ReplyValidators = (operation: Operation, status: number, mediaType: string) => ReplyValidator | undefined;

/**
 * openapi-backend validates replies by status alone, and compiles the schemas of all statuses of an operation at once.
 * Therefore each status and media type gets a small document of its own, when its first reply is checked. Operations whose
 * document names the same response share it.
 */
const replyValidators = (
  document: DocumentObject,
  customizeAjv: CustomizeAjv,
  slowPatterns: readonly string[] | undefined,
): ReplyValidators => {
  const validators = new Map<string, ReplyValidator | undefined>();
  const shared = new WeakMap<RawResponse, Map<string, ReplyValidator>>();
  const sharedValidator = (response: RawResponse, status: number, mediaType: string): ReplyValidator => {
    const known = shared.get(response) ?? new Map<string, ReplyValidator>();
    shared.set(response, known);
    const key = `${status} ${mediaType}`;
    const only = onlyMediaType(response, mediaType);
    const compile = (): ReplyValidator => replyValidator(status, only, customizeAjv);
    const validator = known.get(key) ?? compiledReplies([status, only, slowPatterns], compile);
    known.set(key, validator);
    return validator;
  };
  return (operation, status, mediaType) => {
    const key = `${operation.id} ${status} ${mediaType}`;
    if (validators.has(key)) return validators.get(key);
    const response = rawOperation(document, operation)?.responses[String(status)];
    const validator = response === undefined ? undefined : sharedValidator(response, status, mediaType);
    validators.set(key, validator);
    return validator;
  };
};

const replyValidator = (status: number, response: unknown, customizeAjv: CustomizeAjv): ReplyValidator => ({
  headers: validatorOf(status, response, customizeAjv).getResponseHeadersValidatorForOperation('reply')[status]?.[
    SetMatchType.Any
  ],
  body: bodyValidator(status, response, customizeAjv),
});

const bodyValidator = (status: number, response: unknown, customizeAjv: CustomizeAjv): Validate | undefined =>
  validatorOf(status, response, customizeAjv).getStatusBasedResponseValidatorForOperation('reply')[status];

const validatorOf = (status: number, response: unknown, customizeAjv: CustomizeAjv): OpenAPIValidator => {
  const paths = { '/': { get: { operationId: 'reply', responses: { [status]: response } } } };
  const definition = { openapi: '3.1.0', info: { title: 'reply', version: '1' }, paths } as unknown as Document; // a complete document
  return new OpenAPIValidator({ definition, customizeAjv, lazyCompileValidators: true });
};

/** The schema of a member is compiled as that of a whole body. */
const memberCheck = (
  schema: Schema,
  customizeAjv: CustomizeAjv,
  slowPatterns: readonly string[] | undefined,
): Check => {
  const response = { description: '', content: { 'application/json': { schema } } };
  const compile = (): ReplyValidator => ({ headers: undefined, body: bodyValidator(200, response, customizeAjv) });
  const { body } = compiledReplies([200, response, slowPatterns], compile);
  if (body === undefined) throw new Error('A member has no validator.');
  return (value) => body(value);
};

/** Faster than the library's `validateResponse`, which copies the reply. */
const violationsBy = (validate: Validate | undefined, subject: unknown): ContractViolation[] => {
  if (validate === undefined || validate(subject)) return [];
  return violationsFrom(validate.errors);
};

const onlyMediaType = ({ description, content = {}, headers = {} }: RawResponse, mediaType: string): unknown => {
  const schema = content[mediaType]?.schema;
  return { description, headers, ...(schema === undefined ? {} : { content: { 'application/json': { schema } } }) };
};

const replyViolations = (validators: ReplyValidators, operation: Operation, reply: ReplyParts): ContractViolation[] => {
  const allowed = operation.responses.get(reply.status);
  if (allowed === undefined) return [{ pointer: '/status', message: `${reply.status} is not documented` }];
  const headers = joinedHeaders(reply.headers);
  const missing = missingHeaders(operation, reply.status, headers);
  const violations: ContractViolation[] = missing.map((name) => ({
    pointer: `/headers/${name}`,
    message: 'is missing',
  }));
  const bare = reply.mediaType?.split(';')[0];
  const documented =
    bare === undefined || operation.method === 'HEAD'
      ? 'none'
      : (allowed.find((type) => type === bare) ?? (allowed.includes('*/*') ? '*/*' : undefined));
  if (documented === undefined || (documented === 'none' && allowed.length > 0)) {
    return [
      ...violations,
      { pointer: '/headers/Content-Type', message: `${bare ?? 'no body'} is not documented for ${reply.status}` },
    ];
  }
  const found = validators(operation, reply.status, documented);
  if (found === undefined) return violations;
  const byHeaders = violationsBy(found.headers, { headers });
  const byBody = documented === 'none' || isBytes(documented) ? [] : violationsBy(found.body, reply.body);
  return [...violations, ...byHeaders, ...byBody];
};

/** As `replyViolations`, for the headers of a 200 of a media type that is documented. */
const headersAreRight = (
  validators: ReplyValidators,
  operation: Operation,
  mediaType: string,
  sent: ReplyParts['headers'],
): boolean => {
  const headers = joinedHeaders(sent);
  const validate = validators(operation, 200, mediaType)?.headers;
  return missingHeaders(operation, 200, headers).length === 0 && (validate === undefined || validate({ headers }));
};

/** Bytes have no schema. */
const isBytes = (mediaType: string): boolean => mediaType === '*/*' || mediaType === 'application/octet-stream';
