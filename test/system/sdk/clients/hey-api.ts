/** The scenario with @hey-api/openapi-ts. */
import { createClient, createConfig } from './atoll/client/index.js';
import {
  createNode,
  deleteNode,
  getMedia,
  getNode,
  getPublicContent,
  putNodeMedia,
  updateNode,
} from './atoll/sdk.gen.js';
import type { NodeCreate, NodeUpdate } from './atoll/types.gen.js';
import { baseUrl, contentPath, imageModel, linkedId, originalFile, same, step } from './steps.js';

const anonymous = createClient(createConfig({ baseUrl }));
const as = (name: string) =>
  createClient(createConfig({ baseUrl, auth: ({ scheme }) => (scheme === 'basic' ? `${name}:${name}` : undefined) }));
const [editor, viewer] = [as('editor'), as('viewer')];
const query = { _format: 'json' } as const;
const node: NodeCreate = {
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'Made with hey-api' }],
  field_model: [{ target_id: imageModel }],
};
let id = 0;

await step('create', async () => {
  const { data, response } = await createNode({ client: editor, body: node, query });
  same(response?.status, 201);
  id = data?.nid[0]?.value ?? 0;
  same(response?.headers.get('Location'), `${baseUrl}/node/${id}`);
});
await step('read', async () => {
  const { data } = await getNode({ client: anonymous, path: { node_id: id }, query });
  // What a read answers depends on `_format`, which no generator can tell from the media type: the members tell.
  same(data !== undefined && 'title' in data && data.title, node.title);
});
await step('patch', async () => {
  const body: NodeUpdate = { type: node.type, title: [{ value: 'Changed' }] };
  const { data } = await updateNode({ client: editor, path: { node_id: id }, body });
  same(data?.title[0]?.value, 'Changed');
});
await step('upload', async () => {
  const { response } = await putNodeMedia({
    client: editor,
    path: { node_id: id, media_type: 'file', media_use_term_id: originalFile },
    headers: { 'Content-Location': 'public://sdk/hey-api.txt', 'Content-Type': 'text/plain' } as {
      'Content-Location': string;
    },
    body: new Blob(['bytes of hey-api']),
  });
  same(response?.status, 201);
});
await step('follow', async () => {
  const { response } = await getNode({ client: editor, path: { node_id: id }, query });
  const mediaId = linkedId(response?.headers.get('Link'), 'related', 'Original File');
  const { data } = await getMedia({ client: editor, path: { media_id: mediaId }, query });
  const path = contentPath(data !== undefined && 'mid' in data ? data.field_media_file?.[0]?.url : undefined);
  const content = await getPublicContent({ client: editor, path: { path }, parseAs: 'blob' });
  // The type `Bytes` of the document is a text, a Blob or a File.
  same(content.data instanceof Blob && (await content.data.text()), 'bytes of hey-api');
});
await step('delete', async () => {
  const { response } = await deleteNode({ client: editor, path: { node_id: id } });
  same(response?.status, 204);
});
await step('404', async () => {
  const { error, response } = await getNode({ client: editor, path: { node_id: id }, query });
  same([response?.status, error?.message.startsWith('The "node" parameter was not converted')], [404, true]);
});
await step('401', async () => {
  const { error, response } = await createNode({ client: anonymous, body: node, query });
  same([response?.status, error?.message], [401, 'No authentication credentials provided.']);
});
await step('403', async () => {
  const { error, response } = await createNode({ client: viewer, body: node, query });
  same([response?.status, typeof error?.message], [403, 'string']);
});
