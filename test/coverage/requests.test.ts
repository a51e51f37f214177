/**
 * The requests that would meet what is not met yet: every fourth of them is sent to a world of its own. The suite `crawl` sends all, and
 * those of other sites.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { components } from '../../src/client/generated/control.ts';
import { createStepVariables } from '../../src/contract/contract.ts';
import { createFetch } from '../../src/server/server-start.ts';
import type { Fetch } from '../../src/exchange/exchange-worlds.ts';
import { museum, writeSite } from '../support/invented-sites.ts';
import { isLong, someOf } from '../support/long-run.ts';
import { basic } from '../support/requests.ts';
import { startServer, type ServerOptions, type TestServer } from '../support/server.ts';

type CoverageRequest = components['schemas']['CoverageRequest'];
type Step = components['schemas']['CoverageStep'];
type Requests = components['schemas']['CoverageRequests'];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-requests-'));
});
afterAll(() => rm(folder, { recursive: true }));

const insideOf = (server: TestServer): Fetch =>
  createFetch({ answer: server.answer, baseUrl: server.url, cors: 'off', onError: () => undefined });

const readJson = async <T>(answer: Promise<Response>): Promise<T> => (await (await answer).json()) as T; // checked against the document

/** The status of the last step. Steps that may change something have a world of their own. */
const statusOf = async (steps: readonly Step[], fetchInside: Fetch, url: string): Promise<number> => {
  if (steps.every(({ method }) => method === 'GET' || method === 'HEAD')) return statusAt(steps, fetchInside, url);
  const world = await readJson<{ name: string; url: string }>(fetchInside(`${url}/_atoll/worlds`, { method: 'POST' }));
  const status = await statusAt(steps, fetchInside, world.url);
  await fetchInside(`${url}/_atoll/worlds/${world.name}`, { method: 'DELETE' });
  return status;
};

const statusAt = async (steps: readonly Step[], fetchInside: Fetch, url: string): Promise<number> => {
  const cookies = new Map<string, string>();
  const variables = createStepVariables();
  let status = 0;
  for (const { method, path, headers, body, zeros, keeps } of steps) {
    const filled = Object.entries(headers).map(([name, value]) => [name, variables.fill(value)] as const);
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const sent = zeros === undefined ? body && variables.fill(body) : new Uint8Array(zeros);
    const answer = await fetchInside(url + variables.fill(path), {
      method,
      headers: [...filled, ...(cookie === '' ? [] : [['cookie', cookie] as const])].map(([name, value]) => [
        name,
        value,
      ]),
      ...(sent === undefined ? {} : { body: sent }),
    });
    status = answer.status;
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const text = await answer.text();
    variables.keep(text, keeps);
  }
  return status;
};

/** Sends the requests that are offered, or a share of them, and tells what was not met and what has no request. */
const sendAll = async (options: ServerOptions) => {
  const server = await startServer(options);
  const fetchInside = insideOf(server);
  const { requests } = await readJson<Requests>(fetchInside(`${server.url}/_atoll/coverage/requests`));
  const broken: string[] = [];
  const without: string[] = [];
  for (const { operation, status, steps, curl } of requests) {
    const name = `${operation} ${status}`;
    expect([name, curl === null]).toEqual([name, steps.length === 0]);
    if (steps.length === 0) without.push(name);
  }
  for (const { operation, status, steps } of someOf(requests.filter((each) => each.steps.length > 0))) {
    const got = await statusOf(steps, fetchInside, server.url);
    if (got !== status) broken.push(`${operation} ${status} got ${got}`);
  }
  await server.stop();
  return { requests, broken, without };
};

/** A body of more than a gibibyte would not tell more. */
const smallUploads = (yaml: string): string => yaml.replace('upload_bytes: 1073741824', 'upload_bytes: 1048576');

const forDefaultSite = (): void => {
  it('meet their status on the default site; only what everybody may read there has none', async () => {
    const { requests, broken, without } = await sendAll({ changeSite: smallUploads });
    expect(requests.length).toBeGreaterThan(600);
    expect([broken, without]).toEqual([
      [],
      ['getNodeType 401', 'getNodeType 403', 'headNodeType 401', 'headNodeType 403'],
    ]);
  }, 120_000);
};

const forOtherSites = (): void => {
  it('meet their status on the starter site with a sample', async () => {
    const { requests, broken, without } = await sendAll({ site: 'starter-site', fixture: 'sample:40' });
    expect(broken).toEqual([]);
    expect(without.length / requests.length).toBeLessThan(0.1);
  }, 120_000);

  it('meet their status on a site of other bundles', async () => {
    const site = await writeSite(folder, museum);
    const { requests, broken, without } = await sendAll({ site, fixture: 'sample:20' });
    expect(broken).toEqual([]);
    expect(without.length / requests.length).toBeLessThan(0.1);
  }, 120_000);
};

describe('the requests', () => {
  forDefaultSite();
  if (isLong) forOtherSites();
});

describe('GET /_atoll/coverage/requests', () => {
  let server: TestServer;
  let fetchInside: Fetch;
  beforeAll(async () => {
    server = await startServer();
    fetchInside = insideOf(server);
  });
  afterAll(() => server.stop());
  const ask = async (query: string): Promise<CoverageRequest[]> =>
    (await readJson<Requests>(fetchInside(`${server.url}/_atoll/coverage/requests?${query}`))).requests;

  it('keeps to an operation, a status, and what is met or not', async () => {
    const all = await ask('operation=getNode');
    expect(all.map(({ status }) => status)).toEqual([200, 401, 403, 404, 406, 500, 503]);
    await fetchInside(`${server.url}/node/1?_format=json`);
    const [met] = await ask('operation=getNode&met=met');
    expect(met).toMatchObject({ operation: 'getNode', status: 200, count: 1 });
    expect((await ask('operation=getNode&met=unmet')).map(({ status }) => status)).not.toContain(200);
    expect(new Set((await ask('status=416')).map(({ status }) => status))).toEqual(new Set([416]));
    expect(await ask('operation=nothing')).toEqual([]);
    for (const query of ['status=abc', 'met=perhaps']) {
      expect((await fetchInside(`${server.url}/_atoll/coverage/requests?${query}`)).status).toBe(400);
    }
  });

  it('says what a request does, and what the document says where there is none', async () => {
    const [missing] = await ask('operation=getNode&status=404');
    expect(missing).toEqual({
      ...{ operation: 'getNode', status: 404, count: 0 },
      explanation: 'There is nothing with this `node_id`, as admin.',
      curl: `curl -i -u admin:islandora '${server.url}/node/999999999?_format=json'`,
      steps: [
        {
          ...{ method: 'GET', path: '/node/999999999?_format=json' },
          headers: { Authorization: basic('admin').headers['Authorization'] },
        },
      ],
    });
    const [fault] = await ask('operation=getNode&status=503');
    expect(fault?.steps[0]?.headers).toMatchObject({ 'Atoll-Fault': 'status;status=503' });
    const [none] = await ask('operation=getNodeType&status=403');
    expect(none).toMatchObject({ curl: null, steps: [], explanation: expect.stringMatching(/\w/) });
  });

  it('tries what it found before a change, and finds another where that is not answered alike any more', async () => {
    const admin = { ...basic('admin').headers, 'Content-Type': 'application/json' };
    const pathOf = async (query: string): Promise<string> => (await ask(query))[0]?.steps.at(-1)?.path ?? '';
    const allBefore = await ask('');
    const before = await pathOf('operation=getNode&status=200');
    const refused = await pathOf('operation=getNode&status=401');
    const renamed = { type: [{ target_id: 'islandora_object' }], title: [{ value: 'Renamed' }] };
    await fetchInside(`${server.url}${before}`, { method: 'PATCH', headers: admin, body: JSON.stringify(renamed) });
    expect(await pathOf('operation=getNode&status=200')).toBe(before);
    const published = { ...renamed, status: [{ value: true }] };
    await fetchInside(`${server.url}${refused}`, { method: 'PATCH', headers: admin, body: JSON.stringify(published) });
    expect(await pathOf('operation=getNode&status=401')).not.toBe(refused);
    await fetchInside(`${server.url}${before}`, { method: 'DELETE', headers: admin });
    const after = await pathOf('operation=getNode&status=200');
    expect(after).not.toBe(before);
    expect((await fetchInside(`${server.url}${after}`, { headers: admin })).status).toBe(200);
    const wrong = [];
    const allAfter = await ask('');
    for (const { operation, status, steps } of someOf(allAfter.filter((each) => each.steps.length > 0))) {
      const got = await statusOf(steps, fetchInside, server.url);
      if (got !== status) wrong.push(`${operation} ${status} got ${got}`);
    }
    expect([wrong, allAfter.length]).toEqual([[], allBefore.length]);
    await fetchInside(`${server.url}/_atoll/reset`, { method: 'POST' });
  }, 60_000);

  it('changes nothing in the world and counts nothing', async () => {
    await fetchInside(`${server.url}/_atoll/coverage`, { method: 'DELETE' });
    await ask('');
    const { added, changed, removed } = await readJson<components['schemas']['Differences']>(
      fetchInside(`${server.url}/_atoll/differences`),
    );
    expect([added, changed, removed]).toEqual([0, 0, 0]);
    expect(await ask('met=met')).toEqual([]);
    const { worlds } = await readJson<{ worlds: unknown[] }>(fetchInside(`${server.url}/_atoll/worlds`));
    expect(worlds).toHaveLength(1);
  });

  it.each([
    ['getNode', 200],
    ['headNode', 404],
    ['createNode', 422],
    ['createNode', 413],
    ['putNodeMedia', 413],
    ['deleteNode', 403],
    ['logout', 204],
    ['getPathAlias', 200],
    ['getSessionToken', 503],
    ['getPublicContent', 206],
  ])('writes a shell command for %s that meets %s', async (operation, status) => {
    const [request] = await ask(`operation=${operation}&status=${status}`);
    const { stdout } = await promisify(execFile)('sh', ['-c', request?.curl ?? 'false'], { cwd: folder });
    const statuses = [...stdout.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, found]) => Number(found));
    expect(statuses.at(-1)).toBe(status);
  });
});
