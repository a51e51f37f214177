/** The scenario with swagger-typescript-api and axios. */
import { isAxiosError } from 'axios';
import { Api, type ErrorMessage, type NodeCreate } from './atoll/atoll.js';
import { baseUrl, basic, contentPath, imageModel, linkedId, originalFile, same, step } from './steps.js';

const as = (name: string) => new Api({ baseURL: baseUrl, headers: { Authorization: basic(name) } });
const [anonymous, editor, viewer] = [new Api({ baseURL: baseUrl }), as('editor'), as('viewer')];
const query = { _format: 'json' } as const;
const node: NodeCreate = {
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'Made with swagger-typescript-api' }],
  field_model: [{ target_id: imageModel }],
};
let id = 0;

const refusalOf = async (call: Promise<unknown>): Promise<[number | undefined, string | undefined]> => {
  try {
    await call;
  } catch (error) {
    if (!isAxiosError<ErrorMessage>(error)) throw error;
    return [error.response?.status, error.response?.data.message];
  }
  throw new Error('It was not refused.');
};

await step('create', async () => {
  const { data, status, headers } = await editor.node.createNode(node, query);
  same(status, 201);
  id = data.nid[0]?.value ?? 0;
  same(headers['location'], `${baseUrl}/node/${id}`);
});
await step('read', async () => {
  const { data } = await anonymous.node.getNode(id, query);
  same(data.title, node.title);
});
await step('patch', async () => {
  const { data } = await editor.node.updateNode(id, { type: node.type, title: [{ value: 'Changed' }] }, query);
  same(data.title[0]?.value, 'Changed');
});
await step('upload', async () => {
  const headers = { 'Content-Type': 'text/plain', 'Content-Location': 'public://sdk/swagger-typescript-api.txt' };
  const file = new File(['bytes of swagger-typescript-api'], 'a.txt');
  const { status } = await editor.node.putNodeMedia(id, 'file', originalFile, file, { headers });
  same(status, 201);
});
await step('follow', async () => {
  const { headers } = await editor.node.getNode(id, query);
  const mediaId = linkedId(String(headers['link']), 'related', 'Original File');
  const { data } = await editor.media.getMedia(mediaId, query);
  const content = await editor.sites.getPublicContent(contentPath(data.field_media_file?.[0]?.url), { format: 'blob' });
  // axios in Node has no Blob: the bytes are text there.
  same(String(content.data), 'bytes of swagger-typescript-api');
});
await step('delete', async () => {
  const { status } = await editor.node.deleteNode(id, query);
  same(status, 204);
});
await step('404', async () => {
  const [status, message] = await refusalOf(editor.node.getNode(id, query));
  same([status, message?.startsWith('The "node" parameter was not converted')], [404, true]);
});
await step('401', async () => {
  same(await refusalOf(anonymous.node.createNode(node, query)), [401, 'No authentication credentials provided.']);
});
await step('403', async () => {
  const [status, message] = await refusalOf(viewer.node.createNode(node, query));
  same([status, typeof message], [403, 'string']);
});
