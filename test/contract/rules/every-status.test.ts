/** Statuses of the document that need trouble: a store that fails, a body that stalls, sizes beyond the limits. */
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readContract } from '../../support/site-sources.ts';
import type { World } from '../../../src/repository/repository.ts';
import { type Document, examplesOf, locate } from '../../support/document-view.ts';
import { createTestAtoll, root, type TestAtoll } from '../../support/atoll.ts';
import { anonymous, basic, sendJson, visit } from '../../support/requests.ts';
import { type Served, serveOnPort } from '../../support/server.ts';
import { dereference } from '../../../src/openapi/openapi-parts.ts';
import { outOfSpace, unavailable } from '../../../src/openapi/openapi-terms.ts';
import type { Entity } from '../../../src/openapi/openapi-records.ts';

let atoll: TestAtoll;
const admin = basic('admin');

beforeAll(async () => {
  atoll = await createTestAtoll({
    site: (site) => ({
      ...site,
      maxJsonBytes: 2000,
      maxUploadBytes: 2000,
      uploads: { ...site.uploads, idleSeconds: 0.02, minBytesPerSecond: 0 },
    }),
  });
});
/** An operation as its examples ask for it. `json` is undefined without a body of JSON; `headers` are those of the body. */
type Described = {
  id: string;
  method: string;
  address: string;
  headers: Record<string, string>;
  json: unknown;
  statuses: string[];
};
const document = dereference(await readContract(join(root, 'openapi.yaml'))) as unknown as Document; // checked by its own tests
const operations = locate(document).map(({ path, method, item, operation: each }): Described => {
  const parameters = [...(item.parameters ?? []), ...(each.parameters ?? [])];
  const exampleOf = (place: string): [string, string][] =>
    parameters.filter((one) => one.in === place).map(({ name, example }) => [name, String(example)]);
  const [type, media = {}] = Object.entries(each.requestBody?.content ?? {})[0] ?? [];
  return {
    id: each.operationId,
    method,
    address: exampleOf('path').reduce((made, [name, example]) => made.replace(`{${name}}`, example), path),
    headers: type === undefined ? {} : { 'Content-Type': type, ...Object.fromEntries(exampleOf('header')) },
    json: type === 'application/json' ? examplesOf(media)[0]?.[1] : undefined,
    statuses: Object.keys(each.responses),
  };
});
const having = (status: string): [string, Described][] =>
  operations.filter(({ statuses }) => statuses.includes(status)).map((operation) => [operation.id, operation]);
/** The starter content has neither: these are the ones that the addresses of the examples name. */
const addresses: readonly Entity[] = [
  {
    ...{ type: 'path_alias', bundle: 'path_alias', id: 1, uuid: '5b1f7c5e-6a52-4f83-8c4b-0d6f1a2b3c1d' },
    fields: {
      ...{ revision_id: [{ value: 1 }], langcode: [{ value: 'und' }], status: [{ value: true }] },
      ...{ path: [{ value: '/node/5' }], alias: [{ value: '/every' }] },
    },
  },
  {
    ...{ type: 'redirect', bundle: 'redirect', id: 1, uuid: '5b1f7c5e-6a52-4f83-8c4b-0d6f1a2b3c2d' },
    fields: {
      ...{ enabled: [{ value: true }], hash: [{ value: 'a' }], language: [{ value: 'en' }], created: [{ value: 1 }] },
      ...{ redirect_source: [{ path: 'each' }], redirect_redirect: [{ uri: 'internal:/node/5' }] },
      status_code: [{ value: 301 }],
    },
  },
];
beforeEach(async () => {
  const { store } = await atoll.reset();
  await store.transact([], () => ({ changes: addresses.map((put) => ({ put })), result: undefined }));
});

/** Without it the page of the term takes the request. */
const needsFormat = (id: string): boolean => id === 'updateTerm' || id === 'deleteTerm';

/** A request that would do what the operation does, as the administrator. */
const ask = ({ id, method, address, headers, json }: Described, visitor = admin) => {
  const formatted = ['get', 'head'].includes(method) || needsFormat(id) ? `${address}?_format=json` : address;
  if (json !== undefined) return sendJson(atoll, visitor, method, formatted, json);
  const request = visit(atoll, visitor, method, formatted).set(headers);
  return 'Content-Type' in headers ? request.send('These are the notes.') : request;
};

const failingReads = (world: World, error: Error): void => {
  world.store.getMany = () => Promise.reject(error);
  world.store.lookupMany = () => Promise.reject(error);
  // A store far away: nothing is at hand.
  Object.assign(world.store, { present: undefined });
};

describe('a store that cannot be read', () => {
  it.each(having('500'))('%s is 500, without a word about why', async (id, operation) => {
    failingReads(atoll.world(), new Error('the secret of the disk'));
    const response = await ask(operation);
    expect(response.status).toBe(500);
    expect(response.type).toBe('application/json');
    if (operation.method !== 'head') {
      expect(response.body).toEqual({ message: 'The website encountered an unexpected error. Try again later.' });
    }
    expect(atoll.events.filter(({ kind }) => kind === 'failed').length).toBeGreaterThan(0);
    expect(id).toBe(operation.id);
  });

  it.each(having('503'))('%s is 503 when it says that it is busy', async (_id, operation) => {
    failingReads(atoll.world(), unavailable('Too many logins at once. Try again later.'));
    const response = await ask(operation);
    expect(response.status).toBe(503);
    if (operation.method !== 'head') {
      expect(response.body).toEqual({ message: 'Too many logins at once. Try again later.' });
    }
  });
});

describe('a store that cannot be written', () => {
  it.each(having('507'))('%s is 507 where there is no space, and 503 where writing is off', async (_id, operation) => {
    const world = atoll.world();
    world.store.transact = () => Promise.reject(outOfSpace());
    const full = await ask(operation);
    expect([full.status, full.body]).toEqual([507, { message: 'There is no space left to store this.' }]);
    world.store.transact = () => Promise.reject(unavailable('Writing is off since a sync failed; it needs a restart.'));
    expect((await ask(operation)).status).toBe(503);
    expect((await atoll.send('GET', '/node/5?_format=json')).status).toBe(200);
  });
});

describe('a body that is too large', () => {
  it.each(having('413'))('%s is 413', async (id, { method, address, headers }) => {
    const path = `${address}${needsFormat(id) ? '?_format=json' : ''}`;
    const request = visit(atoll, id === 'login' ? anonymous : admin, method, path);
    const response = await request.set(headers).send(' '.repeat(2001));
    expect([response.status, response.body]).toEqual([413, { message: 'The request body is larger than 2000 bytes.' }]);
  });
});

describe('a body that stops arriving', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serveOnPort(atoll);
  });
  afterAll(() => served.stop());

  /** The head and the first byte, and then nothing. */
  const stall = (operation: Described): Promise<{ status: number; body: string }> => {
    const { id, method, address: path } = operation;
    const headers = { ...(id === 'login' ? {} : admin.headers), ...operation.headers, 'Content-Length': '100' };
    return new Promise((resolve, reject) => {
      const sent = httpRequest({
        port: served.port,
        host: '127.0.0.1',
        method: method.toUpperCase(),
        path,
        headers,
        agent: false,
      });
      sent.on('response', (response) => {
        let body = '';
        response.on('data', (piece: Buffer) => (body += piece.toString()));
        response.on('end', () => {
          sent.destroy();
          resolve({ status: response.statusCode ?? 0, body });
        });
      });
      sent.on('error', reject);
      sent.write('{');
    });
  };

  it.each(having('408'))('%s is 408, and stores nothing', async (_id, operation) => {
    const { status, body } = await stall(operation);
    expect(status).toBe(408);
    expect(JSON.parse(body)).toMatchObject({ message: expect.stringContaining('no progress') });
    const { total } = await atoll.world().store.list('file', { offset: 0, limit: 1 });
    expect(total).toBe(66);
  });
});
