/** The ten requests of `bench/msw-compared.mjs`, each with what the contract says of its answer. */

export const baseUrl = 'https://repository.example.org';

const basic = (name, password) => `Basic ${btoa(`${name}:${password}`)}`;
const admin = basic('admin', 'islandora');
const viewer = basic('viewer', 'viewer');
const json = { 'Content-Type': 'application/json' };
const typed = (fields) => JSON.stringify({ type: [{ target_id: 'islandora_object' }], ...fields });
const titled = (title) => typed({ title: [{ value: title }] });
const titleOf = (record) => record?.title?.[0]?.value;
const isRefusal = ({ body }) => typeof parsed(body)?.message === 'string';

/** Undefined for what is no JSON. */
const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const readNode = async (ask, id) => parsed((await ask('GET', `/node/${id}?_format=json`)).body);

/**
 * `send` asks with `ask(method, path, headers, body)`. Each of `status`, `body`, `headers` and `state` says whether that part
 * is right. A part that the contract says nothing of is left out. `state` asks again.
 */
export const requests = [
  {
    name: 'list the members of node 1',
    send: (ask) => ask('GET', '/node/1/members?_format=json'),
    status: 200,
    body: ({ body }) => {
      const members = parsed(body);
      const isMember = ({ field_member_of: parents }) => parents.some(({ target_id: id }) => id === 1);
      return Array.isArray(members) && members.length > 0 && members.every(isMember);
    },
    headers: ({ headers }) => headers.get('content-type') === 'application/json',
    state: async (ask, { body }) => {
      const [first] = parsed(body);
      return titleOf(await readNode(ask, first.nid[0].value)) === titleOf(first);
    },
  },
  {
    name: 'read node 2 as JSON, with its links',
    send: (ask) => ask('GET', '/node/2?_format=json'),
    status: 200,
    body: ({ body }) => parsed(body)?.nid?.[0]?.value === 2,
    headers: ({ headers }) => /<[^>]+\/node\/2\b[^>]*>; *rel="/.test(headers.get('link') ?? ''),
    state: async (ask, { headers }) => {
      const own = /<([^>]+)>; *rel="alternate"/.exec(headers.get('link') ?? '')?.[1];
      return own !== undefined && (await ask('GET', own.replace(baseUrl, ''))).status === 200;
    },
  },
  {
    name: 'read node 2 as JSON-LD',
    send: (ask) => ask('GET', '/node/2?_format=jsonld'),
    status: 200,
    body: ({ body }) => parsed(body)?.['@graph']?.[0]?.['@id']?.startsWith(`${baseUrl}/node/2`) === true,
    headers: ({ headers }) => headers.get('content-type') === 'application/ld+json',
  },
  {
    name: 'create a node, and read it back',
    send: (ask) =>
      ask(
        'POST',
        '/node?_format=json',
        { ...json, Authorization: admin },
        typed({ title: [{ value: 'Made' }], field_model: [{ target_id: 24 }] }),
      ),
    status: 201,
    body: ({ body }) => titleOf(parsed(body)) === 'Made',
    headers: ({ body, headers }) => headers.get('location') === `${baseUrl}/node/${parsed(body)?.nid?.[0]?.value}`,
    state: async (ask, { body }) => titleOf(await readNode(ask, parsed(body)?.nid?.[0]?.value)) === 'Made',
  },
  {
    name: 'change a title, and read it back',
    send: (ask) => ask('PATCH', '/node/2?_format=json', { ...json, Authorization: admin }, titled('Changed')),
    status: 200,
    body: ({ body }) => titleOf(parsed(body)) === 'Changed',
    state: async (ask) => titleOf(await readNode(ask, 2)) === 'Changed',
  },
  {
    name: 'create without credentials',
    send: (ask) => ask('POST', '/node?_format=json', json, titled('Not made')),
    status: 401,
    body: isRefusal,
    headers: ({ headers }) => headers.get('www-authenticate')?.startsWith('Basic') === true,
  },
  {
    name: 'change as an account that may not',
    send: (ask) => ask('PATCH', '/node/3?_format=json', { ...json, Authorization: viewer }, titled('Not changed')),
    status: 403,
    body: isRefusal,
    state: async (ask) => titleOf(await readNode(ask, 3)) !== 'Not changed',
  },
  {
    name: 'read a node that is not there',
    send: (ask) => ask('GET', '/node/99999?_format=json'),
    status: 404,
    body: isRefusal,
    headers: ({ headers }) => headers.get('content-type') === 'application/json',
  },
  {
    name: 'write a title that is empty',
    send: (ask) =>
      ask('PATCH', '/node/3?_format=json', { ...json, Authorization: admin }, typed({ title: [{ value: '' }] })),
    status: 422,
    body: (answer) => isRefusal(answer) && parsed(answer.body).message.includes('title'),
    state: async (ask) => ![undefined, ''].includes(titleOf(await readNode(ask, 3))),
  },
  {
    name: 'upload a file, and read its bytes',
    send: (ask) => {
      const headers = {
        'Content-Type': 'text/plain',
        'Content-Location': 'public://compared/a.txt',
        Authorization: admin,
      };
      return ask('PUT', '/node/3/media/file/17', headers, 'Dear harbour master,');
    },
    status: 201,
    headers: ({ headers }) => new RegExp(`^${baseUrl}/media/\\d+$`).test(headers.get('location') ?? ''),
    state: async (ask) => (await ask('GET', '/sites/default/files/compared/a.txt')).body === 'Dear harbour master,',
  },
];
