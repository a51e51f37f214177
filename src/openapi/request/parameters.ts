/**
 * Reads the parameters of a request as typed values: every style and explode of OpenAPI 3.1 (§4.8.12), in path, query, header and
 * cookie. A text is divided at its raw delimiters first, and each piece is decoded then: `a%2Cb,c` are two items.
 */
import { encodeStep } from '../../basics/json-pointer.ts';
import type { Parameter, Place } from '../document/parameter.ts';
import {
  cookiesOf,
  pairsOf,
  type RawParameters,
  type StyleContext,
  Unreadable,
  wayOf,
  type Wire,
} from './parameter-styles.ts';
import type { Schemas } from '../schemas/schemas.ts';
import { createValues, setOwn } from '../schemas/values.ts';
import type { Violation } from '../schemas/violations.ts';

export type ParameterValues = {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, unknown>>;
};

export type ReadParameters = (raw: RawParameters) => {
  readonly values: ParameterValues;
  readonly violations: readonly Violation[];
};

/** Returns what reads the parameters of one operation. */
export const readerOf = (parameters: readonly Parameter[], schemas: Schemas): ReadParameters => {
  const values = createValues(schemas);
  const readers = parameters.map((parameter) => createReader(parameter, { values, schemas, parameters }));
  return (raw) => {
    const read = { path: {}, query: {}, header: {}, cookie: {} } as Record<Place, Record<string, unknown>>;
    const violations: Violation[] = [];
    const wire = {
      raw,
      query: lazy(() => pairsOf(raw.query, '&')),
      cookies: lazy(() => cookiesOf(raw.headers['cookie'])),
    };
    for (const { parameter, readOne } of readers) {
      const key = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
      const result = readOne(wire);
      violations.push(...result.violations);
      if (result.value !== undefined) setOwn(read[parameter.in], key, result.value);
    }
    return {
      values: { path: read.path, query: read.query, headers: read.header, cookies: read.cookie },
      violations,
    };
  };
};

const lazy = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

type Result = { readonly value: unknown; readonly violations: readonly Violation[] };

type Reader = { readonly parameter: Parameter; readonly readOne: (wire: Wire) => Result };

const createReader = (parameter: Parameter, context: StyleContext): Reader => {
  const pointer = `/${parameter.in}/${encodeStep(parameter.name)}`;
  const read = wayOf(parameter, context);
  const check = context.schemas.check(parameter.schema ?? true, 'request');
  const fallback = context.values.outline(parameter.schema ?? true).defaultValue;
  const absent: Result = parameter.isRequired
    ? { value: undefined, violations: [missing(pointer, parameter)] }
    : { value: fallback, violations: [] };
  return {
    parameter,
    readOne: (wire) => {
      try {
        const value = read(wire);
        if (value === undefined) return absent;
        if (value === '' && parameter.allowsEmpty) return { value, violations: [] };
        const found = check(value);
        return { value, violations: found.map((each) => ({ ...each, pointer: pointer + each.pointer })) };
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        return { value: undefined, violations: [{ pointer, message: error.message }] };
      }
    },
  };
};

const missing = (pointer: string, { name }: Parameter): Violation => ({
  ...{ pointer, message: 'is required' },
  rule: { keyword: 'required', schemaPath: '#/required', params: { missingProperty: name } },
});
