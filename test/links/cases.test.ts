/** The numbered cases about links (test/contract/cases/README.md) that need records made by hand, other sites, or many media. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Response } from 'supertest';
import { linkHeadersOf } from '../../src/repository/links/entity-links.ts';
import { linkContextOf } from '../../src/repository/repository-content.ts';
import type { World } from '../../src/repository/repository.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { inOneWorld } from '../support/one-world.ts';
import { pngBytes } from '../support/png.ts';
import {
  accountNames,
  anonymous,
  basic,
  linksOf,
  pathOf,
  targetsOf,
  visit,
  type Visitor,
} from '../support/requests.ts';
import { recordsOf } from '../representations/recorded.ts';
import { anyTitle } from './random-repository.ts';
import {
  fileRecord,
  imageOf,
  mediaRecord,
  nodeRecord,
  refer,
  storePicture,
  termRecord,
  withRecords,
} from './records.ts';
import type { BlobReference, Entity, Fields } from '../../src/openapi/openapi-records.ts';

let atoll: TestAtoll;
let picture: BlobReference;
let world: World;

beforeAll(async () => {
  atoll = await createTestAtoll({ app: { locate: inOneWorld(() => world) } });
  world = atoll.world();
});

const hold = (...entities: readonly Entity[]): void => {
  world = withRecords(atoll.world(), entities);
};
const visitors: readonly Visitor[] = [anonymous, basic('blocked'), ...accountNames.map((name) => basic(name))];
const read = (visitor: Visitor, path: string, format = 'json', method = 'GET'): Promise<Response> =>
  visit(atoll, visitor, method, `${path}?_format=${format}`).then((response) => response);
const linesOf = ({ headers }: Response): unknown => headers['link'];
const hidden: Fields = { status: [{ value: false }], uid: refer([1]) };

describe('Z05: what the requester may not see', () => {
  const plainNode = { field_member_of: refer([2]), field_subject: refer([101]) };
  const fullNode = { field_member_of: refer([2, 3]), field_subject: refer([101, 102]) };
  const shown = [
    nodeRecord(2),
    termRecord(101, 'subject', 'Shown'),
    mediaRecord(1, 1),
    mediaRecord(4, 1, { field_media_use: refer([17]) }),
  ];
  const concealed = [
    nodeRecord(3, hidden),
    termRecord(102, 'subject', 'Concealed', hidden),
    termRecord(103, 'islandora_media_use', 'Secret use', hidden),
    mediaRecord(2, 1, hidden),
    mediaRecord(3, 1, { field_media_use: refer([103]) }),
  ];

  it.each(visitors.filter(({ name }) => name !== 'admin'))(
    'leaves the Link header of $label as if it had never been',
    async (visitor) => {
      hold(nodeRecord(1, plainNode), ...shown);
      const never = await read(visitor, '/node/1');
      hold(nodeRecord(1, fullNode), ...shown, ...concealed);
      const there = await read(visitor, '/node/1');
      expect([never.status, there.status]).toEqual([200, 200]);
      expect(linesOf(there)).toEqual(linesOf(never));
      expect(linesOf(there)).not.toMatch(/Concealed|Secret|node\/3>|media\/2>/);
    },
  );

  it('would be told by a server without the view check, and this test would say so (control)', () => {
    const blind = (...entities: readonly Entity[]): string => {
      const { site, baseUrl, access } = world;
      const records = recordsOf(entities);
      const [node = nodeRecord(1)] = entities;
      const context = linkContextOf({ site, baseUrl }, { principal: access.anonymous, records, type: 'node' }, 'json');
      return linkHeadersOf(node, { ...context, canView: () => true }).join();
    };
    const never = blind(nodeRecord(1, plainNode), ...shown);
    const there = blind(nodeRecord(1, fullNode), ...shown, ...concealed);
    expect(there).not.toEqual(never);
    expect(there).toMatch(/Concealed.*Secret use/);
  });
});

describe('Z08: the formats', () => {
  const alternates = (response: Response): string[] => targetsOf(response, 'alternate').map(pathOf);

  it('are not advertised when the site has switched them off, neither in Link nor in the linkset', async () => {
    const onlyJson = await createTestAtoll({
      site: (site) => {
        const node = site.resources.get('node');
        const get = node?.methods.get('GET');
        if (node === undefined || get === undefined) throw new Error('The default site reads nodes.');
        const methods = new Map([...node.methods, ['GET', { ...get, formats: ['json'] as const }] as const]);
        return { ...site, resources: new Map([...site.resources, ['node', { ...node, methods }] as const]) };
      },
    });
    const node = await onlyJson.send('GET', '/node/5?_format=json');
    expect([node.status, alternates(node)]).toEqual([200, []]);
    const linkset = await onlyJson.send('GET', '/node/5/linkset');
    expect(linkset.status).toBe(200);
    expect(linkset.text).not.toContain('jsonld');
    expect((await onlyJson.send('GET', '/node/5?_format=jsonld')).status).toBe(406);
    expect(alternates(await onlyJson.send('GET', '/media/1?_format=json', 'viewer'))).toHaveLength(1);
  });

  it('of a site that does not read nodes have no linkset either', async () => {
    const blind = await createTestAtoll({
      site: (site) => {
        const node = site.resources.get('node');
        if (node === undefined) throw new Error('The default site has nodes.');
        const methods = new Map([...node.methods].filter(([method]) => method !== 'GET'));
        return { ...site, resources: new Map([...site.resources, ['node', { ...node, methods }] as const]) };
      },
    });
    expect((await blind.send('GET', '/node/5/linkset')).status).toBe(404);
    expect((await blind.send('GET', '/media/1/linkset', 'viewer')).status).toBe(200);
  });
});

describe('Z09: edit-media', () => {
  it.each(visitors)('is there for $label exactly when the source takes their bytes', async (visitor) => {
    await atoll.reset();
    world = atoll.world();
    const media = await read(visitor, '/media/2');
    const [target] = targetsOf(media, 'edit-media');
    const put = await visit(atoll, visitor, 'PUT', '/media/2/source').type('image/png').send(pngBytes());
    if (media.status !== 200) expect([401, 403]).toContain(put.status);
    else if (target === undefined) expect(put.status).toBe(403);
    else expect([pathOf(target), put.status]).toEqual(['/media/2/source', 204]);
  });
});

describe('Z10: describes', () => {
  it.each(visitors)('leads $label to bytes, or is not there', async (visitor) => {
    picture = await storePicture(atoll.world());
    const { type, id: lostId, uuid, bundle, fields } = fileRecord(3, 'public://lost.png', picture);
    const withoutBytes = { type, id: lostId, uuid, bundle, fields };
    hold(
      nodeRecord(1),
      fileRecord(1, 'public://a b.png', picture),
      fileRecord(2, 'fedora://ü/c.png', picture),
      withoutBytes,
      mediaRecord(1, 1, imageOf(1)),
      mediaRecord(2, 1, imageOf(2)),
      mediaRecord(3, 1, imageOf(3)),
      mediaRecord(4, 1, imageOf(4)),
      mediaRecord(5, 1, { ...imageOf(2), ...hidden, uid: refer([6]) }),
    );
    const found: number[] = [];
    for (const id of [1, 2, 3, 4, 5]) {
      const media = await read(visitor, `/media/${id}`);
      const links = linksOf(media).filter(({ rel }) => rel === 'describes');
      for (const { uri, type } of links) {
        const content = await visit(atoll, visitor, 'GET', uri);
        expect([uri, content.status, content.headers['content-type']]).toEqual([uri, 200, type]);
        found.push(id);
      }
    }
    const mayView = ['viewer', 'editor', 'owner', 'admin'].includes(visitor.name ?? '');
    const ownToo = ['owner', 'admin'].includes(visitor.name ?? '');
    expect(found).toEqual([...(mayView ? [1, 2] : []), ...(ownToo ? [5] : [])]);
  });
});

/** Control characters cannot stand in a header, lone surrogates in no text. */
const asTitle = (title: string): string => title.replace(/\p{Cc}/gu, '').replace(/\p{Surrogate}/gu, '\uFFFD');

describe('I15: a title of any text', () => {
  const titles = [
    'a "b" \\ c',
    'a, b; c="d"',
    '<http://evil/>; rel="preload"',
    'one\r\nSet-Cookie: a=b\r\n\r\n<html>',
    'tab\there',
    'Orvéa ✓ 林',
    '🎵👩‍👩‍👧',
    'منارة رأس الأطيش',
    'x"\\,'.repeat(1024),
    '',
    "UTF-8''%22",
  ];

  const titleSeen = async (title: string): Promise<void> => {
    hold(nodeRecord(1, { field_subject: refer([101]) }), termRecord(101, 'subject', title));
    const response = await read(anonymous, '/node/1');
    expect([title, response.status]).toEqual([title, 200]);
    const links = linksOf(response);
    expect(links.map(({ rel }) => rel.replace(/.*\//, ''))).toEqual(
      'canonical delete-form delete-multiple-form edit-form version-history revision create tag tag alternate'.split(
        ' ',
      ),
    );
    expect(links.find(({ uri }) => uri.endsWith('/term/101'))?.title).toBe(asTitle(title));
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(linesOf(response)).toMatch(/^[\x20-\x7e]*$/);
  };

  it.each(titles)('%j comes back through the Link header, and nothing else comes of it', titleSeen);

  it('comes back whatever chance makes of it', async () => {
    await fc.assert(fc.asyncProperty(anyTitle, titleSeen), { numRuns: 40 });
  });

  it.each(['a "b" é', 'é✓'.repeat(820)])(
    'stands whole in the linkset, even when no header can hold it: %j',
    async (title) => {
      hold(nodeRecord(1, { field_subject: refer([101]) }), termRecord(101, 'subject', title));
      const bounded = await read(anonymous, '/node/1');
      expect(String(linesOf(bounded)).includes('rel="linkset"')).toBe(title.length > 100);
      const complete = await visit(atoll, anonymous, 'GET', '/node/1/linkset');
      expect(complete.body).toMatchObject({ linkset: [{ tag: [{}, { title }] }] });
    },
  );
});

describe('I16: an external URI', () => {
  const local = 'http://localhost:8000/taxonomy/term/101';

  it.each([
    ['javascript:alert(1)', local],
    ['data:text/html,x', local],
    ['//example.org/x', local],
    ['/relative', local],
    ['http:///nowhere', local],
    ['http://x/>; rel="preload"', 'http://x/%3E;%20rel=%22preload%22'],
    ['http://x/a b', 'http://x/a%20b'],
    ['http://x/é', 'http://x/%C3%A9'],
    ['https://x/\r\nSet-Cookie: a=b', 'https://x/%0D%0ASet-Cookie:%20a=b'],
    [`http://x/${'y'.repeat(5000)}`, `http://x/${'y'.repeat(5000)}`],
    [`http://x/${'é'.repeat(9000)}`, undefined],
  ])('%j leads where it may, and stays one link', async (uri, target) => {
    const uris = { field_external_uri: [{ uri, title: '' }] };
    hold(nodeRecord(1, { field_subject: refer([101]) }), termRecord(101, 'islandora_models', 'T', uris));
    const response = await read(anonymous, '/node/1');
    expect(response.status).toBe(200);
    const tags = linksOf(response).filter(({ rel, title }) => rel === 'tag' && title === 'T');
    expect(tags.map((tag) => tag.uri)).toEqual(target === undefined ? [] : [target]);
    expect(linesOf(response)).not.toMatch(/rel="preload"/);
    // What is too long for a header is in the linkset.
    expect(targetsOf(response, 'linkset')).toHaveLength(target === undefined ? 1 : 0);
    expect((await visit(atoll, anonymous, 'GET', '/node/1/linkset')).status).toBe(200);
  });
});

const rawHeaderBytes = (response: Response): number => {
  const { rawHeaders } = (response as unknown as { res: { rawHeaders: string[] } }).res; // superagent's own response holds Node's
  return rawHeaders.reduce((sum, text) => sum + Buffer.byteLength(text) + 2, 17);
};

describe.each([10, 60, 200, 1000, 10_000])('I17: a node with %i media', (count) => {
  beforeAll(() => {
    hold(nodeRecord(1), ...Array.from({ length: count }, (_, at) => mediaRecord(at + 1, 1)));
  });

  it.each(visitors)(
    'answers $label within 16,000 bytes of header, HEAD alike, the rest in the linkset',
    async (visitor) => {
      const seesMedia = ['viewer', 'editor', 'owner', 'admin'].includes(visitor.name ?? '');
      const response = await read(visitor, '/node/1');
      expect([response.status, rawHeaderBytes(response) <= 16_000]).toEqual([200, true]);
      expect(linesOf(await read(visitor, '/node/1', 'json', 'HEAD'))).toBe(linesOf(response));
      const media = targetsOf(response, 'related', 'Original File');
      const [linkset] = targetsOf(response, 'linkset');
      expect(linkset === undefined).toBe(!seesMedia || count === 10);
      expect(linksOf(response).length).toBeLessThanOrEqual(60);
      if (!seesMedia) expect(media).toEqual([]);
      else if (linkset === undefined) expect(media).toHaveLength(count);
      else {
        const complete = await visit(atoll, visitor, 'GET', linkset);
        const [{ related }] = (complete.body as { linkset: [{ related: { href: string }[] }] }).linkset; // held to the schema by the engine
        expect(related).toHaveLength(count);
        expect(related.map(({ href }) => href)).toEqual(expect.arrayContaining(media));
      }
    },
  );
});

describe('I39: circles', () => {
  it('of nodes that are members of themselves or of each other end, in links and in jsonld', async () => {
    const memberOf = (...ids: number[]): Fields => ({ field_member_of: refer(ids) });
    const members = Array.from({ length: 1000 }, (_, at) => nodeRecord(at + 10, memberOf(1)));
    hold(nodeRecord(1, memberOf(1)), nodeRecord(2, memberOf(3)), nodeRecord(3, memberOf(2)), ...members);
    for (const [id, parent] of [
      [1, 1],
      [2, 3],
      [3, 2],
      [500, 1],
    ] as const) {
      // prettier-ignore
      const json = await read(anonymous, `/node/${id}`);
      expect(targetsOf(json, 'related').map(pathOf)).toEqual([`/node/${parent}`]);
      const jsonld = await read(anonymous, `/node/${id}`, 'jsonld');
      const graph = (jsonld.body as { '@graph': { '@id': string }[] })['@graph']; // held to the schema by the engine
      const nodes = graph.map((each) => pathOf(each['@id'])).filter((path) => path.startsWith('/node/'));
      expect(nodes).toEqual([...new Set([`/node/${id}`, `/node/${parent}`])]);
    }
  });
});

describe('what is kept of an answer', () => {
  it('is never stale: links go and come with what they lead to', async () => {
    await atoll.reset();
    world = atoll.world();
    const viewer = basic('viewer');
    const seen = async (): Promise<string> => {
      // An answer is kept after it was asked for before.
      await read(viewer, '/node/5');
      await read(viewer, '/node/5');
      return String(linesOf(await read(viewer, '/node/5')));
    };
    const publish = (key: 'media:1' | 'node:2' | 'taxonomy_term:18' | 'taxonomy_term:27', value: boolean) =>
      world.store.transact([key], (view) => {
        const entity = view.get(key);
        if (entity === undefined) throw new Error(`${key} is not in the fixture.`);
        return {
          changes: [{ put: { ...entity, fields: { ...entity.fields, status: [{ value }] } } }],
          result: undefined,
        };
      });
    const all = await seen();
    for (const [key, trace] of [
      ['media:1', '/media/1>'],
      ['node:2', 'Member of'],
      ['taxonomy_term:18', 'Service File'],
      ['taxonomy_term:27', 'Harbours'],
    ] as const) {
      expect(all).toContain(trace);
      await publish(key, false);
      expect(await seen()).not.toContain(trace);
      await publish(key, true);
      expect(await seen()).toBe(all);
    }
  });
});
