/** Whether a document that somebody has changed can be served, and if not where it is broken. Which changes there were is told. */
import { flawed, readPlacedYaml, type ConfigurationError, type Flaw, type PlacedYaml } from '../site/read-yaml.ts';
import { dereference } from './dereference.ts';
import type { DocumentObject } from './document.ts';
import { methods } from './operation.ts';
import type { Applied } from './overlay.ts';

type Keys = readonly (string | number)[];

/** Where a document came from: its file, and what overlays have changed in it. */
export type DocumentOrigin = {
  readonly file: string;
  readonly applied: readonly Applied[];
};

/**
 * Validates a document and resolves its references. Throws `ConfigurationError` with the file and line of the overlay that
 * brought the fault, or of the document itself.
 */
export const checkDocument = async (document: DocumentObject, origin: DocumentOrigin): Promise<DocumentObject> => {
  const broken = await validityFault(document);
  if (broken !== undefined) throw await located(broken, origin);
  const [schema] = await brokenSchemas(document);
  if (schema !== undefined) throw await located(schema, origin);
  const resolved = dereference(document);
  const [unservable] = servingFaults(document);
  if (unservable !== undefined) throw await located(unservable, origin);
  return resolved;
};

type DocumentFault = Omit<Flaw, 'file' | 'line'> & { readonly keys: Keys };

/** What swagger-parser tells of a fault: Ajv's errors, or the reference that leads nowhere. */
type ParserError = Error & {
  readonly details?: readonly { readonly instancePath: string; readonly message?: string; readonly params: object }[];
  readonly targetRef?: string;
};

const validityFault = async (document: DocumentObject): Promise<DocumentFault | undefined> => {
  const { default: parser } = await import('@apidevtools/swagger-parser');
  try {
    await parser.validate(structuredClone(document) as never); // the parser checks the shape itself
    return undefined;
  } catch (cause) {
    const error = cause as ParserError; // read with care: any member may be absent
    // The first error that lies deepest is the one that was meant; those around it follow from it.
    const [deepest] = [...(error.details ?? [])].sort((a, b) => depth(b.instancePath) - depth(a.instancePath));
    if (deepest !== undefined) {
      const { unevaluatedProperty: unknown } = deepest.params as { unevaluatedProperty?: string }; // of Ajv's errors
      const named = unknown === undefined ? '' : ` (${unknown})`;
      return {
        keys: [...keysOf(deepest.instancePath), ...(unknown === undefined ? [] : [unknown])],
        rule: 'openapi-schema',
        message: `#${deepest.instancePath} ${deepest.message ?? 'is not valid'}${named}.`,
        remedy: 'Write it as OpenAPI 3.1 has it.',
      };
    }
    const keys = referenceTo(document, /"(#[^"]*)"/.exec(error.message)?.[1]);
    return {
      keys,
      rule: 'openapi-reference',
      message: error.message,
      remedy: 'Correct the $ref, or add what it names.',
    };
  }
};

const brokenSchemas = async (document: DocumentObject): Promise<DocumentFault[]> => {
  // Loaded when there is something to check, as the parser is.
  const { schemaViolations: schemaFaults } = await import('./schema-violations.ts');
  return schemaFaults(document).map(({ keys, message }) => ({
    ...{ keys, rule: 'schema', message: `#/${keys.join('/')} ${message}.` },
    remedy: 'Write it as JSON Schema 2020-12 has it.',
  }));
};

const depth = (pointer: string): number => pointer.split('/').length;

/** RFC 6901 §3, §4. */
const keysOf = (pointer: string): Keys =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The place of the first `$ref` with that value. */
const referenceTo = (value: unknown, reference: string | undefined, keys: Keys = []): Keys => {
  if (typeof value !== 'object' || value === null) return [];
  for (const [name, member] of Object.entries(value)) {
    const here = [...keys, Array.isArray(value) ? Number(name) : name];
    if (name === '$ref' && member === reference) return here;
    const found = referenceTo(member, reference, here);
    if (found.length > 0) return found;
  }
  return [];
};

/** What OpenAPI allows and this server needs. */
const servingFaults = ({ paths }: DocumentObject): DocumentFault[] => {
  const seen = new Set<unknown>();
  return operationsIn(paths).flatMap(({ keys, operation }): DocumentFault[] => {
    const { operationId: id, responses = {} } = operation;
    const where = `#/${keys.join('/')}`;
    if (typeof id !== 'string') {
      return [
        {
          keys,
          rule: 'operation-id',
          message: `${where} has no operationId.`,
          remedy: 'Give it one; its handler is found by it.',
        },
      ];
    }
    if (seen.has(id)) {
      return [
        {
          keys: [...keys, 'operationId'],
          rule: 'operation-id',
          message: `There is an operation "${id}" already.`,
          remedy: 'Give it another operationId.',
        },
      ];
    }
    seen.add(id);
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

type RawOperation = { readonly operationId?: unknown; readonly responses?: object };

const operationsIn = (paths: DocumentObject['paths']): { readonly keys: Keys; readonly operation: RawOperation }[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const name = method.toLowerCase();
      const operation = item[name] as RawOperation | undefined; // valid by now
      return operation === undefined ? [] : [{ keys: ['paths', path, name], operation }];
    }),
  );

const located = async ({ keys, ...fault }: DocumentFault, origin: DocumentOrigin): Promise<ConfigurationError> => {
  const brought = broughtBy(keys, origin.applied);
  if (brought !== undefined) return flawed({ ...brought, ...fault });
  const places = await readPlacedYaml(origin.file, '').catch(() => undefined);
  return flawed({ file: origin.file, line: places?.lineOf(keys), ...fault });
};

/** The last overlay that has written there: at the place itself, or below what it selected. */
const broughtBy = (keys: Keys, applied: readonly Applied[]): Pick<Flaw, 'file' | 'line'> | undefined => {
  for (const { overlay, index, location } of [...applied].reverse()) {
    if (!location.every((key, position) => String(key) === String(keys[position]))) continue;
    const { places, file } = overlay;
    const below = keys.slice(location.length);
    const written = ['actions', index, 'update'];
    if (below.length === 0 || placedBelow(places, written, below))
      return { file, line: places.lineOf([...written, ...below]) };
  }
  return undefined;
};

const placedBelow = ({ has }: PlacedYaml, written: Keys, below: Keys): boolean =>
  has([...written, ...below.slice(0, 1)]);
