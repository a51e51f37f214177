/** `GET /node/{node_id}/media` and `/members`: which records are listed, in which order and for whom. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createTestAtoll } from '../support/atoll.ts';
import { messageOf } from '../support/requests.ts';

const atoll = await createTestAtoll();
beforeEach(() => atoll.reset());

type Shown = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
const idsIn = (response: { body: unknown }, field: string): unknown[] =>
  (response.body as Shown[]).map((record) => record[field]?.[0]?.['value']); // a list of records, checked by the engine

describe('GET /node/{node_id}/media', () => {
  it('answers 200 with the record of each media, by id', async () => {
    const listed = await atoll.send('GET', '/node/5/media?_format=json', 'viewer').expect(200);
    const alone = await Promise.all(
      [1, 2, 3].map((id) => atoll.send('GET', `/media/${id}?_format=json`, 'viewer').expect(200)),
    );
    expect(listed.body).toEqual(alone.map(({ body }): unknown => body));
    expect(listed.headers).not.toHaveProperty('link');
  });

  it('answers 200 with a graph for each media in jsonld', async () => {
    const listed = await atoll.send('GET', '/node/5/media?_format=jsonld', 'viewer').expect(200);
    expect(listed.headers['content-type']).toBe('application/ld+json');
    const alone = await Promise.all(
      [1, 2, 3].map((id) => atoll.send('GET', `/media/${id}?_format=jsonld`, 'viewer').expect(200)),
    );
    const graphs = alone.map(({ text }): unknown => JSON.parse(text));
    expect(JSON.parse(listed.text)).toEqual(graphs);
  });

  it('lists in JSON when no format is asked for', async () => {
    expect(idsIn(await atoll.send('GET', '/node/5/media', 'viewer').expect(200), 'mid')).toEqual([1, 2, 3]);
  });

  it('leaves out media that the requester may not view, all of them for anonymous visitors', async () => {
    expect(idsIn(await atoll.send('GET', '/node/26/media', 'viewer').expect(200), 'mid')).toEqual([50, 51, 52]);
    expect(idsIn(await atoll.send('GET', '/node/26/media', 'admin').expect(200), 'mid')).toEqual([50, 51, 52, 53]);
    expect((await atoll.send('GET', '/node/26/media').expect(200)).body).toEqual([]);
  });

  it('answers 200 with an empty list for a node without media', async () => {
    expect((await atoll.send('GET', '/node/1/media?_format=json', 'admin').expect(200)).body).toEqual([]);
  });
});

describe('GET /node/{node_id}/members', () => {
  it('answers 200 with the record of each member that the requester may view, by id', async () => {
    const listed = await atoll.send('GET', '/node/1/members?_format=json').expect(200);
    expect(idsIn(listed, 'nid')).toEqual([2, 3, 4, 9, 15, 26, 29]);
    const [first] = listed.body as unknown[]; // a list of records, checked by the engine
    expect(first).toEqual((await atoll.send('GET', '/node/2?_format=json').expect(200)).body);
    expect(idsIn(await atoll.send('GET', '/node/1/members', 'admin').expect(200), 'nid')).toEqual([
      2, 3, 4, 9, 15, 23, 26, 27, 29,
    ]);
  });

  it('answers 200 with a graph for each member in jsonld', async () => {
    const listed = JSON.parse(
      (await atoll.send('GET', '/node/23/members?_format=jsonld', 'admin').expect(200)).text,
    ) as unknown[];
    const alone: unknown = JSON.parse((await atoll.send('GET', '/node/24?_format=jsonld').expect(200)).text);
    expect(listed).toEqual([alone]);
  });

  it('answers 200 with an empty list for a node without members', async () => {
    expect((await atoll.send('GET', '/node/5/members?_format=json').expect(200)).body).toEqual([]);
  });
});

describe('GET /node/{node_id}/members of a site whose nodes have a weight', () => {
  it('answers 200 with the members by weight, those without one first', async () => {
    const { site } = atoll;
    const node = site.model.bundle('node', 'islandora_object');
    const term = site.model.bundle('taxonomy_term', 'subject')?.fields.get('weight');
    if (node === undefined || term === undefined) throw new Error('The default site has changed');
    const weight = { ...term, name: 'field_weight', configured: true, required: false, default: undefined };
    const fields = new Map([...node.fields, [weight.name, weight]]);
    const model: typeof site.model = {
      bundle: (type, id) => (type === 'node' && id === node.id ? { ...node, fields } : site.model.bundle(type, id)),
      bundles: (type) => (type === 'node' ? [{ ...node, fields }] : site.model.bundles(type)),
    };
    const weighted = await createTestAtoll({ site: (loaded) => ({ ...loaded, model }) });
    for (const [id, value] of [
      [5, 7],
      [6, -1],
      [8, 3],
    ] as const) {
      await weighted
        .send('PATCH', `/node/${id}?_format=json`, 'admin')
        .send({ type: [{ target_id: 'islandora_object' }], field_weight: [{ value }] })
        .expect(200);
    }
    const listed = await weighted.send('GET', '/node/2/members?_format=json').expect(200);
    expect(idsIn(listed, 'nid')).toEqual([10, 22, 25, 28, 30, 6, 8, 5]);
  });
});

describe.each(['media', 'members'])('GET /node/{node_id}/%s', (what) => {
  it('answers 404 for a node that does not exist, with its own path', async () => {
    expect(messageOf(await atoll.send('GET', `/node/9999/${what}?_format=json`, 'admin').expect(404))).toBe(
      `The "node" parameter was not converted for the path "/node/{node}/${what}" (route name: "view.${what}_of_node")`,
    );
  });

  it('answers 401 or 403 for a node that may not be viewed, and 200 to its owner', async () => {
    await atoll.send('GET', `/node/11/${what}?_format=json`).expect(401);
    for (const format of ['json', 'jsonld']) {
      expect(messageOf(await atoll.send('GET', `/node/11/${what}?_format=${format}`, 'viewer').expect(403))).toBe('');
    }
    await atoll.send('GET', `/node/11/${what}?_format=json`, 'owner').expect(200);
  });

  it('answers 406 for a format that it does not have', async () => {
    const response = await atoll.send('GET', `/node/5/${what}?_format=xml`).expect(406);
    expect(messageOf(response)).toBe('No route found for the specified format xml. Supported formats: jsonld, json.');
    expect(response.headers['link']).toContain(`/node/5/${what}?_format=jsonld>; rel="alternate"`);
  });
});
