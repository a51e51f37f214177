/** What the control interface answers when something of the program fails: 500 by every operation that says so. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { ControlTokenStore } from '../../src/openapi/openapi-host.ts';
import type { World } from '../../src/repository/repository.ts';
import { createTestAtoll, root, type TestAtoll } from '../support/atoll.ts';

type Described = { readonly operationId: string; readonly responses?: Readonly<Record<string, unknown>> };
type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>;

const { paths } = parse(readFileSync(join(root, 'src/server/control/openapi.yaml'), 'utf8')) as { paths: Paths }; // our own file
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId, responses = {} }]) =>
    '500' in responses ? [{ operationId, method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, '1') }] : [],
  ),
);

const bodies: Readonly<Record<string, object>> = {
  setClock: { mode: 'frozen', now: '2024-01-01T00:00:00Z' },
  advanceClock: { seconds: 1 },
  changeWorld: { ttl: 60 },
  addFault: { fault: 'unexpected-error' },
  createToken: { name: 'ci', right: 'read' },
  putBack: { type: 'node', id: 2 },
  putCollectionRecord: {},
};

/** Fails as soon as somebody wants something of it that is not `sound`. */
const failing = <T extends object>(sound: Partial<T> = {}): T =>
  new Proxy(sound as T, {
    get: (target, name) => {
      if (name in target) return Reflect.get(target, name) as unknown;
      throw new Error('the secret of the machine');
    },
  });

let atoll: TestAtoll;
beforeAll(async () => {
  const { name, baseUrl, access, site } = (await createTestAtoll()).world();
  const world = failing<World>({ name, baseUrl, access, site });
  atoll = await createTestAtoll({
    app: {
      locate: (request) => ({ addressedWorld: { name: 'main', interceptors: [], world }, request }),
      worlds: failing(),
      faults: failing(),
      reloads: failing(),
      observer: failing(),
      controlTokens: failing<ControlTokenStore>(),
      readiness: { read: () => Promise.reject(new Error('the secret of the machine')) },
      metrics: () => Promise.reject(new Error('the secret of the machine')),
      openArchiveStorage: () => Promise.reject(new Error('the secret of the machine')),
    },
  });
});

it.each(operations)('$operationId is 500, without a word about why', async ({ operationId, method, path }) => {
  const asked = atoll.send(method, operationId === 'waitForRequest' ? `${path}?within=1` : path);
  if (operationId === 'importRepository') void asked.type('application/x-tar').send('an archive');
  const response = await (operationId in bodies ? asked.send(bodies[operationId]) : asked);
  expect([response.status, response.body]).toEqual([
    500,
    { message: 'The website encountered an unexpected error. Try again later.' },
  ]);
  expect(atoll.events.some(({ kind }) => kind === 'failed')).toBe(true);
});
