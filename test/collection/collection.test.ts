/** The collections that `atoll collection` writes: a request for each operation, which run from top to bottom. Other people's programs run them in `test/system/clients`. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brunoCollection } from '../../src/sites/collection/bruno.ts';
import { postmanCollection } from '../../src/sites/collection/postman.ts';
import { collectRequests, type CollectedRequest, type RequestCollection } from '../../src/openapi/openapi-parts.ts';
import { type DocumentObject } from '../../src/openapi/openapi-terms.ts';
import { runHere } from '../support/command.ts';
import { withDirectory } from '../support/program.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let collection: RequestCollection;
beforeAll(async () => {
  server = await startServer();
  const answer = await fetch(`${server.url}/openapi.json`);
  collection = collectRequests((await answer.json()) as DocumentObject); // the server checked it
});
afterAll(async () => {
  await server.stop();
});

const requestsOf = ({ folders }: RequestCollection): CollectedRequest[] => folders.flatMap(({ requests }) => requests);
const named = (id: string): CollectedRequest => {
  const request = requestsOf(collection).find((each) => each.id === id);
  if (request === undefined) throw new Error(`The collection has no request ${id}`);
  return request;
};

/** A person's program: it fills in variables and keeps cookies. */
const createSender = () => {
  const variables = new Map<string, string>();
  let cookie = '';
  const filled = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => variables.get(name) ?? '');
  return async (request: CollectedRequest): Promise<number> => {
    const path = request.pathValues.reduce((text, { name, value }) => text.replace(`{${name}}`, value), request.path);
    const query = new URLSearchParams(
      Object.fromEntries(request.query.map(({ name, value }) => [name, filled(value)])),
    );
    const headers = new Headers(
      Object.fromEntries(request.headers.filter(({ isOff }) => !isOff).map(({ name, value }) => [name, value])),
    );
    if (request.isSignedIn) headers.set('Authorization', `Basic ${btoa('admin:islandora')}`);
    if (cookie !== '') headers.set('Cookie', cookie);
    const answer = await fetch(`${server.url}${path}?${query.toString()}`, {
      method: request.method,
      headers,
      body: request.body?.text ?? null,
    });
    cookie = /^(SESS\w+=[^;]+);(?!.*Max-Age=0)/.exec(answer.headers.get('Set-Cookie') ?? cookie)?.[1] ?? '';
    const text = await answer.text();
    for (const { variable, steps } of request.keeps) {
      const value = steps.reduce<unknown>((place, step) => (place as Record<string, unknown>)[step], JSON.parse(text)); // as the document says
      variables.set(variable, String(value));
    }
    return answer.status;
  };
};

describe('A collection', () => {
  it('has each operation of the document once, in the folder of its tag', async () => {
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { tags: { name: string }[] }; // its own
    const ids = requestsOf(collection).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(JSON.stringify(document).match(/"operationId":"\w+","tags"/g)?.length);
    expect(collection.folders.map(({ name }) => name)).toEqual(document.tags.map(({ name }) => name));
  });

  it('runs from top to bottom on a fresh repository', async () => {
    const send = createSender();
    const others: string[] = [];
    for (const request of requestsOf(collection)) {
      const status = await send(request);
      if (!request.statuses.includes(status))
        others.push(`${request.id}: ${status}, not ${request.statuses.join(', ')}`);
    }
    expect(others).toEqual([]);
    expect(server.answers.filter((answer) => answer.endsWith(' 500'))).toEqual([]);
  });

  it('expects a success, and a refusal only where nobody succeeds', () => {
    const refused = requestsOf(collection).filter(({ statuses }) => statuses.every((status) => status >= 400));
    expect(refused.map(({ id }) => id)).toEqual(['createFile']);
  });

  it('carries the token of a login to its logout, and switches conditions off', () => {
    expect(named('login').keeps).toEqual([{ variable: 'logout_token', steps: ['logout_token'] }]);
    expect(named('logout').query).toContainEqual({ name: 'token', value: '{{logout_token}}' });
    const off = named('getPublicContent').headers.filter(({ isOff }) => isOff);
    expect(off.map(({ name }) => name)).toEqual(['If-None-Match', 'If-Modified-Since', 'Range', 'If-Range']);
    expect(named('getPublicContent').path).toBe('/sites/default/files/2019-05/12-Transcript.txt');
  });

  it('signs in where that is possible, and nowhere else', () => {
    expect([named('getMedia').isSignedIn, named('login').isSignedIn]).toEqual([true, false]);
  });

  it('is written for Postman with its variables, credentials and tests', () => {
    const { info, variable, item } = JSON.parse(postmanCollection(collection)) as Record<string, never[]>; // written here
    expect(info).toMatchObject({ schema: expect.stringContaining('v2.1.0') });
    expect(variable).toEqual([
      { key: 'baseUrl', value: server.url },
      { key: 'username', value: 'admin' },
      { key: 'password', value: 'islandora' },
    ]);
    const text = JSON.stringify(item);
    expect(text).toContain('pm.expect(pm.response.code).to.be.oneOf([201])');
    expect(text).toContain('"disabled":true');
    expect(text).toContain('"raw":"{{baseUrl}}/node/:node_id?_format=json"');
  });

  it('is written for Bruno as files whose blocks no text ends early', () => {
    const files = new Map(brunoCollection(collection).map(({ name, text }) => [name, text]));
    expect([...files.keys()]).toEqual(
      expect.arrayContaining(['bruno.json', 'environments/local.bru', 'Nodes/createNode.bru']),
    );
    const node = files.get('Nodes/createNode.bru') ?? '';
    expect(node).toContain('url: {{baseUrl}}/node?_format=json');
    expect(node.split('\n').filter((line) => line === '}')).toHaveLength(
      node.split('\n').filter((line) => /^\S.* \{$/.test(line)).length,
    );
  });
});

describe('atoll collection', () => {
  it('writes the site without a server, to standard output or a file', async () => {
    const { code, out } = await runHere([
      'collection',
      'postman',
      '--site',
      'starter-site',
      '--base-url',
      'http://a.test',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      variable: expect.arrayContaining([{ key: 'baseUrl', value: 'http://a.test' }]),
    });
    await withDirectory(async (folder) => {
      const file = join(folder, 'deep/atoll.json');
      expect((await runHere(['collection', 'postman', '--out', file])).out).toContain(`requests to ${file}`);
      expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('info');
    });
  });

  it('writes a new directory for Bruno, from a running server', async () => {
    await withDirectory(async (folder) => {
      const out = join(folder, 'bruno');
      expect((await runHere(['collection', 'bruno', '--url', server.url, '--out', out])).code).toBe(0);
      expect(await readdir(out)).toContain('bruno.json');
      const again = await runHere(['collection', 'bruno', '--url', server.url, '--out', out]);
      expect([again.code, again.error]).toEqual([2, expect.stringContaining('is not empty')]);
    });
  });

  it.each([
    [['collection', 'bruno'], 'Name a new one with --out'],
    [['collection', 'insomnia'], 'postman, bruno'],
    [['collection', 'postman', '--url', 'http://localhost:1'], 'Nobody answers'],
    [['collection', 'postman', '--out', '/etc/passwd/x'], 'Name another place'],
  ])('%j: exit 2', async (args, words) => {
    const { code, error } = await runHere(args);
    expect([code, error]).toEqual([2, expect.stringContaining(words)]);
  });
});
