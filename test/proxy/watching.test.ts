/** What passes is checked in both directions and shown, faults on demand work on it, and links lead back where that is wanted. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { components } from '../../src/client/generated/control.ts';
import type { BrokenReply } from '../../src/checks/checks-proxy.ts';
import { exchange, rawRequest } from '../support/sockets.ts';
import { basic } from '../support/requests.ts';
import { send, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { answering } from './raw-target.ts';
import {
  proxyTo,
  proxyToRaw,
  startTestProxy,
  stopAll,
  stops,
  type TestProxy,
  type TestProxyOptions,
} from './start-proxy.ts';

type Entry = components['schemas']['TrafficEntry'];

afterEach(stopAll);

/** The entries, once there are so many. */
const trafficOf = async (proxy: { readonly url: string }, count: number): Promise<Entry[]> => {
  let entries: Entry[] = [];
  await until(async () => {
    const page = await send(proxy, 'GET', '/_atoll/traffic', { as: null });
    ({ entries } = page.json() as unknown as { entries: Entry[] }); // a page of traffic
    return entries.length >= count;
  }, `${count} entries`);
  return entries;
};

const controlled = async (proxy: TestProxy, method: string, path: string, json?: unknown): Promise<void> => {
  const { status } = await send(proxy, method, `/_atoll${path}`, { as: null, ...(json === undefined ? {} : { json }) });
  expect(status).toBeLessThan(300);
};

const jsonReply = (body: string, lines: readonly string[] = []): string =>
  [
    'HTTP/1.1 200 OK',
    'Content-Type: application/json',
    ...lines,
    `Content-Length: ${Buffer.byteLength(body, 'latin1')}`,
    '',
    body,
  ].join('\r\n');

describe('Before a real site', () => {
  it('what it does otherwise on purpose is not a finding; at any other server it is one', async () => {
    const answer = (generator: readonly string[]): string =>
      [
        ...['HTTP/1.1 406 Not Acceptable', 'Content-Type: text/plain; charset=UTF-8', ...generator],
        ...['Content-Length: 26', '', 'Not acceptable format: foo'],
      ].join('\r\n');
    const findings = async (generator: readonly string[]): Promise<number> => {
      const { proxy } = await proxyToRaw(answering(() => answer(generator)));
      await exchange(proxy.port, rawRequest('GET /node/1?_format=foo'));
      await trafficOf(proxy, 1);
      await until(() => Promise.resolve(proxy.counts().broken > 0 || generator.length > 0), 'the verdict');
      return proxy.counts().broken;
    };
    expect(await findings(['X-Generator: Drupal 10 (https://www.drupal.org)'])).toBe(0);
    expect(await findings([])).toBe(1);
  });
});

describe('Before an Atoll', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  it('every exchange is shown with its operation and its verdicts, and counts for the coverage', async () => {
    const proxy = await proxyTo(server.url);
    const direct = await send(server, 'GET', '/node/1?_format=json');
    const passed = await send(proxy, 'GET', '/node/1?_format=json');
    expect(passed.body).toEqual(direct.body);
    expect({ ...passed.headers, date: '' }).toEqual({ ...direct.headers, date: '' });
    await send(proxy, 'POST', '/node?_format=json', { json: { title: 7 } });
    await send(proxy, 'GET', '/nowhere');
    await send(proxy, 'PUT', '/node/1/media/file/16', {
      headers: { 'Content-Type': 'text/plain', 'Content-Location': 'public://passed.txt' },
      body: 'passed on',
    });
    const entries = await trafficOf(proxy, 4);
    expect(
      entries.map(({ operation, status, verdict }) => [operation, status, verdict.request, verdict.reply]),
    ).toEqual([
      ['getNode', 200, 'kept', 'kept'],
      ['createNode', 422, 'broken', 'kept'],
      [null, 404, 'broken', 'unchecked'],
      ['putNodeMedia', 201, 'kept', 'kept'],
    ]);
    const coverage = await send(proxy, 'GET', '/_atoll/coverage', { as: null });
    expect(coverage.body.toString()).toContain('"putNodeMedia"');
    expect(proxy.counts()).toEqual({ broken: 0, failed: 0 });
  });

  it('credentials of clients pass, and are shown nowhere', async () => {
    const proxy = await proxyTo(server.url);
    expect((await send(proxy, 'GET', '/node/1?_format=json', { as: 'admin' })).status).toBe(200);
    await trafficOf(proxy, 1);
    const shown = (await send(proxy, 'GET', '/_atoll/traffic/1', { as: null })).body.toString();
    expect(shown).toContain('"authorization":"[redacted]"');
    expect(shown).not.toContain(basic('admin').headers['Authorization']?.slice(6));
  });

  it('faults on demand act on what passes', async () => {
    const proxy = await proxyTo(server.url);
    const ask = (line = 'GET /node/1?_format=json'): Promise<{ status: number; head: string; body: string }> =>
      exchange(proxy.port, rawRequest(line));
    await controlled(proxy, 'POST', '/faults', { fault: 'status', parameters: { status: 503 }, count: 1 });
    expect((await ask()).status).toBe(503);
    expect((await ask()).status).toBe(200);
    await controlled(proxy, 'DELETE', '/faults');
    await controlled(proxy, 'POST', '/faults', { fault: 'connection-reset', count: 1 });
    expect((await ask()).status).toBe(0);
    await controlled(proxy, 'POST', '/faults', { fault: 'cut-answer', count: 1 });
    const cut = await ask();
    const length = Number(/^content-length: (\d+)/im.exec(cut.head)?.[1]);
    expect([cut.status, cut.body.length]).toEqual([200, Math.floor(length / 2)]);
    expect(cut.head).toMatch(/^Atoll-Fault: cut-answer\r?$/m);
    const entries = await trafficOf(proxy, 4);
    expect(entries.map(({ status, verdict, disturbance }) => [status, verdict.reply, disturbance])).toEqual([
      [503, 'unchecked', undefined],
      [200, 'kept', undefined],
      [500, 'unchecked', 'reset'],
      [200, 'unchecked', 'cut'],
    ]);
  });

  it('a valid request that a fault answers keeps the contract, an invalid one does not', async () => {
    const proxy = await proxyTo(server.url);
    const title = { type: [{ target_id: 'islandora_object' }], title: [{ value: 'Another' }] };
    for (const status of [400, 413, 415, 422]) {
      await controlled(proxy, 'DELETE', '/faults');
      await controlled(proxy, 'POST', '/faults', { fault: 'status', parameters: { status } });
      const change = await send(proxy, 'PATCH', '/node/1?_format=json', { as: 'admin', json: title });
      expect(change.status).toBe(status);
    }
    await send(proxy, 'GET', '/node/1?_format=xml');
    await send(proxy, 'PUT', '/node/1');
    await send(proxy, 'GET', '/an-alias-of-the-target?_format=json');
    const entries = await trafficOf(proxy, 7);
    expect(entries.map(({ verdict }) => verdict.request)).toEqual([
      ...['kept', 'kept', 'kept', 'kept'],
      ...['broken', 'broken', 'kept'],
    ]);
  });

  it('an upload is cut on demand, and the target stores nothing of it', async () => {
    const proxy = await proxyTo(server.url);
    await controlled(proxy, 'POST', '/faults', { fault: 'cut-upload', parameters: { afterBytes: 4 }, count: 1 });
    const lines = [`Authorization: ${basic('admin').headers['Authorization'] ?? ''}`, 'Content-Type: text/plain'];
    const place = [...lines, 'Content-Location: public://cut.txt', 'Content-Length: 9'];
    expect((await exchange(proxy.port, rawRequest('PUT /node/1/media/file/16', place, 'cut short'))).status).toBe(0);
    expect((await send(server, 'GET', '/sites/default/files/cut.txt')).status).toBe(404);
  });

  it('links, cookies and bodies lead back to the proxy where that is wanted', async () => {
    const proxy = await proxyTo(server.url, { rewrite: ['links', 'cookies', 'bodies'] });
    const { headers } = await send(proxy, 'HEAD', '/node/1?_format=json');
    expect(headers.link).toContain(`<${proxy.url}/node/1>; rel="canonical"`);
    expect(headers.link).not.toContain(server.url);
    const graph = await send(proxy, 'GET', '/node/1?_format=jsonld');
    expect(graph.body.toString()).toContain(`"@id":"${proxy.url}/node/1"`);
    expect(graph.body.toString()).not.toContain(server.url);
    const [entry] = await trafficOf(proxy, 2);
    expect(entry?.verdict).toEqual({ request: 'kept', reply: 'kept' });
  });

  it('exchanges are recorded without secrets', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'atoll-proxy-'));
    stops.push(() => rm(directory, { recursive: true }));
    const proxy = await startTestProxy(server.url, { record: { directory } });
    await send(proxy, 'GET', '/node/1?_format=json');
    await send(proxy, 'DELETE', '/node/999999?_format=json');
    await proxy.stop();
    const names = await readdir(join(directory, 'exchanges'));
    expect(names.sort()).toEqual(['000001-GET-node-1.json', '000002-DELETE-node-999999.json']);
    const text = await readFile(join(directory, 'exchanges', names[0] ?? ''), 'utf8');
    expect(text).toContain('"nid"');
    expect(text).not.toContain(basic('admin').headers['Authorization']?.slice(6));
  });
});

it('A fault that changes the credentials of a request changes them for the target', async () => {
  const { target, proxy } = await proxyToRaw(answering(() => 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'));
  await controlled(proxy, 'POST', '/faults', { fault: 'token-expires', parameters: { requests: 0 } });
  const answer = await exchange(proxy.port, rawRequest('GET /node/1', ['Authorization: Bearer good', 'X-Other: 1']));
  expect([answer.status, /^Atoll-Fault: (.*)$/m.exec(answer.head.replaceAll('\r', ''))?.[1]]).toEqual([
    403,
    'token-expires',
  ]);
  const [text = ''] = target.received;
  expect(text).toMatch(/^X-Other: 1\r\nAuthorization: Bearer expired\r\n/im);
  expect(text).not.toContain('good');
});

describe('A server that breaks the contract', () => {
  const replies: Readonly<Record<string, string>> = {
    '/node/1?_format=json': jsonReply('{"nid": "one"}'),
    '/node/2?_format=json': 'HTTP/1.1 418 Teapot\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    '/node/3?_format=json': jsonReply(gzipSync('{"nid": "three"}').toString('latin1'), ['Content-Encoding: gzip']),
    '/node/4?_format=json': jsonReply(`{"nid": "${'4'.repeat(3000)}"}`, [
      'Link: <http://x.test/node/4>; rel="canonical"',
    ]),
  };
  const proxyToBroken = async (options: TestProxyOptions): Promise<TestProxy> => {
    const onBytes = answering((path) => replies[path] ?? 'HTTP/1.1 204 No Content\r\n\r\n');
    return (await proxyToRaw(onBytes, options)).proxy;
  };

  it('is told with the rule, and its replies pass as they are; long bodies are not checked', async () => {
    const broken: BrokenReply[] = [];
    const proxy = await proxyToBroken({ keptBytes: 1024, onBroken: (one) => broken.push(one) });
    for (const path of Object.keys(replies)) {
      const { text } = await exchange(proxy.port, rawRequest(`GET ${path}`));
      expect(text.endsWith(replies[path]?.split('\r\n\r\n').slice(1).join('\r\n\r\n') ?? '-')).toBe(true);
    }
    const entries = await trafficOf(proxy, 4);
    // One that was compressed is shown when it has been unpacked.
    const verdicts = entries.map(({ path, verdict }) => `${path.slice(0, 7)} ${verdict.reply}`).sort();
    expect(verdicts).toEqual(['/node/1 broken', '/node/2 broken', '/node/3 broken', '/node/4 unchecked']);
    await until(() => broken.length === 3, 'three are told');
    expect(broken.map(({ operation, status }) => `${operation} ${status}`).sort()).toEqual([
      'getNode 200',
      'getNode 200',
      'getNode 418',
    ]);
    expect(broken[0]?.rules[0]?.document?.line).toBeGreaterThan(0);
    expect(proxy.counts().broken).toBe(3);
  });

  it('is answered with 502 and the rule with --fail; what is too long to be checked passes', async () => {
    const proxy = await proxyToBroken({ keptBytes: 1024, fails: true });
    const answers = [];
    for (const path of Object.keys(replies)) answers.push(await exchange(proxy.port, rawRequest(`GET ${path}`)));
    expect(answers.map(({ status }) => status)).toEqual([502, 502, 502, 200]);
    const words = answers.map(({ body }) => (JSON.parse(body) as { message: string }).message);
    expect(words[0]).toMatch(
      /^The 200 of getNode breaks the contract: \/headers\/Link is missing \(required\) \[openapi\.yaml:\d+\]; \/body must have/,
    );
    expect(words[1]).toMatch(/^The 418 of getNode breaks the contract: \/status 418 is not documented/);
    expect(answers[0]?.head).toContain('Atoll-Proxy: broken-contract');
    expect((await exchange(proxy.port, rawRequest('GET /elsewhere'))).status).toBe(204);
    const [entry] = await trafficOf(proxy, 5);
    expect([entry?.status, entry?.verdict.reply]).toEqual([200, 'broken']);
  });
});
