/** The scenario with the client `typescript-fetch` of openapi-generator. */
import {
  BinaryContentApi,
  Configuration,
  ErrorMessageFromJSON,
  MediaApi,
  NodesApi,
  ResponseError,
  UploadApi,
  type CreateNodeRequest,
} from './atoll/index.js';
import { baseUrl, contentPath, imageModel, linkedId, originalFile, same, step } from './steps.js';

const as = (name?: string) => new Configuration({ basePath: baseUrl, username: name, password: name });
const editor = as('editor');
const nodes = new NodesApi(editor);
const title = [{ value: 'Made with typescript-fetch' }];
const type = [{ targetId: 'islandora_object' }];
const request: CreateNodeRequest = {
  nodeCreate: { type, title, fieldModel: [{ targetId: imageModel }] },
  format: 'json',
};
let id = 0;

const refusalOf = async (call: Promise<unknown>): Promise<[number, string]> => {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    return [error.response.status, ErrorMessageFromJSON(await error.response.json()).message];
  }
  throw new Error('It was not refused.');
};

await step('create', async () => {
  const answer = await nodes.createNodeRaw(request);
  same(answer.raw.status, 201);
  id = (await answer.value()).nid[0]?.value ?? 0;
  same(answer.raw.headers.get('Location'), `${baseUrl}/node/${id}`);
});
await step('read', async () => {
  const node = await new NodesApi(as()).getNode({ nodeId: id, format: 'json' });
  same(node.title, title);
});
await step('patch', async () => {
  const node = await nodes.updateNode({ nodeId: id, nodeUpdate: { type, title: [{ value: 'Changed' }] } });
  same(node.title[0]?.value, 'Changed');
});
await step('upload', async () => {
  const place = { nodeId: id, mediaType: 'file', mediaUseTermId: originalFile };
  const { raw } = await new UploadApi(editor).putNodeMediaRaw({
    ...{ ...place, contentLocation: 'public://sdk/typescript-fetch.txt' },
    body: new Blob(['bytes of typescript-fetch']),
  });
  same(raw.status, 201);
});
await step('follow', async () => {
  const { raw } = await nodes.getNodeRaw({ nodeId: id, format: 'json' });
  const mediaId = linkedId(raw.headers.get('Link'), 'related', 'Original File');
  const media = await new MediaApi(editor).getMedia({ mediaId, format: 'json' });
  const path = contentPath(media.fieldMediaFile?.[0]?.url);
  const content = await new BinaryContentApi(editor).getPublicContent({ path });
  same(await content.text(), 'bytes of typescript-fetch');
});
await step('delete', async () => {
  const { raw } = await nodes.deleteNodeRaw({ nodeId: id });
  same(raw.status, 204);
});
await step('404', async () => {
  const [status, message] = await refusalOf(nodes.getNode({ nodeId: id, format: 'json' }));
  same([status, message.startsWith('The "node" parameter was not converted')], [404, true]);
});
await step('401', async () => {
  same(await refusalOf(new NodesApi(as()).createNode(request)), [401, 'No authentication credentials provided.']);
});
await step('403', async () => {
  const [status, message] = await refusalOf(new NodesApi(as('viewer')).createNode(request));
  same([status, typeof message], [403, 'string']);
});
