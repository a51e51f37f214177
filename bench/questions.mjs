/**
 * The measured requests of `npm run bench`, each beside the baseline that it is compared with. Every reply must have the `status`.
 * `isRight` checks its body, `exact` compares it with the first one.
 */
import { asAdmin, newNode, patchOf, viewers, visibleMedia } from './content.mjs';
import { fetchOnce } from './contenders.mjs';
import { firstHiddenOf, nodePath } from './fleet.mjs';
import { firstCopy } from './fixture.mjs';
import { rememberingQuestions } from './remembering.mjs';

const firstNode = nodePath(firstCopy);
const idBelow = (count) => firstCopy + Math.floor(Math.random() * count);
/** Another path for each request. */
const anyOf = (path, headers = {}) => ({
  requests: [{ setupRequest: (request) => ({ ...request, method: 'GET', path: path(), headers }) }],
});
const patchAny = (count) => ({
  setupRequest: (request) => {
    const id = idBelow(count);
    return { ...request, method: 'PATCH', path: nodePath(id), headers: asAdmin, body: patchOf(id) };
  },
});
const post = { path: '/node?_format=json', method: 'POST', headers: asAdmin, body: newNode, status: 201 };
const isNode = (body) => body.startsWith('{"nid":[{"value":') && body.includes('"value":"Copy ');
const isGraph = (body) => body.startsWith('{"@graph":[{"@id":');
const isList = (body) => body.split('{"mid":[{').length === visibleMedia + 1;
const isRefusal = (body) => body.startsWith('{"message":');
const fixed = (server, path, headers = {}) => ({ server, path, headers, exact: true, status: 200 });

const uploadTo = (server, pathOf) => {
  let uploads = 0;
  const body = 'x'.repeat(65_536);
  return {
    ...{ server, connections: 32, status: 201, statuses: [201, 204] },
    requests: [
      {
        setupRequest: (request) => ({
          ...{ ...request, method: 'PUT', path: pathOf((uploads += 1)), body },
          headers: {
            ...{ ...viewers.admin, 'content-type': 'text/plain' },
            'content-location': `public://bench/${uploads}.txt`,
          },
        }),
      },
    ],
  };
};

const bearerOf = async ({ port }) => {
  const { body } = await fetchOnce(port, '/jwt/token', viewers.admin);
  return { authorization: `Bearer ${JSON.parse(body).token}` };
};

/** Reads of what is kept, and beside them those of other servers. */
const keptReads = async ({ small, watched, bare, others }) => ({
  'GET node': fixed(small, firstNode),
  'GET node: bare express': fixed(bare.node, firstNode),
  'GET node: bare node:http': fixed(bare.http, firstNode),
  'GET node, watched': fixed(watched, firstNode),
  'GET node, Basic': fixed(small, firstNode, viewers.admin),
  'GET node, Bearer': fixed(small, firstNode, await bearerOf(small)),
  ...(others.prism === undefined
    ? {}
    : {
        'GET node: openapi-backend + express': fixed(others.backend, firstNode),
        'GET node: Prism mock': fixed(others.prism, firstNode),
        'GET node: json-server': fixed(others.jsonServer, `/node/${firstCopy}`),
        'GET media, Basic': fixed(small, '/media/1?_format=json', viewers.admin),
        'GET node as jsonld': fixed(small, nodePath(firstCopy, 'jsonld')),
        'HEAD node': { server: small, path: firstNode, method: 'HEAD', status: 200 },
      }),
});

const bareReply = (bare, name, path) => ({
  [`${name}: bare express`]: { server: bare, path, status: Number(name) || 200 },
});

/** Reads of what is made anew. */
const freshReads = ({ large, bare, sizes, firstHidden = firstHiddenOf(sizes) }) => ({
  'GET node of 100,000, same': fixed(large, firstNode),
  'GET node of 100,000, random': {
    ...{ server: large, status: 200, isRight: isNode },
    ...anyOf(() => nodePath(idBelow(sizes.all - sizes.hidden))),
  },
  'GET jsonld of 100,000, random': {
    ...{ server: large, status: 200, isRight: isGraph },
    ...anyOf(() => nodePath(idBelow(sizes.all - sizes.hidden), 'jsonld')),
  },
  ...bareReply(bare.jsonld, 'jsonld', nodePath(firstCopy, 'jsonld')),
  'GET 10 media of 200 nodes, 7 visible, random': {
    ...{ server: large, status: 200, isRight: isList },
    ...anyOf(() => `/node/${idBelow(sizes.withMedia)}/media?_format=json`, viewers.viewer),
  },
  ...bareReply(bare.list, 'list', `/node/${firstCopy}/media?_format=json`),
  'GET 404': {
    ...{ server: large, status: 404, isRight: isRefusal },
    ...anyOf(() => nodePath(800_000 + Math.floor(Math.random() * 100_000))),
  },
  ...bareReply(bare['404'], '404', firstNode),
  'GET 401': {
    ...{ server: large, status: 401, isRight: isRefusal },
    ...anyOf(() => nodePath(firstHidden + Math.floor(Math.random() * sizes.hidden))),
  },
  ...bareReply(bare['401'], '401', firstNode),
  'GET 403': {
    ...{ server: large, status: 403, isRight: isRefusal },
    ...anyOf(() => nodePath(firstHidden + Math.floor(Math.random() * sizes.hidden)), viewers.viewer),
  },
  ...bareReply(bare['403'], '403', firstNode),
});

/** Durable writes, with 32 clients. */
const writes = ({ stored, bare }) => {
  const read = anyOf(() => nodePath(idBelow(1000))).requests;
  const node = { server: stored, status: 200, isRight: isNode };
  const bareNode = { server: bare.write, connections: 32, status: 200 };
  return {
    'GET node of 1,000, random': { ...node, requests: read },
    '90 % GET, 10 % PATCH of 1,000': { ...node, requests: [...Array(9).fill(read).flat(), patchAny(1000)] },
    'PATCH node (durable)': { ...node, connections: 32, requests: [patchAny(1000)] },
    'PATCH: bare express': { ...bareNode, requests: [patchAny(1000)] },
    'POST node (durable)': {
      ...{ ...node, ...post, connections: 32 },
      isRight: (body) => body.includes('"value":"New"'),
    },
    'POST: bare express': { ...bareNode, ...post },
    'PUT 64 KiB (durable)': {
      ...uploadTo(stored, (at) => `/node/${firstCopy + (at % 1000)}/media/file/16`),
      isRight: (body) => body === '' || body.startsWith('{"mid"'),
    },
    'PUT 64 KiB: bare node:http': uploadTo(bare.upload, (at) => `/${at}`),
  };
};

export const questionsOf = async (fleet) => ({
  ...(await keptReads(fleet)),
  ...freshReads(fleet),
  ...writes(fleet),
  ...rememberingQuestions(fleet),
});
