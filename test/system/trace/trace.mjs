/**
 * Prints which files of `src` and `handlers` one request of each kind crosses, as JSON: a server of the sources on disk, warmed by
 * forty requests of the kind, then three of them under V8's precise coverage. `node test/system/trace/trace.mjs [FOLDER]`.
 */
import { Session } from 'node:inspector/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '../../..');
register(new URL('typescript.mjs', import.meta.url));
const { startAtoll } = await import('../../../src/cli/entries/atoll.ts');

const data = await mkdtemp(join(tmpdir(), 'atoll-trace-'));
const atoll = await startAtoll({ data, port: 0 });
const authorization = `Basic ${Buffer.from('editor:editor').toString('base64')}`;
const json = { authorization, 'content-type': 'application/json' };
const bytes = { authorization, 'content-type': 'image/png', 'content-location': 'public://trace.png' };
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const ask = async (method, path, init = {}) => {
  const response = await fetch(atoll.url + path, { method, headers: { authorization }, ...init });
  await response.arrayBuffer();
  return response.status;
};
const record = (more) => ({
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'Traced' }],
  field_model: [{ target_id: 24 }],
  ...more,
});
const post = (body) => ask('POST', '/node?_format=json', { headers: json, body: JSON.stringify(body) });

/** Each kind: what makes the next request one of it, the request, and the status that it must have. */
const kinds = {
  'GET kept': [async () => undefined, () => ask('GET', '/node/5?_format=json'), 200],
  'GET made again': [
    () =>
      ask('PATCH', '/node/5?_format=json', {
        headers: json,
        body: JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: `At ${Math.random()}` }] }),
      }),
    () => ask('GET', '/node/5?_format=json'),
    200,
  ],
  'POST 201': [async () => undefined, () => post(record()), 201],
  'POST 422': [async () => undefined, () => post(record({ field_nowhere: [{ value: 1 }] })), 422],
  'PUT 201': [
    async () => {
      await post(record());
      number += 1;
    },
    () => ask('PUT', `/node/${number}/media/image/20?_format=json`, { headers: bytes, body: png }),
    201,
  ],
};

let number = 0;
const lastNode = async () => {
  const response = await fetch(`${atoll.url}/node?_format=json`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(record()),
  });
  return (await response.json()).nid[0].value;
};

const session = new Session();
session.connect();
await session.post('Profiler.enable');

/** The files that one request crosses, and with them what the server does by itself at that moment. */
const traced = async (kind, request, status) => {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage'); // from here on, calls are counted from 0
  const met = await request();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  if (met !== status) throw new Error(`${kind}: ${met} in place of ${status}.`);
  return result
    .filter(({ url, functions }) => url.startsWith('file:') && functions.some(({ ranges: [{ count }] }) => count > 0))
    .map(({ url }) => relative(root, fileURLToPath(url)))
    .filter((file) => /^(src|handlers)\//.test(file));
};

/** Of so many requests of a kind, what each of them crosses: nothing that the server does by itself meets all of them. */
const requests = 3;

const crossed = {};
for (const [kind, [before, request, status]] of Object.entries(kinds)) {
  number = await lastNode();
  for (let times = 0; times < 40; times += 1) {
    await before();
    await request();
  }
  const seen = [];
  while (seen.length < requests) {
    await before();
    seen.push(await traced(kind, request, status));
  }
  crossed[kind] = seen.reduce((some, others) => some.filter((file) => others.includes(file))).sort();
}
await atoll.close();
await rm(data, { recursive: true });
process.stdout.write(`${JSON.stringify(crossed)}\n`);
process.exit(0);
