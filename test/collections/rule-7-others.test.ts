/** Rule 7: parents that no path of the document has. Any of them may be asked for, and none of them takes room until it is written to. */
import { afterEach, expect, it } from '@jest/globals';
import { closeOwnServers, startOwn } from '../documents/support/own-document.ts';
import { get, patch, post, walk } from './support/steps.ts';

afterEach(closeOwnServers);

const document = `openapi: 3.1.0
info: { title: Tenants, version: "1" }
paths:
  /tenants/{tenant}/books:
    parameters: [{ name: tenant, in: path, required: true, schema: { type: string } }]
    get:
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Book' } }
              example: [{ id: 1, title: Of the example }]
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
      responses:
        '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
  /tenants/{tenant}/books/{id}:
    parameters:
      - { name: tenant, in: path, required: true, schema: { type: string } }
      - { name: id, in: path, required: true, schema: { type: integer } }
    get:
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
    patch:
      requestBody: { content: { application/merge-patch+json: { schema: { type: object } } } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
    delete: { responses: { '204': { description: gone } } }
components:
  schemas:
    Book:
      type: object
      required: [title]
      properties: { id: { type: integer, readOnly: true }, title: { type: string } }
`;

it('Examples are below each parent, also below more of them than a world may have collections', async () => {
  const server = await startOwn({ 'api.yaml': document }, { port: false });
  const example = { id: 1, title: 'Of the example' };
  for (let at = 0; at < 250; at += 1)
    await walk(server, [get(`/tenants/t${at}/books`, 200, [example]), get(`/tenants/t${at}/books/1`, 200, example)]);
  const collections = await server.fetch('/_atoll/collections');
  expect(await collections.json()).toMatchObject({ collections: [{ name: 'tenants/books', records: 0 }] });
  await walk(server, [
    post('/tenants/t7/books', { title: 'Written' }, 201, { id: 2, title: 'Written' }),
    get('/tenants/t7/books', 200, [example, { id: 2, title: 'Written' }]),
    get('/tenants/t8/books', 200, [example]),
    get('/tenants/t8/books/2', 404),
    patch('/tenants/t8/books/1', { title: 'Changed' }, 200, { id: 1, title: 'Changed' }),
    get('/tenants/t8/books', 200, [{ id: 1, title: 'Changed' }]),
    get('/tenants/t9/books/1', 200, example),
  ]);
});
