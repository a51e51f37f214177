/**
 * Reads the parameters of a request as typed values: every style and explode of OpenAPI 3.1 (§4.8.12), in path, query, header and
 * cookie. A text is divided at its raw delimiters first, and each piece is decoded then: `a%2Cb,c` are two items.
 */
import { encodeStep } from '../../basics/json-pointer.ts';
import type { Parameter, Place } from '../document/parameter.ts';
import { Unreadable } from './decoders.ts';
import { cookiesOf, pairsOf, type RawParameters, type StyleContext, wayOf, type Wire } from './parameter-styles.ts';
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

export type ReaderOptions = {
  /**
   * Reads as PHP does: the last of several values counts, and an escape that is none stays as it was sent. Defaults are not filled
   * in. Default: false.
   */
  readonly isTolerant?: boolean;
};

/** Returns what reads the parameters of one operation. */
export const readerOf = (
  parameters: readonly Parameter[],
  schemas: Schemas,
  { isTolerant = false }: ReaderOptions = {},
): ReadParameters => {
  const values = createValues(schemas);
  const readers = parameters.map((parameter) => createReader(parameter, { values, schemas, parameters }, isTolerant));
  return (raw) => {
    const read = { path: {}, query: {}, header: {}, cookie: {} } as Record<Place, Record<string, unknown>>;
    const violations: Violation[] = [];
    const wire: Wire = {
      raw,
      isTolerant,
      query: lazy(() => pairsOf(raw.query, '&')),
      cookies: lazy(() => cookiesOf(raw.headers['cookie'])),
    };
    for (const { place, key, readOne } of readers) {
      const result = readOne(wire);
      if (result.violations.length > 0) violations.push(...result.violations);
      if (result.value !== undefined) setOwn(read[place], key, result.value);
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

type Reader = { readonly place: Place; readonly key: string; readonly readOne: (wire: Wire) => Result };

const createReader = (parameter: Parameter, context: StyleContext, isTolerant: boolean): Reader => {
  const pointer = `/${parameter.in}/${encodeStep(parameter.name)}`;
  const read = wayOf(parameter, context);
  const check = context.schemas.check(parameter.schema ?? true, 'request');
  const fallback = isTolerant ? undefined : context.values.outline(parameter.schema ?? true).defaultValue;
  const absent: Result = parameter.isRequired
    ? { value: undefined, violations: [missing(pointer, parameter)] }
    : { value: fallback, violations: [] };
  return {
    place: parameter.in,
    key: parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name,
    readOne: (wire) => {
      try {
        const value = read(wire);
        if (value === undefined) return absent;
        if (value === '' && parameter.allowsEmpty) return { value, violations: [] };
        const found = check(value);
        if (found.length === 0) return { value, violations: found };
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
