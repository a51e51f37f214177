/** A document of one's own, and overlays, where the server has the repository, too. */
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { closeOwnServers, startOwn, type OwnServer } from '../support/own-document.ts';

let server: OwnServer | undefined;
afterEach(closeOwnServers);

const ask = async (address: string) => {
  const response = await fetch(`${server?.url ?? ''}${address}`);
  return { status: response.status, text: await response.text() };
};

const books = `openapi: 3.1.0
info: { title: Books, version: "1" }
paths:
  /books:
    get:
      parameters: [{ name: X-Tenant, in: header, required: true, schema: { type: integer } }]
      responses:
        200: { description: ok, headers: { X-Total: { schema: { type: integer, example: 3 } }, etag: { schema: { type: string, example: a } } } }
        4XX: { description: no, headers: { X-Fault: { schema: { type: string, example: b } } } }
    options:
      responses: { 200: { description: ok } }
`;

const overview = async (): Promise<unknown> => (await fetch(`${server?.url ?? ''}/_atoll/repository`)).json();
const shown = (url: string) => ({ title: 'Books', version: '1', url, operations: 2 });

it('shows in the overview the document next to the repository, and an operation that needs nothing', async () => {
  const open = books.replace('required: true', 'required: false');
  server = await startOwn({ 'api.yaml': open }, (folder) => ({
    ...{ document: `/library=${join(folder, 'api.yaml')}`, site: 'default' },
  }));
  const url = `${server.url}/library`;
  const documents = [{ ...shown(url), firstUrl: `${url}/books` }];
  expect(await overview()).toMatchObject({ hasRepository: true, documents, counts: { user: expect.any(Number) } });
});

it('shows in the overview no document where overlays alone add operations', async () => {
  const overlay = `overlay: 1.0.0
info: { title: O, version: "1" }
actions: [{ target: $.paths, update: { /hello: { get: { responses: { 200: { description: ok } } } } } }]
`;
  server = await startOwn({ 'o.yaml': overlay }, (folder) => ({ overlays: [join(folder, 'o.yaml')] }));
  expect(await overview()).toMatchObject({ hasRepository: true, documents: [] });
});

const library = `openapi: 3.1.0
info: { title: Books, version: "1" }
paths:
  /books/{id}:
    get:
      operationId: getBook
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        200: { description: ok, content: { application/json: { schema: { type: object, required: [id] } } } }
        404: { description: no, content: { application/problem+json: { example: { title: No book, detail: "-" } } } }
  /pictures:
    post:
      operationId: addPicture
      requestBody:
        required: true
        content: { multipart/form-data: { schema: { type: object, required: [file], properties: { file: { type: string, format: binary } } } } }
      responses: { 200: { description: ok, content: { application/octet-stream: {} } } }
  /lines:
    get:
      operationId: getLines
      responses: { 200: { description: ok, content: { text/plain: {} } } }
`;

it('answers operations of the repository and of a document beside it from one folder', async () => {
  const overlay = `overlay: 1.0.0
info: { title: T, version: "1" }
actions:
  - target: $.paths
    update:
      /hello: { get: { operationId: getHello, description: Says hello., responses: { 200: { description: ok, content: { application/json: { schema: { type: object } } } } } } }
      /none: { get: { operationId: getNone, description: Says nothing., responses: { 200: { description: ok, content: { application/json: { schema: { type: object } } } } } } }
`;
  const handlers = `export const getBook = ({ path }) => ({ body: { id: path.id } });
export const getHello = ({ identity }) => ({ status: 200, mediaType: 'application/json', body: { hello: identity.principal.uid } });
export const getNone = () => 7;`;
  server = await startOwn(
    {
      'api.yaml': library.replace('paths:', 'servers: [{ url: /lib }]\npaths:'),
      'o.yaml': overlay,
      'h/all.mjs': handlers,
    },
    (folder) => ({ site: 'default', overlays: [join(folder, 'o.yaml')] }),
  );
  expect(JSON.parse((await ask('/lib/books/7')).text)).toEqual({ id: 7 });
  expect(JSON.parse((await ask('/hello')).text)).toEqual({ hello: 0 });
  expect((await ask('/none')).status).toBe(500);
  expect(String(server.errors[0])).toContain(`${join(server.folder, 'h/all.mjs')}:3: The handler returned a number`);
});

it('still finds requests for an operation of the repository to whose path an overlay adds a method', async () => {
  const overlay = `overlay: 1.0.0
info: { title: Ends, version: "1" }
actions:
  - target: $.paths['/session/token']
    update: { delete: { operationId: endToken, responses: { 204: { description: Ended. } } } }
`;
  server = await startOwn({ 'o.yaml': overlay }, (folder) => ({ overlays: [join(folder, 'o.yaml')] }));
  const { text } = await ask('/_atoll/coverage/requests?operation=getSessionToken&status=200');
  const { requests } = JSON.parse(text) as { requests: { curl: string | null }[] };
  expect(requests).toEqual([expect.objectContaining({ curl: expect.stringContaining('/session/token') })]);
});
