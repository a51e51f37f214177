/** Makes of a JSON body that its schema does not allow the nearest one that it does, filled from the document's examples. */
import type { Json, JsonObject } from '../model/entity.ts';
import type { ContractViolation } from '../document/contract-violation.ts';
import type { Backend } from '../engine/backend.ts';
import type { DocumentObject } from '../document/document.ts';
import type { Operation } from '../document/operation.ts';

/** The repository's document as it is served, without references, and what judges by it. */
export type ServedContract = { readonly backend: Backend; readonly document: DocumentObject };

/** So many faults of one body are put right; a body with more is better written anew. */
const mostFaults = 40;

/** One fault after the other, until there is none; the same object when there was none. Undefined when no way is known. */
export const correctedBody = async (
  sent: Json | undefined,
  operation: Operation,
  { backend, document }: ServedContract,
): Promise<Json | undefined> => {
  const { schema, example } = bodyOf(operation, document);
  let body: Json = typeof sent === 'object' && sent !== null ? sent : (example ?? {});
  const tried = new Set<string>();
  for (let round = 0; round < mostFaults; round += 1) {
    const faults = backend
      .requestViolations(operation, { params: {}, query: {}, headers: {}, body })
      .filter(({ pointer }) => pointer.startsWith('/requestBody'));
    const fault = summing(faults);
    if (fault === undefined) return body;
    const before = JSON.stringify([body, fault]);
    // What did not help does not help the second time: then the whole example does.
    if (tried.has(before)) return example;
    tried.add(before);
    body = await corrected(body, fault, { schema, example, again: tried.has(fault.pointer) });
    tried.add(fault.pointer);
  }
  return example;
};

/** Where several schemas are possible, the fault that says so comes after those of each. */
const summing = (faults: readonly ContractViolation[]): ContractViolation | undefined =>
  faults.findLast(({ rule }) => rule?.keyword === 'anyOf' || rule?.keyword === 'oneOf') ?? faults[0];

type Schema = { readonly [keyword: string]: unknown };
type Known = {
  readonly schema: Schema;
  readonly example: Json | undefined;
  /** Something has been tried at this place before. */
  readonly again: boolean;
};

const bodyOf = ({ path, method }: Operation, document: DocumentObject): Omit<Known, 'again'> => {
  const raw = document.paths[path]?.[method.toLowerCase()] as RawOperation | undefined; // validated document
  const media = raw?.requestBody?.content['application/json'];
  const first = Object.values(media?.examples ?? {})[0]?.value;
  return { schema: media?.schema ?? {}, example: media?.example ?? first };
};

type RawOperation = {
  readonly requestBody?: {
    readonly content: Readonly<
      Record<
        string,
        {
          readonly schema?: Schema;
          readonly example?: Json;
          readonly examples?: Record<string, { readonly value?: Json }>;
        }
      >
    >;
  };
};

const corrected = async (body: Json, { pointer, rule }: ContractViolation, known: Known): Promise<Json> => {
  const steps = stepsOf(pointer).slice(1);
  const at = schemaAt(known.schema, rule?.schemaPath ?? '');
  switch (rule?.keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return changed(
        body,
        [...steps, String(rule.params['additionalProperty'] ?? rule.params['unevaluatedProperty'])],
        undefined,
      );
    case 'required': {
      const name = String(rule.params['missingProperty']);
      const member = (at['properties'] as Readonly<Record<string, Schema>> | undefined)?.[name] ?? {}; // a schema's properties are schemas
      return changed(body, [...steps, name], valueAt(known.example, [...steps, name]) ?? (await sampleOf(member)));
    }
    case 'type': {
      const converted = known.again ? undefined : convert(valueAt(body, steps), String(rule.params['type']), at);
      return changed(body, steps, converted ?? valueAt(known.example, steps) ?? (await sampleOf(at)));
    }
    default:
      return changed(body, steps, valueAt(known.example, steps) ?? (await sampleOf(at)));
  }
};

/** The schema that a rule stands in. A path is relative to the library's schema of the whole request. */
const schemaAt = (schema: Schema, schemaPath: string): Schema => {
  // As a URI fragment has it (RFC 6901 §6).
  const steps = stepsOf(schemaPath).slice(2, -1).map(decodeURIComponent);
  return steps.reduce<Schema>((place, step) => (place[step] as Schema | undefined) ?? {}, schema); // a path that the validator itself has gone
};

/** What was meant: a number written as a text, a value without its list, a text where the value of an item was wanted. */
const convert = (value: Json | undefined, type: string, schema: Schema): Json | undefined => {
  if (type.split(',').includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return String(value);
  if (/integer|number/.test(type) && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 1 || value === '1')) return true;
  if (type === 'boolean' && (value === 'false' || value === 0 || value === '0')) return false;
  if (value === undefined || value === null) return undefined;
  if (type === 'array') return [value];
  const members = (schema['properties'] ?? {}) as Readonly<Record<string, unknown>>; // a schema's properties
  if (type === 'object' && typeof value !== 'object') {
    const name = ['value', 'target_id', 'uri'].find((candidate) => candidate in members);
    return name === undefined ? undefined : { [name]: value };
  }
  return undefined;
};

/** An example of a schema: its own, or one that is made up, the same each time. */
const sampleOf = async (schema: Schema): Promise<Json> => {
  const { example, examples, default: preset, const: only, enum: choices } = schema;
  const given = example ?? preset ?? only ?? first(examples) ?? first(choices);
  if (given !== undefined) return given as Json; // examples are JSON
  const { generateSync } = await import('json-schema-faker');
  return generateSync(schema, { seed: 1 }) as Json; // what the schema describes
};

const first = (list: unknown): unknown => (Array.isArray(list) ? (list as unknown[])[0] : undefined);

const valueAt = (value: Json | undefined, steps: readonly string[]): Json | undefined =>
  steps.reduce<Json | undefined>(
    (place, step) => (typeof place === 'object' && place !== null ? (place as JsonObject)[step] : undefined), // lists have their indexes as names
    value,
  );

/** A copy with another value at a place, or with none there. */
const changed = (value: Json, [step, ...rest]: readonly string[], to: Json | undefined): Json => {
  if (step === undefined) return to ?? {};
  if (Array.isArray(value)) {
    const list = value as readonly Json[]; // `isArray` forgets the kind of its members
    return list.flatMap((item, index) => {
      if (String(index) !== step) return [item];
      return rest.length === 0 && to === undefined ? [] : [changed(item, rest, to)];
    });
  }
  const object = (typeof value === 'object' && value !== null ? value : {}) as JsonObject; // lists are done with
  if (rest.length === 0 && to === undefined) {
    return Object.fromEntries(Object.entries(object).filter(([name]) => name !== step));
  }
  return { ...object, [step]: changed(object[step] ?? {}, rest, to) };
};

/** RFC 6901 §4. */
const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
