/** The scenario with orval and axios. */
import axios, { isAxiosError } from 'axios';
import {
  createNode,
  deleteNode,
  getMedia,
  getNode,
  getPublicContent,
  putNodeMedia,
  updateNode,
  type ErrorMessage as Refusal,
  type NodeCreate,
} from './atoll.js';
import { baseUrl, basic, contentPath, imageModel, linkedId, originalFile, same, step } from './steps.js';

axios.defaults.baseURL = baseUrl;
const as = (name: string) => ({ headers: { Authorization: basic(name) } });
const editor = as('editor');
const query = { _format: 'json' } as const;
const node: NodeCreate = {
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'Made with orval' }],
  field_model: [{ target_id: imageModel }],
};
let id = 0;

/** What a refused call says. orval types successes only; the error of each operation is the generated `ErrorMessage`. */
const refusalOf = async (call: Promise<unknown>): Promise<[number | undefined, string | undefined]> => {
  try {
    await call;
  } catch (error) {
    if (!isAxiosError<Refusal>(error)) throw error;
    return [error.response?.status, error.response?.data.message];
  }
  throw new Error('It was not refused.');
};

await step('create', async () => {
  const { data, status, headers } = await createNode(node, query, editor);
  same(status, 201);
  id = data.nid[0]?.value ?? 0;
  same(headers['location'], `${baseUrl}/node/${id}`);
});
await step('read', async () => {
  const { data } = await getNode(id, query);
  // What a read answers depends on `_format`, which no generator can tell from the media type: the members tell.
  same('title' in data && data.title, node.title);
});
await step('patch', async () => {
  const { data } = await updateNode(id, { type: node.type, title: [{ value: 'Changed' }] }, query, editor);
  same(data.title[0]?.value, 'Changed');
});
await step('upload', async () => {
  const headers = { ...editor.headers, 'Content-Type': 'text/plain', 'Content-Location': 'public://sdk/orval.txt' };
  const { status } = await putNodeMedia(id, 'file', originalFile, new Blob(['bytes of orval']), { headers });
  same(status, 201);
});
await step('follow', async () => {
  const { headers } = await getNode(id, query, editor);
  const mediaId = linkedId(String(headers['link']), 'related', 'Original File');
  const { data } = await getMedia(mediaId, query, editor);
  const path = contentPath('mid' in data ? data.field_media_file?.[0]?.url : undefined);
  const content = await getPublicContent<{ data: string }>(path, { responseType: 'text' });
  same(content.data, 'bytes of orval');
});
await step('delete', async () => {
  const { status } = await deleteNode(id, query, editor);
  same(status, 204);
});
await step('404', async () => {
  const [status, message] = await refusalOf(getNode(id, query, editor));
  same([status, message?.startsWith('The "node" parameter was not converted')], [404, true]);
});
await step('401', async () => {
  same(await refusalOf(createNode(node, query)), [401, 'No authentication credentials provided.']);
});
await step('403', async () => {
  const [status, message] = await refusalOf(createNode(node, query, as('viewer')));
  same([status, typeof message], [403, 'string']);
});
