/** Corrects a JSON body that violates its schema. Missing values come from the document's examples. */
import type { Json } from '../core/model/entity.ts';
import type { ContractViolation } from '../core/document/contract-violation.ts';
import type { Backend } from '../core/engine/backend.ts';
import type { DocumentObject } from '../core/document/document.ts';
import { readPointer, valueAt, withValueAt } from '../basics/json-pointer.ts';
import { rawOperation, type Operation } from '../core/document/operation.ts';
import { sampleOfSchema } from '../core/document/sample.ts';

/** The served document without references, and the validator compiled from it. */
export type ServedContract = {
  readonly backend: Backend;
  readonly document: DocumentObject;
  /** The published password of a demo account. */
  readonly passwordOf: (account: string) => string | undefined;
};

/** A body with more violations is replaced by the example. */
const maxCorrections = 40;

type CorrectedBody = {
  /** The client's own body when it has no violation, the document's example when the corrections do not help, undefined without one. */
  readonly body: Json | undefined;
  /** Everything in the client's body that had to be corrected. The validator itself stops at the first. */
  readonly violations: readonly ContractViolation[];
};

/** Corrects one violation after another. */
export const correctedBody = async (
  sent: Json | undefined,
  operation: Operation,
  { backend, document }: ServedContract,
): Promise<CorrectedBody> => {
  const { schema, example } = bodyOf(operation, document);
  let body: Json = typeof sent === 'object' && sent !== null ? sent : (example ?? {});
  const tried = new Set<string>();
  let met: readonly ContractViolation[] = [];
  for (let round = 0; round < maxCorrections; round += 1) {
    const violations = backend
      .requestViolations(operation, { params: {}, query: {}, headers: {}, body })
      .filter(({ pointer }) => pointer.startsWith('/requestBody'));
    const violation = mainViolation(violations, tried);
    if (violation === undefined) return { body, violations: met };
    const attempt = JSON.stringify([body, violation]);
    if (tried.has(attempt)) return { body: example, violations: met };
    tried.add(attempt);
    if (!met.some((before) => isSameFault(before, violation))) met = [...met, violation];
    body = await corrected(body, violation, { schema, example, isRetry: tried.has(violation.pointer) });
    tried.add(violation.pointer).add(placeOf(violation));
  }
  return { body: example, violations: met };
};

/** A value that a correction has put in place of a wrong one may itself be wrong: only the client's own values count. */
const isSameFault = (before: ContractViolation, violation: ContractViolation): boolean => {
  const [first, second] = [`${faultyPart(before)}/`, `${faultyPart(violation)}/`];
  const isSummary = violation.rule?.keyword === 'anyOf' || violation.rule?.keyword === 'oneOf';
  return second.startsWith(first) || (isSummary && first.startsWith(second));
};

/** The member that is missing or not allowed, or else the value at the pointer. */
const faultyPart = ({ pointer, rule }: ContractViolation): string => {
  const { missingProperty, additionalProperty, unevaluatedProperty } = rule?.params ?? {};
  const member = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  return typeof member === 'string' ? `${pointer}/${member}` : pointer;
};

/**
 * With `anyOf` and `oneOf` the validator lists the violations of each alternative first, then one that sums them up. The sent value
 * is kept where it can be: the nearest alternative is corrected first, and the whole value is replaced when that has not helped.
 */
const mainViolation = (
  violations: readonly ContractViolation[],
  tried: ReadonlySet<string>,
): ContractViolation | undefined => {
  const sum = violations.findLast(({ rule }) => rule?.keyword === 'anyOf' || rule?.keyword === 'oneOf');
  if (sum === undefined) return violations[0];
  const alternatives = new Map<string, ContractViolation[]>();
  const inside = `${sum.rule?.schemaPath ?? ''}/`;
  for (const each of violations.filter(({ rule }) => rule?.schemaPath.startsWith(inside))) {
    const [index = ''] = (each.rule?.schemaPath ?? '').slice(inside.length).split('/');
    alternatives.set(index, [...(alternatives.get(index) ?? []), each]);
  }
  const [nearest = []] = [...alternatives.values()].sort((a, b) => a.length - b.length);
  const first = mainViolation(nearest, tried);
  return first === undefined || tried.has(placeOf(first)) ? sum : first;
};

/** A rule at a value: each is corrected once inside an alternative. */
const placeOf = ({ pointer, rule }: ContractViolation): string => `${pointer} ${rule?.schemaPath ?? ''}`;

type Schema = { readonly [keyword: string]: unknown };
type Correction = {
  readonly schema: Schema;
  readonly example: Json | undefined;
  /** True when a value at the same pointer was corrected before. */
  readonly isRetry: boolean;
};

const bodyOf = (operation: Operation, document: DocumentObject): Omit<Correction, 'isRetry'> => {
  const media = rawOperation(document, operation)?.requestBody?.content['application/json'];
  const first = Object.values(media?.examples ?? {})[0]?.value;
  return { schema: media?.schema ?? {}, example: (media?.example ?? first) as Json | undefined }; // examples are JSON
};

const corrected = async (body: Json, { pointer, rule }: ContractViolation, correction: Correction): Promise<Json> => {
  const { example, isRetry } = correction;
  const steps = readPointer(pointer).slice(1);
  const schema = schemaAt(correction.schema, rule?.schemaPath ?? '');
  switch (rule?.keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return withValue(
        body,
        [...steps, String(rule.params['additionalProperty'] ?? rule.params['unevaluatedProperty'])],
        undefined,
      );
    case 'required': {
      const name = String(rule.params['missingProperty']);
      const property = (schema['properties'] as Readonly<Record<string, Schema>> | undefined)?.[name] ?? {}; // a schema's properties are schemas
      return withValue(body, [...steps, name], jsonAt(example, [...steps, name]) ?? (await sampleOf(property)));
    }
    case 'type': {
      const converted = isRetry ? undefined : convert(jsonAt(body, steps), String(rule.params['type']), schema);
      return withValue(body, steps, converted ?? jsonAt(example, steps) ?? (await sampleOf(schema)));
    }
    default:
      return withValue(body, steps, jsonAt(example, steps) ?? (await sampleOf(schema)));
  }
};

/** The schema that contains a rule. `schemaPath` is relative to the validator's schema of the whole request. */
const schemaAt = (schema: Schema, schemaPath: string): Schema => {
  const steps = readPointer(schemaPath).slice(2, -1);
  return (valueAt(schema, steps) ?? {}) as Schema; // the validator read a schema there
};

/** Guesses the intended value: a number written as text, a value without its list, or the value of an item without its object. */
const convert = (value: Json | undefined, type: string, schema: Schema): Json | undefined => {
  if (type.split(',').includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return String(value);
  if (/integer|number/.test(type) && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 1 || value === '1')) return true;
  if (type === 'boolean' && (value === 'false' || value === 0 || value === '0')) return false;
  if (value === undefined || value === null) return undefined;
  if (type === 'array') return [value];
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, unknown>>; // a schema's properties
  if (type === 'object' && typeof value !== 'object') {
    const name = ['value', 'target_id', 'uri'].find((candidate) => candidate in properties);
    return name === undefined ? undefined : { [name]: value };
  }
  return undefined;
};

/** The example of a schema, or a generated value that is the same each time. */
const sampleOf = async (schema: Schema): Promise<Json> => {
  const { example, examples, default: preset, const: only, enum: choices } = schema;
  const declared = example ?? preset ?? only ?? first(examples) ?? first(choices);
  if (declared !== undefined) return declared as Json; // examples are JSON
  return (await sampleOfSchema(schema)) as Json; // generated from the schema
};

const first = (list: unknown): unknown => (Array.isArray(list) ? (list as unknown[])[0] : undefined);

const jsonAt = (value: Json | undefined, steps: readonly string[]): Json | undefined =>
  valueAt(value, steps) as Json | undefined; // a part of JSON is JSON

const withValue = (value: Json, steps: readonly string[], to: Json | undefined): Json =>
  (withValueAt(value, steps, to) ?? {}) as Json; // JSON with JSON in it
