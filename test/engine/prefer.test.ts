/** `Prefer` on every operation: each documented status, each named example, and values made from schemas. */
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';

type Example = { readonly value?: unknown; readonly $ref?: string };
type Response = {
  readonly content?: Readonly<Record<string, { readonly examples?: Readonly<Record<string, Example>> }>>;
};
type Operation = {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, Response>>;
};

let atoll: TestAtoll;
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly examples: Readonly<Record<string, Example>> };
};
let paths: Document['paths'];
let components: Document['components'];

/** Of an example, or of the one that it refers to. */
const valueOf = ({ value, $ref }: Example): unknown =>
  $ref === undefined ? value : components.examples[$ref.replace('#/components/examples/', '')]?.value;
beforeAll(async () => {
  atoll = await createTestAtoll();
  const response = await atoll.send('GET', '/openapi.json');
  ({ paths, components } = response.body as Document); // the document itself
});

const methods = ['get', 'post', 'patch', 'delete', 'put'];
const operations = (): { method: string; path: string; operation: Operation }[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) =>
      item[method] === undefined ? [] : [{ method: method.toUpperCase(), path, operation: item[method] }],
    ),
  );

/** A request that gets as far as the operation: the path filled in, the format and the media type allowed. */
const ask = ({ method, path, operation }: ReturnType<typeof operations>[number], prefer: string) => {
  const filled = path.replaceAll(/\{[^}]*\}/g, '1');
  const test = atoll.send(method, `${filled}?_format=json`).set('Prefer', prefer);
  const [type] = Object.keys(operation.requestBody?.content ?? {});
  return type === undefined ? test : test.set('Content-Type', type.includes('*') ? 'image/png' : type);
};

describe('a wish by Prefer, on every operation of the document,', () => {
  it('is answered with each status that it documents, marked as mocked, its body allowed', async () => {
    const wrong: string[] = [];
    let asked = 0;
    for (const each of operations()) {
      for (const status of Object.keys(each.operation.responses)) {
        const response = await ask(each, `code=${status}`);
        asked += 1;
        if (response.status !== Number(status) || response.headers['atoll-mocked'] !== 'true') {
          wrong.push(`${each.operation.operationId} ${status}: ${response.status} ${response.text.slice(0, 200)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(200);
  });

  it('is answered with 200 and the named example', async () => {
    const wrong: string[] = [];
    let asked = 0;
    for (const each of operations()) {
      for (const [status, { content = {} }] of Object.entries(each.operation.responses)) {
        for (const [name, example] of Object.entries(content['application/json']?.examples ?? {})) {
          const response = await ask(each, `code=${status}, example=${name}`);
          asked += 1;
          const isIt = response.status === Number(status) && isDeepStrictEqual(response.body, valueOf(example));
          if (!isIt) wrong.push(`${each.operation.operationId} ${status} ${name}: ${response.text.slice(0, 200)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(100);
  });

  it.each(['code=999', 'code=-1', 'code', 'code=', 'code=abc', 'code=4e2', 'code=418, dynamic=true'])(
    'is 400 for %s, and nothing is done in its place',
    async (prefer) => {
      for (const method of ['GET', 'DELETE']) {
        const response = await atoll.send(method, '/node/5?_format=json', 'admin').set('Prefer', prefer);
        const { message } = response.body as { message: string }; // a refusal
        expect([response.status, response.headers['atoll-mocked']]).toEqual([400, undefined]);
        expect(message).toMatch(/^The header "Prefer" asks for the status ".*"; .* documents \d{3}(, \d{3})*\.$/);
      }
      expect((await atoll.send('GET', '/node/5?_format=json')).status).toBe(200);
    },
  );

  it('is not looked at where it says nothing of mocks', async () => {
    const response = await atoll.send('GET', '/node/5?_format=json').set('Prefer', 'respond-async, wait=10, codec=x');
    expect([response.status, response.headers['atoll-mocked']]).toEqual([200, undefined]);
  });

  it('is answered with a success and values that the schema allows when it is dynamic=true', async () => {
    const wrong: string[] = [];
    for (const each of operations()) {
      const response = await ask(each, 'dynamic=true');
      const isSuccess = response.status >= 200 && response.status < 300;
      // This operation refuses everybody.
      const isExpected = isSuccess || each.operation.operationId === 'createFile';
      const isFine = isExpected && response.headers['atoll-mocked'] === 'true';
      if (!isFine) wrong.push(`${each.operation.operationId}: ${response.status} ${response.text.slice(0, 300)}`);
    }
    expect(wrong).toEqual([]);
  });
});
