/** Rule 7: a parent that is a record of the repository: 404 and 403 as there. The operations come from an overlay. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { basicCredentials } from '../../src/basics/formats/basic-credentials.ts';
import { startOwn, type OwnServer } from '../documents/support/own-document.ts';
import { del, get, having, keeping, post, walk } from './support/steps.ts';

const overlay = `overlay: 1.0.0
info: { title: Annotations, version: "1" }
actions:
  - target: $.paths
    update:
      /node/{node_id}/annotations:
        parameters: [{ name: node_id, in: path, required: true, schema: { type: integer, minimum: 1 } }]
        get:
          operationId: listAnnotations
          responses:
            '200':
              description: Annotations.
              content:
                application/json:
                  schema: { type: object, properties: { annotations: { type: array, items: { $ref: '#/components/schemas/Annotation' } } } }
                  example: { annotations: [{ id: 1, node_id: 1, text: Of the example }] }
        post:
          operationId: createAnnotation
          requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Annotation' } } } }
          responses:
            '201': { description: Made., content: { application/json: { schema: { $ref: '#/components/schemas/Annotation' } } } }
      /node/{node_id}/annotations/{annotation_id}:
        parameters:
          - { name: node_id, in: path, required: true, schema: { type: integer, minimum: 1 } }
          - { name: annotation_id, in: path, required: true, schema: { type: integer, minimum: 1 } }
        get:
          operationId: getAnnotation
          responses:
            '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Annotation' } } } }
        delete: { operationId: deleteAnnotation, responses: { '204': { description: Gone. } } }
  - target: $.components.schemas
    update:
      Annotation:
        type: object
        required: [id, text]
        properties:
          id: { type: integer, readOnly: true }
          node_id: { type: integer, readOnly: true }
          text: { type: string, minLength: 1 }
`;
const fixture = `objects:
  - { title: Seen, model: Image }
  - { title: Another, model: Image }
  - { title: A draft, model: Image, published: false, owner: editor }
`;
const admin = { Authorization: basicCredentials('admin', 'islandora') };

let server: OwnServer;
beforeAll(async () => {
  server = await startOwn({ 'o.yaml': overlay, 'fixture.yaml': fixture }, (folder) => ({
    ...{ port: false, site: 'default', overlays: [join(folder, 'o.yaml')], fixture: join(folder, 'fixture.yaml') },
  }));
});
afterAll(() => server.close());

it('A node that is there has its own annotations: 200, 201, 204; one that is absent has none: 404', async () => {
  await walk(await server.world(), [
    get('/node/1/annotations', 200, { annotations: [{ id: 1, node_id: 1, text: 'Of the example' }] }),
    get('/node/2/annotations', 200, { annotations: [] }),
    keeping(
      { id: '/id' },
      post('/node/2/annotations', { text: 'A fine view.' }, 201, { node_id: 2, text: 'A fine view.' }),
    ),
    get('/node/2/annotations/<id>', 200, { text: 'A fine view.' }),
    get('/node/1/annotations/<id>', 404),
    get('/node/999/annotations', 404),
    post('/node/999/annotations', { text: 'x' }, 404),
    get('/node/999/annotations/1', 404),
    del('/node/1/annotations/1', 204),
    get('/node/1/annotations', 200, { annotations: [] }),
  ]);
});

it('A node that the visitor may not see is refused as the node itself is, and is there for who may', async () => {
  const world = await server.world();
  const { status } = await world.fetch('/node/3?_format=json');
  expect([401, 403]).toContain(status);
  await walk(world, [
    get('/node/3/annotations', status),
    post('/node/3/annotations', { text: 'x' }, status),
    having(admin, get('/node/3/annotations', 200, { annotations: [] })),
    having(admin, post('/node/3/annotations', { text: 'x' }, 201, { node_id: 3 })),
  ]);
});

it('A node that is deleted has no annotations any more: 404', async () => {
  const world = await server.world();
  const gone = await world.fetch('/node/1?_format=json', { method: 'DELETE', headers: admin });
  expect(gone.status).toBe(204);
  await walk(world, [get('/node/1/annotations', 404), get('/node/1/annotations/1', 404)]);
});

it('A fixture has objects of the repository and collections, of which one may belong to the other', async () => {
  const both = `${fixture}collections:\n  node/annotations:\n    - { id: 5, node_id: 2, text: Of the fixture }\n`;
  const other = await startOwn({ 'o.yaml': overlay, 'fixture.yaml': both }, (folder) => ({
    ...{ port: false, site: 'default', overlays: [join(folder, 'o.yaml')], fixture: join(folder, 'fixture.yaml') },
  }));
  await walk(other, [
    get('/node/2?_format=json', 200, { title: [{ value: 'Another' }] }),
    get('/node/2/annotations', 200, { annotations: [{ id: 5, text: 'Of the fixture' }] }),
    get('/node/1/annotations', 200, { annotations: [] }),
    post('/node/1/annotations', { text: 'x' }, 201, { id: 6 }),
  ]);
  await other.close();
});
