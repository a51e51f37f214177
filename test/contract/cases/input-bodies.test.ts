/** Group I about whole bodies: syntax, size, depth, encodings. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Response } from 'supertest';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { bearer, seen, visit, type Visitor } from '../../support/requests.ts';
import { hangMs } from '../../support/hang.ts';

const json = { 'Content-Type': 'application/json' };
const node = {
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'A title' }],
  field_model: [{ target_id: 24 }],
};
const patch = { type: node.type };

let atoll: TestAtoll;
let admin: Visitor;
let countBefore: number;

const nodeCount = async (): Promise<number> => {
  let id = 30;
  while ((await atoll.send('HEAD', `/node/${id + 1}?_format=json`)).status !== 404) id += 1;
  return id;
};

beforeAll(async () => {
  atoll = await createTestAtoll();
});
beforeEach(async () => {
  await atoll.reset();
  admin = await bearer(atoll, 'admin');
  countBefore = await nodeCount();
});

type Sent = string | Buffer | object;
const text = (sent: Sent): string | Buffer =>
  typeof sent === 'string' || Buffer.isBuffer(sent) ? sent : JSON.stringify(sent);
const post = (sent: Sent, headers: Record<string, string> = json) =>
  visit(atoll, admin, 'POST', '/node')
    .set(headers)
    .serialize((body: unknown) => body as string)
    .send(text(sent)); // sent as it is
const patchNode = (sent: Sent) => visit(atoll, admin, 'PATCH', '/node/13').set(json).send(text(sent));
const answer = ({ status, body }: Response): [number, unknown] => [status, (body as { message?: unknown }).message]; // every refusal has one

/** Refused in the form of every refusal, and nothing was stored. */
const expectRefused = async (response: Response, ...statuses: number[]): Promise<void> => {
  expect(statuses).toContain(response.status);
  expect(response.type).toBe('application/json');
  expect(Object.keys(response.body as object)).toEqual(['message']);
  expect(response.text.length).toBeLessThan(8192);
  expect(await nodeCount()).toBe(countBefore);
};

describe('a body that is no JSON object', () => {
  it('I01: is 400 "Syntax error" on POST and PATCH', async () => {
    expect(answer(await post('!{>}<'))).toEqual([400, 'Syntax error']);
    expect(answer(await patchNode('!{>}<'))).toEqual([400, 'Syntax error']);
  });

  it('I02: is 400 "No entity content received." when it is empty', async () => {
    expect(answer(await post(''))).toEqual([400, 'No entity content received.']);
    expect(answer(await patchNode(''))).toEqual([400, 'No entity content received.']);
  });

  it.each(['5', '"x"', 'true', 'null', '[]', '[{}]', '{}'])('I03: is 422 when it is %s', async (sent) => {
    await expectRefused(await post(sent), 422);
    await expectRefused(await patchNode(sent), 422);
  });
});

describe('the media type of a body', () => {
  it.each(['text/xml', 'text/plain', 'application/jsonx', 'application/ld+json', 'application/json, text/xml'])(
    'I04, I05: is 415 when it is "%s"',
    async (type) => {
      const response = await post(node, { 'Content-Type': type });
      expect(answer(response)).toEqual([415, `No route found that matches "Content-Type: ${type}"`]);
      await expectRefused(response, 415);
    },
  );

  it('I04: is 415 when it is missing', async () => {
    const response = await post(Buffer.from(JSON.stringify(node)), { 'Content-Type': '' });
    expect(answer(response)).toEqual([415, 'No "Content-Type" request header specified']);
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; version=2',
    'application/x-json',
    'APPLICATION/JSON',
  ])('I04: is taken when it is %s', async (type) => {
    expect((await post(node, { 'Content-Type': type })).status).toBe(201);
  });

  it.each([
    ['gzip', gzipSync(JSON.stringify(node))],
    ['deflate', deflateSync(JSON.stringify(node))],
    ['br', brotliCompressSync(JSON.stringify(node))],
    ['gzip, gzip', gzipSync(gzipSync(JSON.stringify(node)))],
    ['zstd', Buffer.from('28b52ffd', 'hex')],
    ['gzip', gzipSync(Buffer.alloc(20_000_000, 32))],
  ])('I30: a body in %s is 415 and is not unpacked', async (encoding, sent) => {
    await expectRefused(await post(sent, { ...json, 'Content-Encoding': encoding }), 415);
  });
});

describe('the text of a body', () => {
  it('I05: is 400 when it is no UTF-8, whatever the charset says, and when it begins with a byte order mark', async () => {
    const [before, after] = JSON.stringify({ ...node, title: [{ value: '#' }] }).split('#');
    const broken = Buffer.concat([Buffer.from(before ?? ''), Buffer.from([0xc3, 0x28]), Buffer.from(after ?? '')]);
    const malformed = 'Malformed UTF-8 characters, possibly incorrectly encoded';
    expect(answer(await post(broken))).toEqual([400, malformed]);
    const latin1 = { 'Content-Type': 'application/json; charset=ISO-8859-1' };
    expect(answer(await post(Buffer.from(JSON.stringify({ ...node, title: ['é'] }), 'latin1'), latin1))).toEqual([
      400,
      malformed,
    ]);
    expect(answer(await post(Buffer.from(`\ufeff${JSON.stringify(node)}`)))).toEqual([400, 'Syntax error']);
  });

  it('I06: is 400 beyond 32 levels, however many, and at once', async () => {
    const nested = (levels: number): string => `{"title":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    for (const levels of [33, 100_000]) {
      const started = performance.now();
      const response = await post(nested(levels));
      expect(performance.now() - started).toBeLessThan(hangMs);
      await expectRefused(response, 400);
    }
    expect((await post(nested(32))).status).toBe(422);
  });

  it.each(['1e400', '-1e400', '9007199254740993', '12345678901234567890', 'NaN', '01', '+1', '1.5', 'Infinity', '.5'])(
    'I07: %s for an integer is 400 or 422',
    async (number) => {
      const sent = JSON.stringify({ ...node, field_model: [{ target_id: 0 }] }).replace(
        '"target_id":0',
        `"target_id":${number}`,
      );
      expect(sent).toContain(number);
      await expectRefused(await post(sent), 400, 422);
    },
  );

  it('I08: of a member that is there twice the last one counts, everywhere', async () => {
    const sent = JSON.stringify(node).replace(
      '{',
      '{"title":[{"value":"first"}],"status":[{"value":false}],"status":[{"value":true}],',
    );
    const { status, body } = seen(await post(sent));
    expect([status, (body as { title: unknown }).title]).toEqual([201, [{ value: 'A title' }]]); // a node
  });

  it.each(['__proto__', 'constructor', 'prototype'])('I09: the member name %s is 400 at every level', async (name) => {
    const dangerous = `{"${name}":{"polluted":true}}`;
    for (const sent of [
      dangerous,
      JSON.stringify({ ...node, title: 'X' }).replace('"X"', `[${dangerous}]`),
      JSON.stringify({ ...node, title: 'X' }).replace('"X"', dangerous),
    ]) {
      await expectRefused(await post(sent), 400);
    }
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it.each(['toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'])(
    'I09: the member name %s is 422 as any unknown field, and the word is no bundle',
    async (name) => {
      const unknown = await post(JSON.stringify(node).replace('{', `{"${name}":[{"value":1}],`));
      expect(answer(unknown)[1]).toContain(`${name}: `);
      await expectRefused(unknown, 422);
      await expectRefused(await post({ ...node, type: [{ target_id: name }] }), 422);
      expect((await post({ ...node, title: [{ value: name }] })).status).toBe(201);
    },
  );

  it('I31: is 413 over the limit and not at it', async () => {
    const { maxJsonBytes } = atoll.site;
    const sized = (size: number): string => {
      const sent = JSON.stringify(node);
      return sent + ' '.repeat(size - sent.length);
    };
    expect((await post(sized(maxJsonBytes))).status).toBe(201);
    countBefore = await nodeCount();
    await expectRefused(await post(sized(maxJsonBytes + 1)), 413);
  });
});

/** The kinds of field that a node has, one field each, and the values that none of them takes. */
const fields = [
  'title', 'status', 'langcode', 'field_model', 'field_member_of', 'field_extent', 'field_edtf_date_created',
  'field_linked_agent', 'field_description', 'field_subject',
] as const; // prettier-ignore

describe('I10: any value in any field', () => {
  const million = 'x'.repeat(1_000_000);
  const values: readonly (readonly [string, unknown])[] = [
    ['a bare string', 'text'],
    ['a bare integer', 7],
    ['a bare float', 1.5],
    ['a bare boolean', true],
    ['an object of objects', { value: { value: 1 } }],
    ['an object', [{ value: { a: 1 }, target_id: { a: 1 } }]],
    ['a nested list', [[[1]]]],
    ['a list in a value', [{ value: [1], target_id: [1] }]],
    ['a boolean as a reference', [{ target_id: true }]],
    ['1 MB of text', [{ value: million, target_id: million }]],
  ];
  it.each(values)('%s is 422, or leniently 201, never 5xx', async (_what, value) => {
    for (const field of fields) {
      const response = await post({ ...node, [field]: value });
      expect([field, [201, 413, 422].includes(response.status)]).toEqual([field, true]);
      if (response.status === 422) {
        expect([field, response.text.includes(field)]).toEqual([field, true]);
        expect(response.text.length).toBeLessThan(8192);
      }
    }
  });
});

describe('I11, I12: shapes and numbers of items', () => {
  it.each([
    ['a bare scalar', { title: 'abc' }, 'Field values for "title" must use an array structure'],
    ['null for a required one', { title: null }, 'title: This value should not be null.'],
    ['{} for a required one', { title: {} }, 'title: This value should not be null.'],
    ['value null', { title: [{ value: null }] }, 'title: This value should not be null.'],
    ['[] for a required one', { title: [] }, 'title: This value should not be null.'],
    ['[] for a required reference', { field_model: [] }, 'field_model: This value should not be null.'],
    [
      'two values in one',
      { title: [{ value: 'a' }, { value: 'b' }] },
      'title: Title: this field cannot hold more than 1 values.',
    ],
  ])('%s is 422', async (_what, sent, line) => {
    const response = await post({ ...node, ...sent });
    expect(answer(response)[1]).toContain(line);
    await expectRefused(response, 422);
  });

  it('a list of scalars, extra members and a missing target_type are taken', async () => {
    const { status, body } = seen(
      await post({
        ...node,
        title: ['abc'],
        field_model: [{ target_id: 24, extra: 1 }],
      }),
    );
    expect([status, (body as { title: unknown }).title]).toEqual([201, [{ value: 'abc' }]]); // a node
  });

  it('[] clears an optional field', async () => {
    const { status, body } = seen(await patchNode({ ...patch, field_extent: [] }));
    expect([status, (body as { field_extent: unknown }).field_extent]).toEqual([200, []]); // a node
  });
});

describe('I13, I34, I45: very many of anything', () => {
  it.each([
    ['1,001 items in a field of one', { title: Array.from({ length: 1001 }, () => ({ value: 'x' })) }],
    ['50,000 items', { field_subject: Array.from({ length: 50_000 }, () => ({ target_id: 9999 })) }],
    ['10,000 unknown fields', Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, []]))],
    ['a field name of 10 KB', { ['x'.repeat(10_240)]: [{ value: 1 }] }],
    [
      '60,000 members that look like numbers',
      { title: [Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [String(index * 65_536), 1]))] },
    ],
  ])('%s are refused in little time and few bytes', async (_what, sent) => {
    const started = performance.now();
    const response = await post({ ...node, ...sent });
    expect(performance.now() - started).toBeLessThan(hangMs);
    await expectRefused(response, 413, 422);
  });
});
