/**
 * Bounds the time that the check of one value takes: a schema that contains itself twice can double the work with each level of a value.
 * Compares the items of a list without comparing each with all others.
 */
import type { SchemaValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { areEqualJson } from '../../basics/equal-values.ts';
import { isRecord } from '../../basics/json.ts';
import { workedMs } from '../../basics/time-limit.ts';
import type { Violation } from './violations.ts';

/** In milliseconds. */
export const checkMs = 500;

class TooLate extends Error {}

export type Budget = {
  /** Runs a check, which asks for time while it works. `tooLate` is its result when it takes too long. */
  readonly within: <T>(check: (value: unknown) => T, value: unknown, tooLate: T) => T;
  /** Asks for time to go on. Cheap: the clock is read once in many steps. */
  readonly step: () => void;
  /** The same before a step that can take long itself. */
  readonly longStep: () => void;
};

/** So many steps take less than a millisecond. */
const stepsBetween = 256;

export const createBudget = (): Budget => {
  let isRunning = false;
  let steps = 0;
  let begin: { readonly passed: number; readonly worked: number } | undefined;
  const longStep = (): void => {
    if (!isRunning) return;
    const passed = performance.now();
    begin ??= { passed, worked: workedMs() };
    // On a busy machine time passes without work.
    if (passed - begin.passed > checkMs && workedMs() - begin.worked > checkMs) throw new TooLate();
  };
  return {
    within: (check, value, tooLate) => {
      // A check may ask for another one.
      if (isRunning) return check(value);
      isRunning = true;
      steps = 0;
      begin = undefined;
      try {
        return check(value);
      } catch (error) {
        if (error instanceof TooLate) return tooLate;
        throw error;
      } finally {
        isRunning = false;
      }
    },
    step: () => {
      steps += 1;
      if (steps % stepsBetween === 0) longStep();
    },
    longStep,
  };
};

/** A value that takes longer is refused. */
export const tooLate: readonly Violation[] = [
  {
    ...{ pointer: '', message: `cannot be checked within ${checkMs} ms` },
    rule: { keyword: 'time', schemaPath: '#', params: {} },
  },
];

/** In place of Ajv's own keyword, which compares each object of a list with all others. */
export const addUniqueItems = (ajv: Ajv2020, budget: Budget): void => {
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    ...{ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', errors: true, before: 'prefixItems' },
    compile: (isWanted: boolean, parentSchema: object) => {
      const check: SchemaValidateFunction = (list: unknown[]) => {
        const same = isWanted ? sameItems(list, budget) : undefined;
        if (same === undefined) return true;
        const [j, i] = same;
        const message = `must NOT have duplicate items (items ## ${j} and ${i} are identical)`;
        // Errors name the schema that has the rule, as those of Ajv's own keywords do.
        check.errors = [{ keyword: 'uniqueItems', message, params: { i, j }, parentSchema }];
        return false;
      };
      return check;
    },
  });
};

/** Up to so many items are compared each with all others, which is quicker. */
const fewItems = 10;

/** The positions of the first two that are equal. */
const sameItems = (list: readonly unknown[], { step, longStep }: Budget): [number, number] | undefined => {
  if (list.length <= fewItems) return sameOfFew(list, step);
  longStep();
  const scalars = new Map<unknown, number>();
  const texts = new Map<unknown, number>();
  for (const [at, item] of list.entries()) {
    step();
    const isScalar = typeof item !== 'object' || item === null;
    const [known, key] = isScalar ? [scalars, item] : [texts, textOf(item, step)];
    const before = known.get(key);
    if (before !== undefined) return [before, at];
    known.set(key, at);
  }
  return undefined;
};

const sameOfFew = (list: readonly unknown[], step: () => void): [number, number] | undefined => {
  for (let at = 1; at < list.length; at += 1) {
    step();
    for (let before = 0; before < at; before += 1) if (areEqualJson(list[before], list[at])) return [before, at];
  }
  return undefined;
};

/** Equal values have the same text: the order of members means nothing (JSON Schema 2020-12, core, §4.2.2). */
const textOf = (value: unknown, step: () => void): string => JSON.stringify(inOrder(value, step));

const inOrder = (value: unknown, step: () => void): unknown => {
  step();
  if (Array.isArray(value)) return value.map((item) => inOrder(item, step));
  if (!isRecord(value)) return value;
  // Without a prototype `__proto__` is a name like any other.
  const ordered = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(value).sort()) ordered[name] = inOrder(value[name], step);
  return ordered;
};
