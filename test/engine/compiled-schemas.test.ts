/** What is compiled once for all documents that have it. */
import { expect, it } from '@jest/globals';
import { createCompiledSchemas } from '../../src/core/engine/compiled-schemas.ts';

it('compiles the same schemas once, and others by themselves', () => {
  const compiled = createCompiledSchemas<number>();
  let times = 0;
  const compile = (): number => (times += 1);
  expect(compiled([200, { type: 'object' }], compile)).toBe(1);
  expect(compiled([200, { type: 'object' }], compile)).toBe(1);
  expect(compiled([404, { type: 'object' }], compile)).toBe(2);
  expect(compiled([200, { type: 'object' }], compile)).toBe(1);
});

it('compiles a schema that contains itself each time', () => {
  const schema: Record<string, unknown> = {};
  schema['items'] = schema;
  const compiled = createCompiledSchemas<number>();
  let times = 0;
  expect([compiled(schema, () => (times += 1)), compiled(schema, () => (times += 1))]).toEqual([1, 2]);
});
