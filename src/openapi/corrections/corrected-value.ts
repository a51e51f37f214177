/** Corrects a value step by step until its schema allows it, and keeps what the client sent wherever it is right. */
import type { Awaitable } from '../../basics/awaitable.ts';
import { readPointer, valueAt, withValueAt } from '../../basics/json-pointer.ts';
import type { Violation } from '../schemas/violations.ts';

/** A value with more violations is replaced by the example. */
const maxCorrections = 40;

export type CorrectionRules = {
  /** A whole value that the schema allows. Undefined where none is known. */
  readonly example: unknown;
  /** What a value violates, with pointers into it. A check may stop at the first violation. */
  readonly check: (value: unknown) => readonly Violation[];
  /** The schema that has the rule of a violation. */
  readonly schemaOf: (violation: Violation) => Schema;
  readonly sampleOf: (schema: unknown) => Awaitable<unknown>;
  /** The names of the member that is meant where its value was sent in place of the object, the best first. */
  readonly mainMembers?: readonly string[];
};

type Schema = { readonly [keyword: string]: unknown };

export type CorrectedValue = {
  /** The sent value when it has no violation, the example when the corrections do not help. */
  readonly value: unknown;
  /** Everything that had to be corrected. */
  readonly violations: readonly Violation[];
};

/** Corrects one violation after another. */
export const correctedValue = async (sent: unknown, rules: CorrectionRules): Promise<CorrectedValue> => {
  let value = sent;
  const tried = new Set<string>();
  let met: readonly Violation[] = [];
  for (let round = 0; round < maxCorrections; round += 1) {
    const violation = mainViolation(rules.check(value), tried);
    if (violation === undefined) return { value, violations: met };
    const attempt = JSON.stringify([value, violation]);
    if (tried.has(attempt)) return { value: rules.example, violations: met };
    tried.add(attempt);
    if (!met.some((before) => isSameFault(before, violation))) met = [...met, violation];
    value = await corrected(value, violation, { rules, isRetry: tried.has(violation.pointer) });
    tried.add(violation.pointer).add(placeOf(violation));
  }
  return { value: rules.example, violations: met };
};

/** A value that a correction has put in place of a wrong one may itself be wrong: only the client's own values count. */
const isSameFault = (before: Violation, violation: Violation): boolean => {
  const [first, second] = [`${faultyPart(before)}/`, `${faultyPart(violation)}/`];
  const isSummary = violation.rule?.keyword === 'anyOf' || violation.rule?.keyword === 'oneOf';
  return second.startsWith(first) || (isSummary && first.startsWith(second));
};

/** The member that is missing or not allowed, or else the value at the pointer. */
const faultyPart = ({ pointer, rule }: Violation): string => {
  const { missingProperty, additionalProperty, unevaluatedProperty } = rule?.params ?? {};
  const member = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  return typeof member === 'string' ? `${pointer}/${member}` : pointer;
};

/**
 * With `anyOf` and `oneOf` the validator lists the violations of each alternative first, then one that sums them up. The sent value
 * is kept where it can be: the nearest alternative is corrected first, and the whole value is replaced when that has not helped.
 */
const mainViolation = (violations: readonly Violation[], tried: ReadonlySet<string>): Violation | undefined => {
  const sum = violations.findLast(({ rule }) => rule?.keyword === 'anyOf' || rule?.keyword === 'oneOf');
  if (sum === undefined) return violations[0];
  const alternatives = new Map<string, Violation[]>();
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
const placeOf = ({ pointer, rule }: Violation): string => `${pointer} ${rule?.schemaPath ?? ''}`;

type Correction = {
  readonly rules: CorrectionRules;
  /** True when a value at the same pointer was corrected before. */
  readonly isRetry: boolean;
};

const corrected = async (value: unknown, violation: Violation, { rules, isRetry }: Correction): Promise<unknown> => {
  const { pointer, rule } = violation;
  const { example, schemaOf, sampleOf, mainMembers = [] } = rules;
  const steps = readPointer(pointer);
  const schema = schemaOf(violation);
  switch (rule?.keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return withValue(
        value,
        [...steps, String(rule.params['additionalProperty'] ?? rule.params['unevaluatedProperty'])],
        undefined,
      );
    case 'required': {
      const name = String(rule.params['missingProperty']);
      const property = valueAt(schema['properties'], [name]) ?? {};
      return withValue(value, [...steps, name], valueAt(example, [...steps, name]) ?? (await sampleOf(property)));
    }
    case 'type': {
      const converted = isRetry
        ? undefined
        : convert(valueAt(value, steps), String(rule.params['type']), { schema, mainMembers });
      return withValue(value, steps, converted ?? valueAt(example, steps) ?? (await sampleOf(schema)));
    }
    default:
      return withValue(value, steps, valueAt(example, steps) ?? (await sampleOf(schema)));
  }
};

/** Guesses the intended value: a number written as text, a value without its list, or the value of an item without its object. */
const convert = (
  value: unknown,
  type: string,
  { schema, mainMembers }: { readonly schema: Schema; readonly mainMembers: readonly string[] },
): unknown => {
  if (type.split(',').includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return String(value);
  if (/integer|number/.test(type) && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 1 || value === '1')) return true;
  if (type === 'boolean' && (value === 'false' || value === 0 || value === '0')) return false;
  if (value === undefined || value === null) return undefined;
  if (type === 'array') return [value];
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, unknown>>; // a schema's properties
  if (type === 'object' && typeof value !== 'object') {
    const name = mainMembers.find((candidate) => candidate in properties);
    return name === undefined ? undefined : { [name]: value };
  }
  return undefined;
};

const withValue = (value: unknown, steps: readonly string[], to: unknown): unknown =>
  withValueAt(value, steps, to) ?? {};
