/** Which JSON is read, and within which limits. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { basic, messageOf, visit } from '../support/requests.ts';

let atoll: TestAtoll;
const editor = basic('editor');
const maxJsonBytes = 20_000;

beforeAll(async () => {
  atoll = await createTestAtoll({ site: (site) => ({ ...site, maxJsonBytes }) });
});
beforeEach(() => atoll.reset());

const type = '"type":[{"target_id":"islandora_object"}]';
const bodyWith = (members: string): string =>
  `{${type},"title":[{"value":"T"}],"field_model":[{"target_id":22}]${members}}`;
const patch = (body: string | Buffer) => asItIs(visit(atoll, editor, 'PATCH', '/node/5?_format=json'), body);
const post = (body: string) => asItIs(visit(atoll, editor, 'POST', '/node?_format=json'), body);
/** Superagent would write values that are no text as JSON once more. */
const asItIs = (test: Test, body: string | Buffer): Test =>
  test
    .set('Content-Type', 'application/json')
    .serialize((sent: unknown) => sent as string) // a Buffer is written as well as text
    .send(body);

describe('a body that is no JSON', () => {
  it.each(['!{>}<', '{', '{"a":}', 'NaN', '01', '+1', "{'a':1}", '{"a":1,}', 'undefined', '[1 2]'])(
    '%s is 400',
    async (text) => {
      for (const response of [await patch(text), await post(text)]) {
        expect([response.status, response.body]).toEqual([400, { message: 'Syntax error' }]);
      }
    },
  );

  it('of no byte is 400 with a message of its own', async () => {
    for (const response of [await patch(''), await post('')]) {
      expect([response.status, response.body]).toEqual([400, { message: 'No entity content received.' }]);
    }
  });

  const malformed = 'Malformed UTF-8 characters, possibly incorrectly encoded';
  const control = 'Control character error, possibly incorrectly encoded';
  const surrogate = 'Single unpaired UTF-16 surrogate in unicode escape';
  it.each<[string, Buffer | string, string]>([
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]), malformed],
    ['UTF-16 with its mark', Buffer.from(`\uFEFF{${type}}`, 'utf16le'), malformed],
    ['UTF-8 with a mark', `\uFEFF{${type}}`, 'Syntax error'],
    ['a tab in a text', '{"a":"b\tc"}', control],
    ['a text that does not end', '{"title": [{"value": "cut', control],
    ['a name that does not end', '{"cut', control],
    ['a text that does not end, after a fault of syntax', '{a: 1, "b', 'Syntax error'],
    ['a list that does not end', '[1, "b"', 'Syntax error'],
    ['an escape that is cut', '{"a":"b\\', 'Syntax error'],
    ['a control character outside', '{"a":\u0002}', control],
    ['a control character before invalid UTF-8', Buffer.from([0x22, 0x07, 0xff]), control],
    ['half a surrogate pair', '{"a":"\\uD83Dx"}', surrogate],
    ['a pair the wrong way round', '{"a":"\\uDE00\\uD83D"}', surrogate],
    ['an escaped quotation mark before a line break', '{"a\\"":"\n"}', control],
    ['two backslashes that are no escape of a surrogate', '{"a":"\\\\uD83D",}', 'Syntax error'],
    ['a whole pair in broken JSON', '{"a":"\\uD83D\\uDE00",}', 'Syntax error'],
  ])('because of %s is 400', async (_what, body, message) => {
    const response = await patch(body);
    expect([response.status, response.body]).toEqual([400, { message }]);
  });

  it('of the digit 0 is no content', async () => {
    expect((await patch('0')).body).toEqual({ message: 'No entity content received.' });
    expect((await patch('00')).body).toEqual({ message: 'Syntax error' });
  });
});

describe('a body of another shape', () => {
  it.each([
    '5',
    '"x"',
    'true',
    'null',
    '[]',
    '[{}]',
    '{}',
    '{"type":[{}]}',
    '{"type":[]}',
    '{"type":[{"target_id":"nonsense"}]}',
  ])('%s is 422, and nothing changes', async (text) => {
    const before: unknown = (await visit(atoll, editor, 'GET', '/node/5?_format=json')).body;
    expect((await patch(text)).status).toBe(422);
    expect((await post(text)).status).toBe(422);
    expect((await visit(atoll, editor, 'GET', '/node/5?_format=json')).body).toEqual(before);
  });
});

describe('the depth of a body', () => {
  it.each([33, 1000, 9000])('of %i levels is 400, and the next write is well', async (levels) => {
    const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const response = await post(bodyWith(`,"field_description":${deep}`));
    expect(response.status).toBe(400);
    expect(messageOf(response)).toContain('32 levels');
    expect((await post(bodyWith(''))).status).toBe(201);
  });

  it('does not count brackets in text', async () => {
    const text = `${'['.repeat(50)}\\"${'{'.repeat(50)}`;
    expect((await post(bodyWith(`,"field_extent":[{"value":"${text}"}]`))).status).toBe(201);
  });
});

describe('values that no store keeps', () => {
  it.each(['9007199254740993', '1e400', '-1e400', '9007199254740992'])('the number %s is 422', async (number) => {
    expect((await patch(`{${type},"promote":[{"value":${number}}]}`)).status).toBe(422);
  });

  it.each(['\\u0000', 'a\\u0000b'])('the text "%s" is 422', async (text) => {
    const response = await patch(`{${type},"title":[{"value":"${text}"}]}`);
    expect(response.status).toBe(422);
    expect(messageOf(response)).toContain('cannot be stored');
  });

  it.each(['__proto__', 'constructor', 'prototype'])('the member %s is 400 at any level', async (name) => {
    const bodies = [`{${type},"${name}":[]}`, `{${type},"title":[{"value":"T","${name}":{"a":1}}]}`];
    for (const body of bodies) expect((await patch(body)).status).toBe(400);
    expect((await visit(atoll, editor, 'GET', '/node/5?_format=json')).status).toBe(200);
    expect('a' in {}).toBe(false);
  });

  it.each(['toString', 'hasOwnProperty', 'valueOf'])('the member %s is an unknown field: 422', async (name) => {
    expect((await patch(`{${type},"${name}":[{"value":"x"}]}`)).status).toBe(422);
  });

  it('of a member given twice the last counts', async () => {
    const response = await patch(`{${type},"title":[{"value":"first"}],"title":[{"value":"last"}]}`);
    expect(response.body).toMatchObject({ title: [{ value: 'last' }] });
  });
});

describe('the size of a body', () => {
  const padded = (size: number): string => {
    const body = `{${type},"title":[{"value":"Padded"}]}`;
    return body + ' '.repeat(size - body.length);
  };

  it('may be the limit, not a byte more: 413', async () => {
    expect((await patch(padded(maxJsonBytes))).status).toBe(200);
    const response = await patch(padded(maxJsonBytes + 1));
    expect([response.status, messageOf(response)]).toEqual([413, 'The request body is larger than 20000 bytes.']);
  });

  it('is counted where no length was sent', async () => {
    const request = visit(atoll, editor, 'PATCH', '/node/5?_format=json')
      .set({ 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' })
      .unset('Content-Length');
    request.write(padded(maxJsonBytes));
    request.write(' ');
    expect((await request).status).toBe(413);
  });

  it('does not make a refusal long: a thousand faulty items are 422 in less than 8 KB', async () => {
    const items = Array.from({ length: 1001 }, () => '{"value":{}}').join(',');
    const response = await patch(`{${type},"title":[${items}]}`);
    expect(response.status).toBe(422);
    expect(messageOf(response).length).toBeLessThan(8192);
  });
});
