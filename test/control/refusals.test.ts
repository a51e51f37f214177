/** Whom the control interface refuses, for each of its operations: callers from elsewhere, and pages of other origins that change something. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createTestAtoll, root, type TestAtoll } from '../support/atoll.ts';

type Operation = { readonly operationId: string; readonly responses: Readonly<Record<string, unknown>> };
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

const { paths } = parse(await readFile(join(root, 'src/server/control/openapi.yaml'), 'utf8')) as Document; // our own file
const isMethod = (word: string): boolean => ['get', 'post', 'put', 'patch', 'delete'].includes(word);
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => isMethod(method))
    .map(([method, { operationId, responses }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path: path.replaceAll(/\{[^}]*\}/g, '1'),
      statuses: Object.keys(responses),
    })),
);
const probes = ['getServer', 'getHealth', 'getReady'];
const guarded = operations.filter(({ id }) => !probes.includes(id)).map((one) => [one.id, one] as const);
const writes = guarded.filter(([, { method }]) => method !== 'GET');

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll();
});

const titles = async (): Promise<string[]> =>
  ((await atoll.send('GET', '/_atoll/worlds')).body as { worlds: { name: string }[] }).worlds.map(({ name }) => name);

describe('Each operation but the probes', () => {
  it.each(guarded)('%s says that it may be refused, and is, for a caller from elsewhere: 403', async (_id, one) => {
    expect(one.statuses).toContain('403');
    const answer = await atoll.send(one.method, one.path).set('X-Forwarded-For', '192.0.2.1').expect(403);
    expect(answer.body).toEqual({ message: 'The control interface answers this machine only.' });
  });

  it('is none of the probes, which come from another host and have no token', async () => {
    expect(operations.length).toBe(guarded.length + probes.length);
    await atoll.send('GET', '/').set('X-Forwarded-For', '192.0.2.1').expect(200);
    await atoll.send('GET', '/_atoll/health').set('X-Forwarded-For', '192.0.2.1').expect(200);
    await atoll.send('GET', '/_atoll/ready').set('X-Forwarded-For', '192.0.2.1').expect(200);
  });
});

describe('Each operation that changes something', () => {
  it.each(writes)(
    '%s is refused for a page of another server on this machine, before it is read: 403',
    async (_id, one) => {
      const ask = (): ReturnType<TestAtoll['send']> =>
        atoll.send(one.method, one.path).set('Origin', 'http://localhost:3000');
      expect((await ask().expect(403)).body).toEqual({
        message:
          'A page of http://localhost:3000 may change nothing here. Start the server with --control-origins ' +
          'http://localhost:3000 to allow it, or with --control-token, and send the token.',
      });
      // As a form sends it, which a browser lets every page do.
      await ask().set({ 'Content-Type': 'text/plain', 'Sec-Fetch-Site': 'same-site' }).send('{}').expect(403);
      await atoll.send(one.method, `/~main${one.path}`).set('Sec-Fetch-Site', 'cross-site').expect(403);
    },
  );

  it('has then changed nothing, and does what the page of the server itself asks', async () => {
    const fork = (site: string) =>
      atoll
        .send('POST', '/_atoll/worlds')
        .set('Sec-Fetch-Site', site)
        .set('Content-Type', 'application/json')
        .send('{}');
    await fork('same-site').expect(403);
    expect(await titles()).toEqual(['main']);
    await fork('same-origin').expect(201);
    expect(await titles()).toEqual(['main', 'w1']);
  });
});
