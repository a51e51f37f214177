/** Bounds the time that the schemas of a user may look at a value. */
import { regExpWith, withinTime } from '../../basics/time-limit.ts';
import { ajvCompiler, type CompilerOptions } from './compiler.ts';
import type { SchemasOptions } from './schemas.ts';
import type { Violation } from './violations.ts';

/** In milliseconds. With `uniqueItems` and objects, or schemas that have themselves twice as a member, it could be hours. */
export const checkMs = 500;

const tooLate: readonly Violation[] = [
  {
    ...{ pointer: '', message: `cannot be checked within ${checkMs} ms` },
    rule: { keyword: 'time', schemaPath: '#', params: {} },
  },
];

/** A compiler whose checks refuse a value that takes longer. `slowPatterns` look at a text for a bounded time each. */
export const boundedCompiler = (
  slowPatterns: ReadonlySet<string>,
  options: CompilerOptions = {},
): SchemasOptions['createCompiler'] => {
  const createCompiler = ajvCompiler({
    ...options,
    ...(slowPatterns.size === 0 ? {} : { regExp: regExpWith(slowPatterns) }),
  });
  return (direction, targets) => {
    const compile = createCompiler(direction, targets);
    return (schema) => {
      const check = compile(schema);
      return (value) =>
        withinTime(
          checkMs,
          () => check(value),
          () => tooLate,
        );
    };
  };
};
