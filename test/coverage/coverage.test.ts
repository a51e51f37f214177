/** What counts as met of the contract, through the front door. How counts are added up stands in `figures.test.ts`. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CoverageMetric } from '../../src/contract/coverage/coverage-figures.ts';
import { type CoverageRecord, coverageCells, coverageFigures } from '../../src/contract/contract-coverage.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';

let atoll: TestAtoll;

beforeAll(async () => {
  atoll = await createTestAtoll();
});

beforeEach(async () => {
  await atoll.reset();
  await atoll.send('delete', '/_atoll/coverage').expect(204);
});

const coverage = async (world = ''): Promise<CoverageRecord> => {
  const body: unknown = (await atoll.send('get', `${world}/_atoll/coverage`).expect(200)).body;
  return body as CoverageRecord;
};

/** The cells of a metric that are met, as `operation name`. */
const met = (record: CoverageRecord, metric: CoverageMetric): string[] =>
  coverageCells(record, metric).flatMap(({ operation, name, count }) => (count > 0 ? [`${operation} ${name}`] : []));

describe('An answer that a client has met', () => {
  it('counts with operation, status, media type and every role of who asked', async () => {
    await atoll.send('get', '/node/1?_format=json').expect(200);
    await atoll.send('get', '/node/1?_format=jsonld', 'editor').expect(200);
    await atoll.send('get', '/node/999?_format=json').expect(404);
    const record = await coverage();
    expect(record.answers).toEqual([
      { operation: 'getNode', status: 200, mediaType: 'application/json', identities: ['anonymous'], count: 1 },
      {
        operation: 'getNode',
        status: 200,
        mediaType: 'application/ld+json',
        identities: ['authenticated', 'editor'],
        count: 1,
      },
      { operation: 'getNode', status: 404, mediaType: 'application/json', identities: ['anonymous'], count: 1 },
    ]);
    expect(met(record, 'operations')).toEqual(['getNode GET /node/{node_id}']);
    expect(met(record, 'statuses')).toEqual(['getNode 200', 'getNode 404']);
    expect(met(record, 'errors')).toEqual(['getNode 404']);
    expect(met(record, 'identities')).toEqual(['getNode anonymous', 'getNode authenticated', 'getNode editor']);
    expect(met(record, 'media-types')).toEqual([
      'getNode 200 application/json',
      'getNode 200 application/ld+json',
      'getNode 404 application/json',
    ]);
  });

  it('counts when it has no body, when it has bytes, and when it was kept from before: 204, 200', async () => {
    await atoll.send('delete', '/node/1?_format=json', 'admin').expect(204);
    await atoll.send('get', '/sites/default/files/2024-05/nothing.txt').expect(404);
    for (let times = 0; times < 5; times += 1) await atoll.send('get', '/node/2?_format=json').expect(200);
    const record = await coverage();
    expect(record.answers.find(({ status }) => status === 204)).toMatchObject({
      operation: 'deleteNode',
      mediaType: null,
    });
    expect(record.answers.find(({ operation }) => operation === 'getNode')?.count).toBe(5);
    expect(met(record, 'statuses')).toEqual(['getNode 200', 'deleteNode 204', 'getPublicContent 404']);
  });

  it('counts for HEAD as the operation of its own, and never for OPTIONS or what there is not', async () => {
    await atoll.send('head', '/node/1?_format=json').expect(200);
    await atoll.send('options', '/node/1').expect(200);
    await atoll.send('get', '/nothing').expect(404);
    expect(met(await coverage(), 'operations')).toEqual(['headNode HEAD /node/{node_id}']);
  });

  it('does not count when it breaks the contract, nor when it is a fault that the document does not have', async () => {
    const broken = await createTestAtoll({
      app: {
        checkReplies: 'log',
        handlers: {
          getNode: () => () => ({ status: 200 as const, mediaType: 'application/json' as const, body: { nid: 1 } }),
        },
      },
    });
    await broken.send('get', '/node/1?_format=json').expect(200);
    expect(((await broken.send('get', '/_atoll/coverage')).body as CoverageRecord).answers).toEqual([]);
    await atoll.send('post', '/_atoll/faults').send({ fault: 'maintenance-page' }).expect(201);
    const { headers } = await atoll.send('get', '/node/1?_format=json');
    expect(headers['content-type']).toContain('text/html');
    await atoll.send('delete', '/_atoll/faults').expect(204);
    expect((await coverage()).answers).toEqual([]);
  });

  it('counts for nobody when it was refused before anybody asked who it comes from: 406', async () => {
    await atoll.send('get', '/node/1').expect(406);
    const record = await coverage();
    expect(record.answers).toEqual([expect.objectContaining({ status: 406, identities: [] })]);
    expect(met(record, 'identities')).toEqual([]);
  });
});

describe('A link', () => {
  it('is seen in an answer, and followed by a request for its target', async () => {
    await atoll.send('get', '/node/2?_format=json').expect(200);
    const before = await coverage();
    expect(met(before, 'relations')).toContain('getNode related');
    expect(met(before, 'relations')).toContain('getNode alternate');
    expect(met(before, 'followed')).toEqual([]);
    await atoll.send('get', '/node/2?_format=jsonld').expect(200);
    expect(met(await coverage(), 'followed')).toContain('getNode alternate');
    expect(met(await coverage(), 'followed')).not.toContain('getNode related');
  });

  it('is not followed by a request that came before it was shown, or that failed', async () => {
    await atoll.send('get', '/node/2?_format=jsonld').expect(200);
    const { headers } = await atoll.send('get', '/node/2?_format=json').expect(200);
    const canonical = await coverage();
    const followedOnce = canonical.relations.filter(({ followed }) => followed > 0).map(({ relation }) => relation);
    // The second request is one for the address of the first, and for nothing else that the first has shown.
    expect(followedOnce).toEqual(expect.arrayContaining(['canonical']));
    expect(met(canonical, 'followed')).not.toContain('getNode related');
    expect(String(headers['link'])).toContain('/node/2/edit>; rel="edit-form"');
    await atoll.send('get', '/node/2/edit').expect(404);
    expect(met(await coverage(), 'followed')).not.toContain('getNode edit-form');
  });

  it('is known in a world by its prefix too', async () => {
    await atoll.send('post', '/_atoll/worlds').send({ name: 'linked' }).expect(201);
    await atoll.send('get', '/~linked/node/2?_format=json').expect(200);
    await atoll.send('get', '/~linked/node/2?_format=jsonld').expect(200);
    expect(met(await coverage('/~linked'), 'followed')).toContain('getNode alternate');
    await atoll.send('delete', '/_atoll/worlds/linked').expect(204);
  });
});

describe('The coverage of the server', () => {
  it('is the sum over all worlds, gone ones too; a world has its own, through every reset', async () => {
    await atoll.send('post', '/_atoll/worlds').send({ name: 'one' }).expect(201);
    await atoll.send('post', '/_atoll/worlds').send({ name: 'two' }).expect(201);
    await atoll.send('get', '/~one/node/1?_format=json').expect(200);
    await atoll.send('post', '/~one/_atoll/reset').expect(204);
    await atoll.send('get', '/~two/node/999?_format=json').expect(404);
    await atoll.send('get', '/media/999?_format=json').expect(404);
    expect(met(await coverage('/~one'), 'statuses')).toEqual(['getNode 200']);
    expect(met(await coverage('/~two'), 'statuses')).toEqual(['getNode 404']);
    await atoll.send('delete', '/_atoll/worlds/one').expect(204);
    expect(met(await coverage(), 'statuses')).toEqual(['getNode 200', 'getNode 404', 'getMedia 404']);
    await atoll.send('delete', '/~two/_atoll/coverage').expect(204);
    expect(met(await coverage('/~two'), 'statuses')).toEqual([]);
    await atoll.send('delete', '/_atoll/coverage').expect(204);
    expect((await coverage()).answers).toEqual([]);
    await atoll.send('delete', '/_atoll/worlds/two').expect(204);
  });
});

describe('What is offered', () => {
  it('is what the document of the site has, and each percentage stands for it', async () => {
    const record = await coverage();
    const [createNode] = record.offered.filter(({ operation }) => operation === 'createNode');
    expect(createNode).toMatchObject({ method: 'POST', path: '/node', answers: { 201: ['application/json'] } });
    expect(createNode?.identities).toEqual(expect.arrayContaining(['anonymous', 'authenticated', 'editor', 'viewer']));
    expect(record.offered.find(({ operation }) => operation === 'getPublicContent')?.identities).toEqual(['anonymous']);
    const getMedia = record.offered.find(({ operation }) => operation === 'getMedia');
    expect(getMedia?.relations).toEqual(expect.arrayContaining(['describes', 'edit-media', 'related']));
    expect(record.offered.find(({ operation }) => operation === 'getNode')?.relations).not.toContain('describes');
    for (const { met: none, of, percent } of coverageFigures(record)) {
      expect([none, percent]).toEqual([0, 0]);
      expect(of).toBeGreaterThan(0);
    }
  });
});

describe('The report', () => {
  it.each([
    ['?format=table', '', 'text/plain', /getNode +200 \(401\)/],
    ['?format=html', '', 'text/html', /<h1>Contract coverage<\/h1>/],
    [
      '?format=junit',
      '',
      'application/xml',
      /<testcase classname="operations.getNode" name="GET \/node\/\{node_id\}"\/>/,
    ],
    ['?format=markdown', '', 'text/markdown', /^# Contract coverage\n/],
    ['?format=json', 'text/html', 'application/json', /"figures"/],
    ['', 'text/html,application/xml;q=0.9', 'text/html', /<!doctype html>/],
    ['', 'text/plain', 'text/plain', /operations +1 of \d+ +4 %/],
    ['', '*/*', 'application/json', /"offered"/],
  ])('%s for Accept "%s" is %s: 200', async (query, accept, type, content) => {
    await atoll.send('get', '/node/1?_format=json').expect(200);
    const { headers, text } = await atoll.send('get', `/_atoll/coverage${query}`).set('Accept', accept).expect(200);
    expect(headers['content-type']).toContain(type);
    expect(text).toMatch(content);
  });

  it('in a format that there is not is refused: 400', async () => {
    await atoll.send('get', '/_atoll/coverage?format=pdf').expect(400);
  });
});
