/** What a visitor can walk to, and one answer for everybody everywhere. */
import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readContract } from '../../support/site-sources.ts';
import { join } from 'node:path';
import { createTestAtoll, root, type TestAtoll } from '../../support/atoll.ts';
import { pngBytes } from '../../support/png.ts';
import { isLong } from '../../support/long-run.ts';
import {
  accountNames,
  basic,
  everybody,
  headersOf,
  linksOf,
  pathOf,
  targetsOf,
  visit,
  type Visitor,
} from '../../support/requests.ts';

/** Everybody asks everything in one test. */
jest.setTimeout(300_000);

let atoll: TestAtoll;
const editor = basic('editor');

beforeAll(async () => {
  atoll = await createTestAtoll({ site: (site) => ({ ...site, flood: undefined }) });
});
beforeEach(() => atoll.reset());

describe('walking by Link headers', () => {
  it.each(['public', 'fedora'])(
    'an uploaded PNG comes back from %s byte for byte by its `describes` link',
    async (scheme) => {
      const bytes = pngBytes(64, 48, 200);
      const created = await visit(atoll, editor, 'PUT', '/node/22/media/image/16')
        .set({ 'Content-Type': 'image/png', 'Content-Location': `${scheme}://walk/a b.png` })
        .send(bytes);
      const media = await visit(atoll, editor, 'GET', `${String(created.headers['location'])}?_format=json`);
      const described = linksOf(media).filter(({ rel }) => rel === 'describes');
      expect(described).toHaveLength(1);
      expect(described[0]?.type).toBe('image/png');
      const content = await visit(atoll, editor, 'GET', described[0]?.uri ?? '');
      expect(content.type).toBe('image/png');
      expect(content.body).toEqual(bytes);
    },
  );

  it('leads from a node to its media, from there to the file, and back to the node', async () => {
    const node = await visit(atoll, editor, 'HEAD', '/node/5?_format=json');
    const [mediaUrl = ''] = targetsOf(node, 'related', 'Original File');
    const media = await visit(atoll, editor, 'HEAD', `${mediaUrl}?_format=json`);
    const [contentUrl = ''] = targetsOf(media, 'describes');
    const content = await visit(atoll, editor, 'GET', contentUrl);
    expect([media.status, content.status]).toEqual([200, 200]);
    const [nodeUrl = ''] = targetsOf(media, 'related', 'Media of');
    expect(pathOf(nodeUrl)).toBe('/node/5');
    expect((await visit(atoll, editor, 'GET', `${nodeUrl}?_format=json`)).status).toBe(200);
  });
});

const inBothFormats = (path: string): string[] => ['json', 'jsonld'].map((format) => `${path}?_format=${format}`);

/** Addresses of every GET operation, some of entities that not everybody may see. `xml` is a format that no site has. */
const readings = [
  ...['/node/5', '/node/13', '/node/11', '/node/21', '/media/1', '/media/53', '/media/60'].flatMap(inBothFormats),
  ...['/entity/file/1', '/entity/file/2', '/taxonomy/term/24', '/node/999'].flatMap(inBothFormats),
  ...['/node/13', '/node/11', '/media/60', '/entity/file/2', '/taxonomy/term/24'].map((path) => `${path}?_format=xml`),
  ...['/node/5', '/node/5/linkset', '/media/1/linkset', '/node/11/linkset'],
  '/user/2?_format=json',
  '/user/login_status?_format=json',
  '/jwt/token?_format=json',
  '/sites/default/files/2019-03/5-Service%20File.jpg',
  '/_flysystem/fedora/2019-03/fleet-at-anchor.png',
];

/** Nobody, wrong credentials, and each account: by one of its three providers in `npm test`, by all in the suite `crawl`. */
const asking = async (): Promise<Visitor[]> => {
  const all = await everybody(atoll);
  const known = all.length - 3 * accountNames.length;
  return isLong ? all : all.filter((_, at) => at < known || (at - known) % 4 === 0);
};

describe('everybody is answered', () => {
  it('HEAD equals GET in every header, for every GET operation, format and identity', async () => {
    for (const visitor of await asking()) {
      for (const url of readings) {
        const got = await visit(atoll, visitor, 'GET', url);
        const head = await visit(atoll, visitor, 'HEAD', url);
        const label = `${visitor.label} ${url}`;
        expect([label, head.status, headersOf(head)]).toEqual([label, got.status, headersOf(got)]);
        expect([label, (head.text as string | undefined) ?? '']).toEqual([label, '']);
      }
    }
  });

  it('no operation answers 501 or 5xx, for anonymous, each demo account and each provider', async () => {
    const requests = requestsOfEveryOperation();
    const met = new Set<string>();
    for (const visitor of await asking()) {
      for (const [id, method, url] of requests) {
        const response = await send(visitor, method, url);
        met.add(id);
        expect([visitor.label, id, response.status < 500]).toEqual([visitor.label, id, true]);
      }
    }
    expect(met.size).toBe(operations().length);
  });
});

type Paths = Record<string, Record<string, { operationId?: string }>>;
const { paths } = await readContract(join(root, 'openapi.yaml'));
const operations = (): { path: string; method: string; id: string }[] =>
  // The document is checked by its own tests.
  Object.entries(paths as Paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId: id }]) => (id === undefined ? [] : [{ path, method, id }])),
  );

const values: Readonly<Record<string, string>> = {
  node_id: '5',
  media_id: '2',
  file_id: '4',
  term_id: '24',
  user_id: '2',
  media_type: 'image',
  media_use_term_id: '17',
};

const requestsOfEveryOperation = (): [string, string, string][] =>
  operations()
    // What deletes comes last, so that there is something to answer about.
    .sort((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'))
    .map(({ path, method, id }) => [
      id,
      method,
      `${path.replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '2019-03/5-Service%20File.jpg')}?_format=json`,
    ]);

const send = (visitor: Visitor, method: string, url: string) => {
  const request = visit(atoll, visitor, method, url);
  if (method === 'put') {
    return request.set({ 'Content-Type': 'image/png', 'Content-Location': 'public://all.png' }).send(pngBytes());
  }
  if (method === 'get' || method === 'head' || method === 'delete') return request;
  const bundle = url.startsWith('/media')
    ? { bundle: [{ target_id: 'image' }] }
    : { type: [{ target_id: 'islandora_object' }] };
  const node = url.startsWith('/node') ? { title: [{ value: 'T' }], field_model: [{ target_id: 22 }] } : {};
  return request.set('Content-Type', 'application/json').send(JSON.stringify({ ...bundle, ...node }));
};
