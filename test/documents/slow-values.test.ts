/** A document whose patterns and lists can take hours does not stop the server: others are answered meanwhile. */
import { expect, it } from '@jest/globals';
import { startOwn } from './support/own-document.ts';

const document = `openapi: 3.1.0
info: { title: Slow, version: "1" }
paths:
  /slow:
    post:
      parameters: [{ name: q, in: query, schema: { type: string, pattern: '^(a+)+$' } }]
      requestBody:
        content:
          application/json:
            schema: { type: array, uniqueItems: true, items: { type: object } }
      responses:
        200: { description: ok, content: { application/json: { schema: { type: string, pattern: '^(b+)+$' }, example: b } } }
        422: { description: no }
        400: { description: no }
  /quick:
    get:
      responses: { 200: { description: ok, content: { application/json: { example: 1 } } } }
`;

it('answers others within a second', async () => {
  const server = await startOwn({ 'api.yaml': document });
  try {
    await fetch(`${server.url}/quick`);
    const post = (query: string, body: unknown) =>
      fetch(`${server.url}/slow${query}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const list = Array.from({ length: 50_000 }, (_, a) => ({ a }));
    const slow = [post(`?q=${'a'.repeat(64)}!`, []), post('', [...list, { a: 1 }])];
    const begin = Date.now();
    const quick = await fetch(`${server.url}/quick`);
    expect([quick.status, Date.now() - begin < 1000]).toEqual([200, true]);
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([400, 422]);
    expect(Date.now() - begin).toBeLessThan(5000);
  } finally {
    await server.close();
  }
});
