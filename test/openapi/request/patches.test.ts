import { describe, expect, test } from '@jest/globals';
import { jsonPatched, mergePatched, PatchFault } from '../../../src/openapi/request/patches.ts';

const json = (text: string): unknown => JSON.parse(text) as unknown;

describe('merge patches: the examples of RFC 7396, appendix A', () => {
  test.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
    // Names are data.
    ['{"__proto__":{"a":1}}', '{"__proto__":{"b":2}}', '{"__proto__":{"a":1,"b":2}}'],
    ['{}', '{"toString":null}', '{}'],
  ])('%s with %s is %s', (target, patch, result) => {
    expect(JSON.stringify(mergePatched(json(target), json(patch)))).toBe(result);
  });
});

describe('JSON patches: the examples of RFC 6902, appendix A, and their siblings', () => {
  test.each([
    ['A.1', '{"foo":"bar"}', '[{"op":"add","path":"/baz","value":"qux"}]', '{"foo":"bar","baz":"qux"}'],
    ['A.2', '{"foo":["bar","baz"]}', '[{"op":"add","path":"/foo/1","value":"qux"}]', '{"foo":["bar","qux","baz"]}'],
    ['A.3', '{"baz":"qux","foo":"bar"}', '[{"op":"remove","path":"/baz"}]', '{"foo":"bar"}'],
    ['A.4', '{"foo":["bar","qux","baz"]}', '[{"op":"remove","path":"/foo/1"}]', '{"foo":["bar","baz"]}'],
    ['A.5', '{"baz":"qux"}', '[{"op":"replace","path":"/baz","value":"boo"}]', '{"baz":"boo"}'],
    [
      'A.6',
      '{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}',
      '[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]',
      '{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}',
    ],
    [
      'A.7',
      '{"foo":["all","grass","cows","eat"]}',
      '[{"op":"move","from":"/foo/1","path":"/foo/3"}]',
      '{"foo":["all","cows","eat","grass"]}',
    ],
    [
      'A.8',
      '{"baz":"qux","foo":["a",2,"c"]}',
      '[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]',
      '{"baz":"qux","foo":["a",2,"c"]}',
    ],
    [
      'A.10',
      '{"foo":"bar"}',
      '[{"op":"add","path":"/child","value":{"grandchild":{}}}]',
      '{"foo":"bar","child":{"grandchild":{}}}',
    ],
    ['A.11', '{"foo":"bar"}', '[{"op":"add","path":"/baz","value":"qux","xyz":123}]', '{"foo":"bar","baz":"qux"}'],
    ['A.14', '{"/":9,"~1":10}', '[{"op":"test","path":"/~01","value":10}]', '{"/":9,"~1":10}'],
    [
      'A.16',
      '{"foo":["bar"]}',
      '[{"op":"add","path":"/foo/-","value":["abc","def"]}]',
      '{"foo":["bar",["abc","def"]]}',
    ],
    ['the whole record', '{"a":1}', '[{"op":"replace","path":"","value":{"b":2}}]', '{"b":2}'],
    [
      'a copy is one of its own',
      '{"a":[1]}',
      '[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/-","value":2}]',
      '{"a":[1],"b":[1,2]}',
    ],
    [
      'members in another order',
      '{"a":{"x":1,"y":2}}',
      '[{"op":"test","path":"/a","value":{"y":2,"x":1}}]',
      '{"a":{"x":1,"y":2}}',
    ],
    [
      'names are data',
      '{"__proto__":{"a":1}}',
      '[{"op":"replace","path":"/__proto__/a","value":2}]',
      '{"__proto__":{"a":2}}',
    ],
    ['a member __proto__', '{}', '[{"op":"add","path":"/__proto__","value":1}]', '{"__proto__":1}'],
  ])('%s: %s with %s', (_, target, patch, result) => {
    expect(JSON.stringify(jsonPatched(json(target), json(patch)))).toBe(result);
  });

  test.each([
    ['A.9: another value', '{"baz":"qux"}', '[{"op":"test","path":"/baz","value":"bar"}]', 'conflict'],
    ['A.12: a target without a parent', '{"foo":"bar"}', '[{"op":"add","path":"/baz/bat","value":"qux"}]', 'conflict'],
    ['A.15: a text is not a number', '{"/":9,"~1":10}', '[{"op":"test","path":"/~01","value":"10"}]', 'conflict'],
    ['a member that is not there', '{}', '[{"op":"remove","path":"/a"}]', 'conflict'],
    ['a replaced member that is not there', '{}', '[{"op":"replace","path":"/a","value":1}]', 'conflict'],
    ['an inherited name', '{}', '[{"op":"copy","from":"/toString","path":"/a"}]', 'conflict'],
    ['a leading zero', '{"a":[1,2]}', '[{"op":"remove","path":"/a/01"}]', 'conflict'],
    ['an index behind the end', '{"a":[1]}', '[{"op":"add","path":"/a/2","value":3}]', 'conflict'],
    ['an index below the start', '{"a":[1]}', '[{"op":"remove","path":"/a/-1"}]', 'conflict'],
    ['a dash that names nothing', '{"a":[1]}', '[{"op":"remove","path":"/a/-"}]', 'conflict'],
    ['a value into itself', '{"a":{"b":1}}', '[{"op":"move","from":"/a","path":"/a/c"}]', 'form'],
    ['no value', '{}', '[{"op":"add","path":"/a"}]', 'form'],
    ['no path', '{}', '[{"op":"add","value":1}]', 'form'],
    ['no pointer', '{}', '[{"op":"add","path":"a","value":1}]', 'form'],
    ['an escape that is none', '{}', '[{"op":"add","path":"/~2","value":1}]', 'form'],
    ['an unknown operation', '{}', '[{"op":"spam","path":"/a"}]', 'form'],
    ['no list', '{}', '{"op":"add","path":"/a","value":1}', 'form'],
    ['no operation', '{}', '[1]', 'form'],
  ])('%s: %s with %s is refused', (_, target, patch, kind) => {
    let fault: unknown;
    try {
      jsonPatched(json(target), json(patch));
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(PatchFault);
    expect(fault).toMatchObject({ kind });
  });

  test('what comes before a refused operation is not kept', () => {
    const target = json('{"a":1,"list":[1]}');
    const patch = json('[{"op":"add","path":"/list/-","value":2},{"op":"test","path":"/a","value":2}]');
    expect(() => jsonPatched(target, patch)).toThrow(PatchFault);
    expect(JSON.stringify(target)).toBe('{"a":1,"list":[1]}');
  });

  test('a patch that copies a value into itself ends at a bound', () => {
    const copies = Array.from({ length: 30 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
    expect(() => jsonPatched({ a: [1, 2, 3] }, copies)).toThrow('too large');
  });
});
