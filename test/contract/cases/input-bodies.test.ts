/** Group I about whole bodies: size, depth, encodings. What is no JSON is in the recordings and in `expected/default`. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Response } from 'supertest';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { bearer, visit, type Visitor } from '../../support/requests.ts';
import { hangMs } from '../../support/hang.ts';

const json = { 'Content-Type': 'application/json' };
const node = {
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'A title' }],
  field_model: [{ target_id: 24 }],
};

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

/** Refused in the form of every refusal, and nothing was stored. */
const expectRefused = async (response: Response, ...statuses: number[]): Promise<void> => {
  expect(statuses).toContain(response.status);
  expect(response.type).toBe('application/json');
  expect(Object.keys(response.body as object)).toEqual(['message']);
  expect(response.text.length).toBeLessThan(8192);
  expect(await nodeCount()).toBe(countBefore);
};

describe('a body as a whole', () => {
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

  it.each([33, 100_000])('I06: %i levels are 400 in little time, and 32 are read', async (levels) => {
    const nested = (depth: number): string => `{"title":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    const started = performance.now();
    const response = await post(nested(levels));
    expect(performance.now() - started).toBeLessThan(hangMs);
    await expectRefused(response, 400);
    await expectRefused(await post(nested(32)), 422);
  });
});
