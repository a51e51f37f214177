import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeStep, readPointer, valueAt } from '../../src/basics/json-pointer.ts';

const write = (steps: readonly string[]): string => steps.map((step) => `/${encodeStep(step)}`).join('');

describe('JSON pointers (RFC 6901)', () => {
  it.each([
    ['', []],
    ['/', ['']],
    ['/a/b', ['a', 'b']],
    ['/a~1b', ['a/b']],
    ['/m~0n', ['m~n']],
    ['/~01', ['~1']],
    ['/c%25d', ['c%25d']],
    ['#', []],
    ['#/paths/~1node~1%7Bnode_id%7D', ['paths', '/node/{node_id}']],
    ['#/c%25d', ['c%d']],
    ['#/%7E1', ['/']],
  ])('reads %j', (pointer, steps) => {
    expect(readPointer(pointer)).toEqual(steps);
  });

  it('reads the steps that it has written, also from a URI fragment', () => {
    const anySteps = fc.array(fc.string({ unit: fc.constantFrom('~', '/', '%', '0', '1', '#', 'é', ' ') }));
    fc.assert(
      fc.property(anySteps, (steps) => {
        expect(readPointer(write(steps))).toEqual(steps);
        expect(readPointer(`#${steps.map((step) => `/${encodeURIComponent(encodeStep(step))}`).join('')}`)).toEqual(
          steps,
        );
      }),
    );
  });

  it('finds the value of every step in objects and lists', () => {
    const document = { paths: { '/a~b': [{ get: null }, 'x'] } };
    expect(valueAt(document, readPointer('/paths/~1a~0b/1'))).toBe('x');
    expect(valueAt(document, readPointer('#/paths/~1a~0b/0/get'))).toBeNull();
    expect(valueAt(document, [])).toBe(document);
  });

  it.each(['/paths/none', '/paths/~1a/0/get/deeper', '/constructor', 'other.yaml#/paths'])(
    'finds nothing at %s',
    (pointer) => {
      expect(valueAt({ paths: { '/a': [{ get: null }] } }, readPointer(pointer))).toBeUndefined();
    },
  );
});
