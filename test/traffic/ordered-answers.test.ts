/** A request whose answer was ordered, by a fault on demand or by `Prefer`, is judged by itself against the document. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { components } from '../../src/client/generated/control.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';

type Schemas = components['schemas'];
type Entry = Schemas['TrafficEntry'];

let atoll: TestAtoll;

beforeAll(async () => {
  atoll = await createTestAtoll();
});

beforeEach(async () => {
  await atoll.reset();
  await atoll.send('delete', '/_atoll/traffic').expect(204);
  await atoll.send('delete', '/_atoll/faults').expect(204);
});

const last = async (): Promise<Entry> => {
  const body: unknown = (await atoll.send('get', '/_atoll/traffic?limit=1').expect(200)).body;
  const [entry] = (body as Schemas['TrafficPage']).entries;
  if (entry === undefined) throw new Error('Nothing is remembered.');
  return entry;
};

/** The verdict on the last request, and the rules that it broke. */
const verdict = async (): Promise<readonly unknown[]> => {
  const { verdict: given, requestFaults } = await last();
  return [given.request, ...requestFaults.map(({ rule, pointer }) => `${rule} ${pointer}`)];
};

const brokenCount = async (): Promise<unknown> =>
  (await atoll.send('get', '/_atoll/traffic/count?verdict=broken').expect(200)).body;

const addFault = async (fault: object): Promise<void> => {
  await atoll.send('post', '/_atoll/faults').send(fault).expect(201);
};

const retitled = { type: [{ target_id: 'islandora_object' }], title: [{ value: 'Another title' }] };
const patch = (body: object | string = retitled, type = 'application/json') =>
  atoll.send('patch', '/node/1?_format=json', 'admin').set('Content-Type', type).send(body);

const refusals = [400, 401, 403, 404, 406, 408, 409, 413, 415, 416, 422, 429, 500, 503];

describe('A valid request', () => {
  it.each(refusals)('keeps the contract when the header of a fault asks for a %d', async (status) => {
    await patch().set('Atoll-Fault', `status;status=${status}`).expect(status);
    expect([await verdict(), await brokenCount()]).toEqual([['kept'], { count: 0, dropped: 0, lost: 0 }]);
  });

  it.each(refusals)('keeps the contract when an added fault answers with %d', async (status) => {
    await addFault({ fault: 'status', parameters: { status } });
    await patch().expect(status);
    expect(await verdict()).toEqual(['kept']);
  });

  it.each([400, 403, 404, 413, 415, 422])('keeps the contract when it prefers the mock of a %d', async (status) => {
    await patch().set('Prefer', `code=${status}`).expect(status);
    expect(await verdict()).toEqual(['kept']);
  });

  it('keeps the contract with an order that nothing can carry out: 400', async () => {
    await patch().set('Atoll-Fault', 'nothing-of-the-kind').expect(400);
    expect(await verdict()).toEqual(['kept']);
    await patch().set('Prefer', 'code=999').expect(400);
    expect(await verdict()).toEqual(['kept']);
  });

  it('keeps the contract when a fault has removed what it refers to: 422', async () => {
    const subject = { type: retitled.type, field_subject: [{ target_id: 43, target_type: 'taxonomy_term' }] };
    const change = () => atoll.send('patch', '/node/5?_format=json', 'admin').send(subject);
    await addFault({
      ...{ fault: 'link-target-deleted', operations: ['getNode'] },
      parameters: { relation: 'tag', title: 'Saltmarsh Quay' },
    });
    await atoll.send('get', '/node/1?_format=json').expect(200);
    await change().expect(422);
    expect(await verdict()).toEqual(['kept']);
    await atoll.send('delete', '/_atoll/faults').expect(204);
    await change().expect(200);
  });

  it('keeps the contract with an upload that is refused or cut on order', async () => {
    const put = () => atoll.send('put', '/media/1/source', 'admin').set('Content-Type', 'image/jpeg');
    for (const status of [400, 413, 415, 422]) {
      await put().set('Atoll-Fault', `status;status=${status}`).send(Buffer.alloc(9, 1)).expect(status);
      expect(await verdict()).toEqual(['kept']);
    }
  });

  it('keeps the contract at the alias of a record, which the document does not have', async () => {
    const alias = { path: [{ value: '/node/1' }], alias: [{ value: '/an-alias' }] };
    await atoll.send('post', '/entity/path_alias?_format=json', 'admin').send(alias).expect(201);
    await atoll.send('get', '/an-alias?_format=json').expect(200);
    await atoll.send('get', '/an-alias?_format=json').set('Atoll-Fault', 'status;status=404').expect(404);
    expect(await verdict()).toEqual(['kept']);
  });

  it('keeps the contract as a page that a browser asks for', async () => {
    const page = () => atoll.send('get', '/node/1').set('Accept', 'text/html');
    await page().set('Atoll-Fault', 'status;status=406').expect(406);
    expect(await verdict()).toEqual(['kept']);
  });
});

describe('An invalid request that an ordered fault answers', () => {
  const by = (order: readonly [string, string]) => ({
    body: () => patch({ title: 5 }).set(...order),
    syntax: () => patch('{"title":').set(...order),
    scalar: () => patch('5').set(...order),
    type: () => patch('title', 'text/plain').set(...order),
    format: () => atoll.send('get', '/node/1?_format=xml').set(...order),
    method: () => atoll.send('put', '/node/1', 'admin').set(...order),
    path: () => atoll.send('get', '/nodes/1?_format=json').set(...order),
  });
  const broken: readonly (readonly [keyof ReturnType<typeof by>, string])[] = [
    ['body', 'type /requestBody/title'],
    ['syntax', 'content /requestBody'],
    ['scalar', '/requestBody'],
    ['type', 'content /header/content-type'],
    ['format', 'enum /query/_format'],
    ['method', 'method /method'],
    ['path', 'paths /path'],
  ];

  it.each(broken)('breaks the contract with its %s all the same: 503', async (part, rule) => {
    await by(['Atoll-Fault', 'status;status=503'])[part]().expect(503);
    const [given, ...rules] = await verdict();
    expect([given, rules.join()]).toEqual(['broken', expect.stringContaining(rule)]);
  });

  it.each(broken)('breaks the contract with its %s when the answer only comes late', async (part, rule) => {
    await by(['Atoll-Fault', 'latency;ms=1'])[part]();
    const [given, ...rules] = await verdict();
    expect([given, rules.join()]).toEqual(['broken', expect.stringContaining(rule)]);
  });

  it('is named with the line of the document, and corrected: 422', async () => {
    await patch({ title: 5 }).set('Atoll-Fault', 'status;status=422').expect(422);
    const { requestFaults, corrected } = await last();
    expect(requestFaults[0]?.document?.line).toEqual(expect.any(Number));
    expect(corrected).toEqual(expect.stringContaining('PATCH'));
  });

  it('breaks the contract when it prefers a mock: 200', async () => {
    await patch({ title: 5 }).set('Prefer', 'code=200').expect(200);
    expect((await verdict())[0]).toBe('broken');
  });

  it('is not judged for what only the repository can say: an id that is none, 404', async () => {
    await atoll.send('get', '/node/none?_format=json').set('Atoll-Fault', 'status;status=404').expect(404);
    expect(await verdict()).toEqual(['kept']);
  });
});
