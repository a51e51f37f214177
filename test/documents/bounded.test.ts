/** No document and no value stops the engine: lists of equal items, schemas that contain themselves twice, slow patterns. */
import { describe, expect, it } from '@jest/globals';
import { safeLength } from '../../src/basics/formats/pattern-cost.ts';
import { boundedPattern } from '../../src/server/documents/bounded-patterns.ts';
import { askOf, documentOf } from '../openapi/support/ask.ts';

/** What never takes so long if it is bounded. */
const hangMs = 5000;

const json = { 'content-type': 'application/json' };
const posting = (schema: unknown, schemas: Readonly<Record<string, unknown>> = {}) => {
  const content = { 'application/json': { schema } };
  const post = { requestBody: { required: true, content }, responses: { 204: { description: 'ok' } } };
  const ask = askOf(documentOf({ '/p': { post } }, { components: { schemas } }), { regExp: boundedPattern });
  return async (value: unknown): Promise<readonly string[]> => {
    const { noticed } = await ask('/p', { method: 'POST', headers: json, body: JSON.stringify(value) });
    return noticed.requestViolations.map(({ pointer, message }) => `${pointer} ${message}`);
  };
};

const timed = async <T>(work: () => Promise<T>): Promise<[result: T, ms: number]> => {
  const begin = process.cpuUsage().user;
  const result = await work();
  return [result, (process.cpuUsage().user - begin) / 1000];
};

describe('uniqueItems', () => {
  it.each<[string, readonly unknown[], string | undefined]>([
    ['objects', [{ a: 1 }, { a: 2 }, { b: 1 }], undefined],
    ['the same members in another order', [{ a: 1, b: [2] }, { c: 0 }, { b: [2], a: 1 }], '0 and 2'],
    ['a number and its text', [1, '1', [1], ['1'], { a: 1 }, { a: '1' }], undefined],
    ['other types', [0, false, null, '', [], {}], undefined],
    ['numbers that are written in two ways', [1, 1.0], '0 and 1'],
    [
      'lists in another order',
      [
        [1, 2],
        [2, 1],
      ],
      undefined,
    ],
    ['texts', ['a', 'b', 'a'], '0 and 2'],
    ['a name that is also one of JavaScript', [JSON.parse('{"__proto__":1}'), {}], undefined],
    ['an object and its text', [{ a: 1 }, '{"a":1}'], undefined],
  ])('tells apart: %s', async (_, list, same) => {
    const found = await posting({ type: 'array', uniqueItems: true })(list);
    expect(found).toEqual(
      same === undefined ? [] : [`/requestBody must NOT have duplicate items (items ## ${same} are identical)`],
    );
  });

  it('is quick for 50,000 objects', async () => {
    const post = posting({ type: 'array', uniqueItems: true });
    const list = Array.from({ length: 50_000 }, (_, a) => ({ a }));
    const [found, ms] = await timed(() => post(list));
    expect([found, ms < hangMs]).toEqual([[], true]);
  });
});

it.each<[string, object, unknown, string | undefined]>([
  ['enum', { enum: [{ a: 1 }, 'x', 1] }, { valueOf: 1 }, 'must be equal to one of the allowed values'],
  ['enum', { enum: [{ toString: 1, a: [null] }] }, { a: [null], toString: 1 }, undefined],
  ['enum', { enum: ['x', null] }, null, undefined],
  ['const', { const: { a: 1 } }, { constructor: 1 }, 'must be equal to constant'],
  ['const', { const: { constructor: { a: 1 } } }, { constructor: { a: 1 } }, undefined],
  ['uniqueItems', { uniqueItems: true }, [{ valueOf: 1 }, { valueOf: 2 }, { toString: 1 }], undefined],
  [
    'uniqueItems',
    { uniqueItems: true },
    [{ valueOf: 1 }, { valueOf: 1 }],
    'must NOT have duplicate items (items ## 0 and 1 are identical)',
  ],
])('%s compares members of any name: %j, %j', async (_, schema, value, fault) => {
  expect(await posting(schema)(value)).toEqual(fault === undefined ? [] : [`/requestBody ${fault}`]);
});

describe('A schema that contains itself twice', () => {
  const branch = (below: object) => ({ type: 'object', required: ['a'], properties: { a: below } });
  const node = { $ref: '#/components/schemas/Node' };
  const nested = (depth: number, leaf: unknown): unknown => (depth === 0 ? leaf : { a: nested(depth - 1, leaf) });
  it.each([
    ['', node],
    [' next to unevaluatedProperties', { ...node, unevaluatedProperties: true }],
  ])('refuses a value that takes longer than 500 ms%s, and no other', async (_, below) => {
    const post = posting(node, { Node: { anyOf: [branch(below), branch(below), { type: 'null' }] } });
    expect(await post(nested(6, null))).toEqual([]);
    expect((await post(nested(2, 1))).length).toBeGreaterThan(1);
    const [found, ms] = await timed(() => post(nested(60, 1)));
    expect([found, ms < hangMs]).toEqual([['/requestBody cannot be checked within 500 ms'], true]);
    expect(await post(nested(6, null))).toEqual([]);
  });
});

describe('A pattern whose time grows faster than the text', () => {
  const evil = `${'a'.repeat(64)}!`;
  it('refuses a text that takes too long, and no other', async () => {
    const post = posting({ type: 'string', pattern: '^(a+)+$' });
    const [found, ms] = await timed(async () => [await post('aaa'), await post('a'.repeat(64)), await post(evil)]);
    expect([found, ms < hangMs]).toEqual([[[], [], ['/requestBody must match pattern "^(a+)+$"']], true]);
  });

  it('names members', async () => {
    const post = posting({ type: 'object', patternProperties: { '^(a+)+$': { type: 'integer' } } });
    const [found, ms] = await timed(async () => [await post({ aaa: 'x' }), await post({ [evil]: 'x' })]);
    expect([found, ms < hangMs]).toEqual([[['/requestBody/aaa must be integer'], []], true]);
  });

  it('does not take its time for each of many texts', async () => {
    const post = posting({ type: 'array', items: { anyOf: [{ pattern: '^(a+)+$' }, { type: 'string' }] } });
    const [found, ms] = await timed(() => post(Array.from({ length: 1000 }, () => evil)));
    expect([found, ms < hangMs]).toEqual([['/requestBody cannot be checked within 500 ms'], true]);
  });

  it('refuses nothing because other processes have had the time', async () => {
    const waiting = new Int32Array(new SharedArrayBuffer(4));
    const slow = { test: () => Atomics.wait(waiting, 0, 0, 300) === 'timed-out', toString: () => 'slow' };
    const schema = { type: 'array', items: { type: 'string', pattern: 'a' } };
    const post = {
      requestBody: { content: { 'application/json': { schema } } },
      responses: { 204: { description: 'ok' } },
    };
    const ask = askOf(documentOf({ '/p': { post } }), { regExp: () => slow });
    const { noticed } = await ask('/p', { method: 'POST', headers: json, body: JSON.stringify(['a', 'a', 'a']) });
    expect(noticed.requestViolations).toEqual([]);
  });

  it('names fields of a form', async () => {
    const schema = { type: 'object', patternProperties: { '^(a+)+$': { type: 'integer' } } };
    const content = { 'application/x-www-form-urlencoded': { schema } };
    const post = { requestBody: { content }, responses: { 204: { description: 'ok' } } };
    const ask = askOf(documentOf({ '/p': { post } }), { regExp: boundedPattern });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const [reply, ms] = await timed(() => ask('/p', { method: 'POST', headers, body: `${evil}=1` }));
    expect([reply.status, ms < hangMs]).toEqual([204, true]);
  });
});

describe('The length up to which a text needs no watch', () => {
  it.each([
    ['^[a-z]+$', 100_000],
    ['^\\d{4}-\\d{2}-\\d{2}$', 100_000],
    ['^([0-9a-f]{4}-){3}[0-9a-f]$', 100_000],
    ['^[(|)*+]{3}\\*\\(\\|$', 100_000],
    ['\\s+$', 999],
    ['^[^@]+@[^@]+\\.[a-z]{2,}$', 99],
    ['^a|b+$', 706],
    ['^(a+)+$', 9],
    ['^(?:a|a)+$', 9],
    ['^((a+)+)+$', 6],
    ['^(a?){30}a{30}$', 0],
    ['^(a+)\\1$', 0],
  ])('%s: %i', (pattern, length) => expect(safeLength(pattern)).toBe(length));

  it.each([
    '^(a+)+$',
    '(a+)+$',
    '^(a|a)+$',
    '^(a|aa)+$',
    '^((a*)*)*$',
    '^a*a*a*a*$',
    'a*a*b',
    '^(a?){30}a{30}$',
    '^(?=(a+)+b)a',
  ])('is one of a short time: %s', (pattern) => {
    const text = `${'a'.repeat(Math.max(0, safeLength(pattern) - 1))}!`;
    const begin = process.cpuUsage().user;
    new RegExp(pattern, 'u').test(text.slice(0, safeLength(pattern)));
    expect((process.cpuUsage().user - begin) / 1000).toBeLessThan(500);
  });
});
