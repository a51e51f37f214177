/** Twenty requests and what must come back, for any runtime: it uses nothing but the standard `Request`, `Response` and `crypto`. */

const baseUrl = 'http://localhost:8000';

const basic = (name, password) => ({ authorization: `Basic ${btoa(`${name}:${password}`)}` });
const admin = basic('admin', 'islandora');
const json = { 'content-type': 'application/json' };
const object = (title) =>
  JSON.stringify({
    type: [{ target_id: 'islandora_object' }],
    title: [{ value: title }],
    field_model: [{ target_id: 23 }],
  });

const must = (isSo, what) => {
  if (!isSo) throw new Error(what);
};
const equal = (found, expected) =>
  must(Object.is(found, expected), `${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);

const canSendCookies = new Request(baseUrl, { headers: { cookie: 'a=b' } }).headers.has('cookie');

/** Each has a name, and sends one request. `seen` is what earlier ones have left for later ones. */
const requests = (atoll, send) => [
  [
    'a node',
    async () => {
      const answer = await send('GET', '/node/1?_format=json');
      equal(answer.status, 200);
      equal(answer.headers.get('content-type'), 'application/json');
      must((await answer.json()).title[0].value.length > 0, 'The node has no title.');
    },
  ],
  [
    'its JSON-LD',
    async () => {
      const answer = await send('GET', '/node/1?_format=jsonld');
      equal(answer.status, 200);
      must(Array.isArray((await answer.json())['@graph']), 'There is no graph.');
    },
  ],
  [
    'its page',
    async () => {
      const answer = await send('GET', '/node/1', { accept: 'text/html' });
      equal(answer.status, 200);
      must((await answer.text()).startsWith('<!'), 'It is no page.');
    },
  ],
  [
    'its links',
    async () => equal((await send('HEAD', '/node/1?_format=json')).headers.get('link').includes('rel='), true),
  ],
  ['its members', async () => equal((await send('GET', '/node/1/members?_format=json')).status, 200)],
  [
    'a node that is not there',
    async () => {
      const answer = await send('GET', '/node/999999?_format=json');
      equal(answer.status, 404);
      equal(typeof (await answer.json()).message, 'string');
    },
  ],
  ['an unknown format', async () => equal((await send('GET', '/node/1?_format=xml')).status, 406)],
  [
    'a change by nobody',
    async () => {
      const answer = await send('PATCH', '/node/1?_format=json', json, object('x'));
      equal(answer.status, 401);
      must(answer.headers.get('www-authenticate').startsWith('Basic'), 'There is no challenge.');
    },
  ],
  [
    'a change with a wrong password',
    async () =>
      equal(
        (await send('PATCH', '/node/1?_format=json', { ...json, ...basic('admin', 'x') }, object('x'))).status,
        403,
      ),
  ],
  [
    'a creation',
    async (seen) => {
      const answer = await send('POST', '/node?_format=json', { ...json, ...admin }, object('Größe'));
      equal(answer.status, 201);
      seen.location = answer.headers.get('location');
      const { uuid, title } = await answer.json();
      equal(uuid[0].value, '6661e4cd-b320-4553-82b9-783a647d375e');
      equal(title[0].value, 'Größe');
    },
  ],
  [
    'an unknown field',
    async () => {
      const answer = await send('POST', '/node?_format=json', { ...json, ...admin }, '{"field_nothing":[]}');
      equal(answer.status, 422);
    },
  ],
  [
    'an upload',
    async (seen) => {
      const bytes = Uint8Array.from({ length: 5000 }, (_, index) => index % 251);
      seen.bytes = bytes;
      const headers = { ...admin, 'content-type': 'text/plain', 'content-location': 'public://pictures/bytes.txt' };
      equal((await send('PUT', '/node/1/media/file/17', headers, bytes)).status, 201);
    },
  ],
  [
    'the file of the upload',
    async (seen) => {
      const media = await (await send('GET', '/node/1/media?_format=json', admin)).json();
      const urls = media.flatMap(({ field_media_file: file }) => file?.[0]?.url ?? []);
      seen.file = urls.find((url) => url.endsWith('bytes.txt'));
      must(seen.file !== undefined, `There is no such file among ${urls.join(', ')}.`);
      const answer = await atoll.fetch(new URL(seen.file, baseUrl).href);
      equal(answer.status, 200);
      const read = new Uint8Array(await answer.arrayBuffer());
      equal(read.join(), seen.bytes.join());
    },
  ],
  [
    'a part of the file',
    async (seen) => {
      const answer = await atoll.fetch(new URL(seen.file, baseUrl).href, { headers: { range: 'bytes=10-19' } });
      equal(answer.status, 206);
      equal(answer.headers.get('content-range'), 'bytes 10-19/5000');
      equal(new Uint8Array(await answer.arrayBuffer()).join(), seen.bytes.slice(10, 20).join());
    },
  ],
  [
    'a change by a token',
    async () => {
      const headers = { ...json, authorization: `Bearer ${await atoll.token('admin')}` };
      equal((await send('PATCH', '/node/1?_format=json', headers, object('By a token'))).status, 200);
    },
  ],
  [
    'a change in a session',
    async () => {
      // Where scripts may not send cookies, `fetch` itself keeps and sends those that are asked for.
      const kept = canSendCookies ? {} : { credentials: 'include' };
      const login = '{"name":"admin","pass":"islandora"}';
      const begun = await send('POST', '/user/login?_format=json', json, login, kept);
      equal(begun.status, 200);
      const { csrf_token: csrf } = await begun.json();
      const cookie = canSendCookies ? { cookie: begun.headers.getSetCookie()[0].split(';')[0] } : {};
      const headers = { ...json, ...cookie };
      const change = (extra) =>
        send('PATCH', '/node/1?_format=json', { ...headers, ...extra }, object('In a session'), kept);
      equal((await change({ 'x-csrf-token': csrf })).status, 200);
      equal((await change({})).status, 403);
    },
  ],
  [
    'a world of its own',
    async () => {
      const world = await atoll.world('own');
      const gone = await world.fetch('/node/1?_format=json', { method: 'DELETE', headers: admin });
      equal(gone.status, 204);
      equal((await world.fetch('/node/1?_format=json')).status, 404);
      equal((await send('GET', '/node/1?_format=json')).status, 200);
      await world.drop();
    },
  ],
  [
    'a frozen clock',
    async () => {
      await atoll.clock.set({ now: '2030-01-01T00:00:00Z', mode: 'frozen' });
      const made = await (await send('POST', '/node?_format=json', { ...json, ...admin }, object('Later'))).json();
      equal(made.created[0].value, '2030-01-01T00:00:00+00:00');
    },
  ],
  ['the traffic', async () => must((await atoll.countTraffic()).count > 15, 'The traffic is not remembered.')],
  [
    'a reset',
    async (seen) => {
      await atoll.reset();
      equal((await atoll.fetch(`${new URL(seen.location, baseUrl).href}?_format=json`)).status, 404);
    },
  ],
];

/** Runs them one after the other. Returns for each its name and what went wrong, or undefined. */
export const sendAll = async (createAtoll, site) => {
  const errors = [];
  const atoll = await createAtoll({
    site,
    baseUrl,
    seed: 'runtimes',
    onError: (error) => errors.push(String(error?.stack)),
  });
  const send = (method, path, headers = {}, body = undefined, further = {}) =>
    atoll.fetch(baseUrl + path, { method, headers, body, ...further });
  const seen = {};
  const outcomes = [];
  for (const [name, check] of requests(atoll, send)) {
    try {
      await check(seen);
      outcomes.push({ name });
    } catch (error) {
      outcomes.push({ name, error: [error?.message ?? String(error), ...errors.splice(0)].join('\n') });
    }
  }
  await atoll.close();
  return outcomes;
};
