/** Bodies that no operation of the control interface takes: each operation with a body answers them with a status that its document has. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createTestAtoll, root, type TestAtoll } from '../support/atoll.ts';
import { type Served, serveOnPort } from '../support/server.ts';
import { converse } from '../support/sockets.ts';

type Operation = {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: object }>> };
  readonly responses: Readonly<Record<string, unknown>>;
};
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

const { paths } = parse(await readFile(join(root, 'src/server/control/openapi.yaml'), 'utf8')) as Document; // our own file
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { operationId, requestBody, responses }]) =>
    requestBody === undefined
      ? []
      : [
          {
            ...{ id: operationId, method: method.toUpperCase(), path: path.replaceAll(/\{[^}]*\}/g, 'w1') },
            mediaTypes: Object.keys(requestBody.content),
            takesAnyJson: Object.keys(requestBody.content['application/json']?.schema ?? [0]).length === 0,
            statuses: Object.keys(responses).map(Number),
          },
        ],
  ),
);
const json = { 'Content-Type': 'application/json' };

/** The headers and the body, and the answer of an operation that takes JSON. */
const oddBodies: readonly (readonly [string, Readonly<Record<string, string>>, string | Buffer, number])[] = [
  ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'fault=x', 415],
  ['text', { 'Content-Type': 'text/plain' }, '{}', 415],
  ['XML', { 'Content-Type': 'application/xml' }, '<a/>', 415],
  ['HAL', { 'Content-Type': 'application/hal+json' }, '{}', 415],
  ['a type that is none', { 'Content-Type': '!' }, '{}', 415],
  ['a coding', { ...json, 'Content-Encoding': 'br' }, '{}', 415],
  ['a broken text', json, '{"name":', 400],
  ['what is not UTF-8', json, Buffer.from('{"name":"\u00ff"}', 'latin1'), 400],
  ['many levels', json, '['.repeat(5000) + ']'.repeat(5000), 400],
  ['a number', json, '1', 422],
  ['a list', json, '[]', 422],
  ['a member that there is not', json, '{"none":1}', 422],
  ['more than a body may have', json, `{"name":"${'x'.repeat(1_100_000)}"}`, 413],
];

// No body is taken, so that one repository does for all.
let atoll: TestAtoll;
let server: Served;
beforeAll(async () => {
  atoll = await createTestAtoll({
    site: (site) => ({ ...site, uploads: { ...site.uploads, idleSeconds: 0.1 } }),
  });
  await atoll.send('POST', '/_atoll/worlds').set(json).send('{"name":"w1"}').expect(201);
  server = await serveOnPort(atoll);
});
afterAll(() => server.stop());

describe.each(operations.map((one) => [one.id, one] as const))('%s', (_id, operation) => {
  const { method, path, mediaTypes, statuses, takesAnyJson } = operation;
  const takesJson = mediaTypes.includes('application/json');

  it.each(oddBodies)('answers %s with a status of its document', async (_name, headers, body, expected) => {
    const answer = await atoll.send(method, path).serialize(asItIs).set(headers).send(body);
    expect(statuses).toContain(answer.status);
    if (takesAnyJson && expected === 422) expect([200, 201]).toContain(answer.status);
    else {
      expect(answer.status).toBe(takesJson ? expected : 415);
      expect(answer.body).toEqual({ message: expect.stringMatching(/./) });
    }
  });

  it('answers a body that stops arriving with 408', async () => {
    const conversation = await converse(server.port);
    conversation.send(
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${mediaTypes[0] ?? ''}\r\nContent-Length: 99\r\n\r\n`,
    );
    expect(await conversation.until(/\r\n\r\n.*\}/s)).toMatch(/^HTTP\/1\.1 408 [\s\S]*no progress/);
    expect(statuses).toContain(408);
    conversation.close();
  });
});

/** Superagent makes JSON of what it sends as JSON. */
const asItIs = (body: unknown): string => body as string;
