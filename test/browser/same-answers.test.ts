/** The engine without Node gives the answers of the server: the same requests to both, with the same seed and a frozen clock. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { basicCredentials } from '../../src/basics/formats/basic-credentials.ts';
import { pngBytes } from '../support/png.ts';
import { baseUrl, frozen, serverAndEngine, type ServerAndEngine } from './support/server-and-engine.ts';

// A loaded machine takes long to build the engine and to hash passwords.
jest.setTimeout(120_000);

let both: ServerAndEngine;
beforeAll(async () => {
  both = await serverAndEngine();
});
afterAll(() => both.close());

const admin = { authorization: basicCredentials('admin', 'islandora') };
const json = { ...admin, 'content-type': 'application/json' };
const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const object = {
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'Größe & <Maß>' }],
  field_model: [{ target_id: 23 }],
};
const png = { ...admin, 'content-type': 'image/png', 'content-location': 'public://pictures/a b.png' };
const text = { ...admin, 'content-type': 'text/plain', 'content-location': 'public://a.txt' };
const picture = new Blob([Uint8Array.from(pngBytes())]);

type Seen = { status: number; headers: [string, string][]; body: string; url: string };

/** Its bytes as latin1, so that none is lost. */
const seen = async (response: Response): Promise<Seen> => ({
  status: response.status,
  headers: [...response.headers],
  body: Buffer.from(await response.arrayBuffer()).toString('latin1'),
  url: response.url,
});

type Step = { readonly path: string; readonly init?: RequestInit };

const withBody = (method: string, path: string, content: unknown, headers: HeadersInit = json): Step => ({
  path,
  init: { method, headers, body: JSON.stringify(content) },
});
const withHeaders = (path: string, headers: HeadersInit, method = 'GET'): Step => ({ path, init: { method, headers } });

/** Sends the steps one after the other to both. Returns what the engine answered, after a comparison with the server. */
const compared = async (steps: readonly Step[], world?: string): Promise<Seen[]> => {
  const answers = await Promise.all(
    [both.server, both.engine].map(async (each) => {
      const { url, clock } = world === undefined ? each : await each.world(world);
      await clock.set(frozen); // a world has a clock of its own
      const all: Seen[] = [];
      for (const { path, init } of steps) all.push(await seen(await each.fetch(`${url}${path}`, init)));
      return all;
    }),
  );
  const [ofServer = [], ofEngine = []] = answers;
  for (const [index, { path }] of steps.entries()) {
    expect({ path, ...ofEngine[index] }).toEqual({ path, ...ofServer[index] });
  }
  return ofEngine;
};

const read: [status: number, what: string, step: Step][] = [
  [200, 'a node', { path: '/node/1?_format=json' }],
  [200, 'a node as JSON-LD', { path: '/node/1?_format=jsonld' }],
  [200, 'the head of a node', withHeaders('/node/1?_format=json', {}, 'HEAD')],
  [200, 'the methods of a node', withHeaders('/node/1', {}, 'OPTIONS')],
  [200, 'a node as a page', withHeaders('/node/1', page)],
  [200, 'a media as a page', withHeaders('/media/1', { ...page, ...admin })],
  [200, 'a term', { path: '/taxonomy/term/23?_format=json' }],
  [200, 'an account', withHeaders('/user/1?_format=json', admin)],
  [200, 'a media', withHeaders('/media/1?_format=json', admin)],
  [200, 'a file', withHeaders('/entity/file/1?_format=json', admin)],
  [200, 'the members of a node', { path: '/node/1/members?_format=json' }],
  [200, 'the media of a node', { path: '/node/1/media?_format=json' }],
  [200, 'a linkset', { path: '/node/1/linkset' }],
  [200, 'the document of the control interface', { path: '/_atoll/openapi.json' }],
  [200, 'entities for a picker', { path: '/_atoll/entities?type=media' }],
  [200, 'the model', { path: '/_atoll/model' }],
  [200, 'the catalogue of faults', { path: '/_atoll/faults/catalogue' }],
  [204, 'a preflight', withHeaders('/node/1', preflight('PATCH'), 'OPTIONS')],
  [200, 'a node for a page elsewhere', withHeaders('/node/1?_format=json', { origin: 'http://localhost:5173' })],
  [400, 'a body that is no JSON', { path: '/node?_format=json', init: { method: 'POST', headers: json, body: '{' } }],
  [
    403,
    'a wrong password',
    withHeaders('/entity/file/1?_format=json', { authorization: basicCredentials('admin', 'x') }),
  ],
  [
    401,
    'a change by nobody',
    withBody('PATCH', '/node/1?_format=json', object, { 'content-type': 'application/json' }),
  ],
  [403, 'a change without the right', withBody('PATCH', '/node/1?_format=json', object, plain())],
  [404, 'a node that is not there', { path: '/node/999999?_format=json' }],
  [404, 'a path that is not there', { path: '/nothing/here' }],
  [405, 'a method that no path has', withBody('PUT', '/node/1?_format=json', {})],
  [406, 'a format that there is not', { path: '/node/1?_format=xml' }],
  [413, 'too long a body', withBody('POST', '/node?_format=json', 'x'.repeat(1024 * 1024 + 1))],
  [414, 'too long an address', { path: `/node/1?_format=json&${'x'.repeat(4096)}` }],
  [415, 'a body of another kind', { path: '/node?_format=json', init: { method: 'POST', headers: admin, body: 'x' } }],
  [422, 'an unknown field', withBody('POST', '/node?_format=json', { ...object, field_nothing: [{ value: 1 }] })],
  [422, 'a body without a title', withBody('POST', '/node?_format=json', { type: object.type })],
];

function preflight(method: string): Record<string, string> {
  return { origin: 'http://localhost:5173', 'access-control-request-method': method };
}
function plain(): Record<string, string> {
  return { authorization: basicCredentials('plain', 'plain'), 'content-type': 'application/json' };
}

describe('Without Node an answer is that of the server, header by header and byte by byte', () => {
  it.each(read.map(([status, what, step]) => ({ status, what, step })))('$status: $what', async ({ status, step }) => {
    const [answer] = await compared([step]);
    expect(answer?.status).toBe(status);
  });

  it('for what is created, changed, uploaded and deleted, with the same uuids', async () => {
    const answers = await compared(
      [
        withBody('POST', '/node?_format=json', object),
        withBody('PATCH', '/node/1?_format=json', { type: object.type, title: [{ value: 'Another' }] }),
        { path: '/node/1/media/image/16', init: { method: 'PUT', headers: png, body: picture } },
        { path: '/node/1/media/file/17', init: { method: 'PUT', headers: text, body: 'no picture' } },
        withHeaders('/node/1/media?_format=json', admin),
        withHeaders('/_atoll/entities?type=file', admin),
        withHeaders('/_atoll/differences', admin),
        withHeaders('/node/1?_format=json', admin, 'DELETE'),
        withHeaders('/node/1?_format=json', admin),
      ],
      'writes',
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 201, 201, 200, 200, 200, 204, 404]);
    expect(answers[0]?.body).toMatch(/"uuid":\[\{"value":"[0-9a-f-]{36}"/);
  });

  it('for bytes, whole and in parts', async () => {
    const file = await both.server.fetch(`${baseUrl}/entity/file/1?_format=json`, { headers: admin });
    const { uri } = (await file.json()) as { uri: [{ url: string }] }; // contract: File
    const path = new URL(uri[0].url, baseUrl).pathname;
    const answers = await compared([
      withHeaders(path, admin),
      withHeaders(path, { ...admin, range: 'bytes=2-9' }),
      withHeaders(path, { ...admin, range: 'bytes=-5' }),
      withHeaders(path, { ...admin, range: 'bytes=99999999-' }),
      withHeaders(path, admin, 'HEAD'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 206, 206, 416, 200]);
    expect(answers[1]?.body).toHaveLength(8);
  });
});
