/** Checks whether a document can be served, and finds the file and line of each flaw. Finds patterns of overlays whose time grows out of bounds. */
import { type ConfigurationError, type Flaw, flawError } from '../../basics/configuration-error.ts';
import { type Keys, pointerTo, readPointer } from '../../basics/json-pointer.ts';
import { lazyModule } from '../../basics/lazy-module.ts';
import { patternMs } from '../../basics/time-limit.ts';
import { parseYamlFile } from '../../basics/yaml/read-yaml.ts';
import { dereference, loadParser } from '../../openapi/openapi-parts.ts';
import { type DocumentObject, type RawOperation, writtenOperations } from '../../openapi/openapi-terms.ts';
import { type AppliedUpdate, overlayLineOf } from './overlay.ts';
import { type OpenedDocument, openTree } from '../../openapi/openapi.ts';
import { patternsIn } from './schema-violations.ts';
import { isSlow } from './slow-pattern.ts';
import { unboundedPart } from './unbounded.ts';

const loadSchemaCheck = lazyModule(() => import('./schema-violations.ts'), 'schemaViolations');

/** The file of a document, and the updates that overlays made to it. */
type DocumentOrigin = {
  readonly file: string;
  readonly applied: readonly AppliedUpdate[];
};

/**
 * Validates a document and resolves its references. Throws `ConfigurationError` with the file and line of the overlay
 * that caused the error, or of the document itself.
 */
export const checkDocument = async (document: DocumentObject, origin: DocumentOrigin): Promise<DocumentObject> => {
  const unbounded = unboundedViolation(document);
  if (unbounded !== undefined) throw await errorOf(unbounded, origin);
  const invalid = (await openApiViolation(document)) ?? (await schemaViolation(document));
  if (invalid !== undefined) throw await errorOf(invalid, origin);
  const resolved = dereference(document);
  const [unservable] = servingViolations(document);
  if (unservable !== undefined) throw await errorOf(unservable, origin);
  return resolved;
};

/** `keys` lead from the root of the document to the violation. */
type DocumentViolation = Omit<Flaw, 'file' | 'line'> & { readonly keys: Keys };

const unboundedViolation = (document: DocumentObject): DocumentViolation | undefined => {
  const found = unboundedPart(document);
  return found && { ...found, rule: 'unbounded', remedy: 'Write it smaller, or without the reference.' };
};

/** An error of swagger-parser: `details` are Ajv's errors; a broken reference has none. */
type ParserError = Error & {
  readonly details?: readonly { readonly instancePath: string; readonly message?: string; readonly params: object }[];
};

const openApiViolation = async (document: DocumentObject): Promise<DocumentViolation | undefined> => {
  const { default: parser } = await loadParser();
  try {
    await parser.validate(structuredClone(document) as never, { resolve: { external: false } }); // the parser checks the shape itself
    return undefined;
  } catch (cause) {
    const error = cause as ParserError; // any of its own members may be absent
    // The deepest error is the cause; Ajv reports the levels above it as errors too.
    const [deepest] = [...(error.details ?? [])].sort((a, b) => depth(b.instancePath) - depth(a.instancePath));
    if (deepest !== undefined) {
      const { unevaluatedProperty: unknown } = deepest.params as { unevaluatedProperty?: string }; // of Ajv's errors
      const named = unknown === undefined ? '' : ` (${unknown})`;
      return {
        keys: [...readPointer(deepest.instancePath), ...(unknown === undefined ? [] : [unknown])],
        rule: 'openapi-schema',
        message: `#${deepest.instancePath} ${deepest.message ?? 'is not valid'}${named}.`,
        remedy: 'Write it as OpenAPI 3.1 has it.',
      };
    }
    return {
      keys: keysOfReference(document, /"(#[^"]*)"/.exec(error.message)?.[1]),
      rule: 'openapi-reference',
      message: error.message,
      remedy: 'Correct the $ref, or add what it names.',
    };
  }
};

const depth = (pointer: string): number => pointer.split('/').length;

/** The keys of the first `$ref` with this value; none when the document has no such `$ref`. */
const keysOfReference = (value: unknown, reference: string | undefined, keys: Keys = []): Keys => {
  if (typeof value !== 'object' || value === null) return [];
  for (const [name, member] of Object.entries(value)) {
    const here = [...keys, Array.isArray(value) ? Number(name) : name];
    if (name === '$ref' && member === reference) return here;
    const found = keysOfReference(member, reference, here);
    if (found.length > 0) return found;
  }
  return [];
};

const schemaViolation = async (document: DocumentObject): Promise<DocumentViolation | undefined> => {
  // Ajv is loaded only for a check: a normal start does not need it here.
  const { schemaViolations } = await loadSchemaCheck();
  const [violation] = schemaViolations(document);
  if (violation === undefined) return undefined;
  const { keys, message } = violation;
  return {
    ...{ keys, rule: 'schema', message: `#/${keys.join('/')} ${message}.` },
    remedy: 'Write it as JSON Schema 2020-12 has it.',
  };
};

/** The rules of this server that OpenAPI does not have. */
const servingViolations = (document: DocumentObject): DocumentViolation[] => {
  const seen = new Set<string>();
  return writtenOperations(document).flatMap(({ path, method, operation }): DocumentViolation[] => {
    const keys = ['paths', path, method.toLowerCase()];
    const { operationId: id, responses = {} } = operation as Partial<RawOperation>; // valid by now, but an operationId is optional
    const where = `#/${keys.join('/')}`;
    const rule = 'operation-id';
    if (typeof id !== 'string') {
      const remedy = 'Give it one; its handler is found by it.';
      return [{ keys, rule, message: `${where} has no operationId.`, remedy }];
    }
    if (seen.has(id)) {
      const message = `There is an operation "${id}" already.`;
      return [{ keys: [...keys, 'operationId'], rule, message, remedy: 'Give it another operationId.' }];
    }
    seen.add(id);
    if (Object.keys(responses).length === 0) {
      const remedy = 'Give it at least one: its mock is made of it.';
      return [{ keys, rule: 'responses', message: `${where} has no responses.`, remedy }];
    }
    const status = Object.keys(responses).find((name) => !/^[1-5]\d\d$/.test(name));
    if (status === undefined) return [];
    return [
      {
        keys: [...keys, 'responses', status],
        rule: 'status',
        message: `${where} answers with "${status}".`,
        remedy: 'Write each status by its number: a mock must know which to give.',
      },
    ];
  });
};

const errorOf = async ({ keys, ...flaw }: DocumentViolation, origin: DocumentOrigin): Promise<ConfigurationError> => {
  const inOverlay = overlayLineOf(keys, origin.applied);
  if (inOverlay !== undefined) return flawError({ ...inOverlay, ...flaw });
  const source = await parseYamlFile(origin.file, '').catch(() => undefined);
  return flawError({ file: origin.file, line: source?.lineOf(keys), ...flaw });
};

/**
 * The operations that overlays add, as a document of their own. Throws `ConfigurationError` with all that cannot be served, and the
 * lines of the overlays.
 */
export const openAdded = (document: DocumentObject, { file, applied }: DocumentOrigin): OpenedDocument => {
  const unbounded = unboundedViolation(document);
  const placeOf: OpenedDocument['placeOf'] = (keys) => ({ file, line: undefined, ...overlayLineOf(keys, applied) });
  if (unbounded !== undefined) throw flawError({ ...unbounded, ...placeOf(unbounded.keys) });
  // The authors of overlays cannot mend the rest.
  return openTree(document, { placeOf, mayWarn: (keys) => overlayLineOf(keys, applied) !== undefined });
};

export type SlowPatterns = { readonly patterns: ReadonlySet<string>; readonly warnings: readonly Flaw[] };

/** The slow patterns of the overlays, and a warning for each with file and line. */
export const slowPatterns = (document: DocumentObject, applied: readonly AppliedUpdate[]): SlowPatterns => {
  const found = patternsIn(document).flatMap(({ keys, pattern }): (Located & { pattern: string })[] => {
    const place = overlayLineOf(keys, applied);
    return place === undefined || !isSlow(pattern) ? [] : [{ ...place, keys, pattern }];
  });
  return {
    patterns: new Set(found.map(({ pattern }) => pattern)),
    warnings: found.map(({ file, line, keys, pattern }) => ({
      ...{ file, line, rule: 'slow-pattern' },
      message: `#${pointerTo(keys)}: the time that ${pattern} needs can grow faster than the text.`,
      remedy: `Anchor it and repeat nothing twice. A text that takes it more than ${patternMs} ms is refused.`,
    })),
  };
};

type Located = Pick<Flaw, 'file' | 'line'> & { readonly keys: Keys };
