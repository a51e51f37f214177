/**
 * Verify and proxy against a server that is not ours: generated from the document in Python, filled by hand for nodes. Run by
 * `npm run test:suite -- providers`; a missing tool fails the run.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startProxy, startTwin } from '../../../src/checks/checks-proxy.ts';
import type { CheckResult } from '../../../src/checks/checks.ts';
import { preparedFile, root } from '../../support/atoll.ts';
import { nodeBody, titleBody } from '../../support/requests.ts';
import { send } from '../../support/server.ts';
import { findingsIn, isFinding, lineOf, verified } from '../../verify/verified.ts';
import { generateForeignServer, startForeignServer, type ForeignServer } from './foreign-server.ts';

let healthy: ForeignServer;

beforeAll(async () => {
  await generateForeignServer();
  healthy = await startForeignServer();
}, 300_000);
afterAll(() => healthy.stop());

/** The operations that the server has. */
const only = ['createNode', 'getNode', 'headNode', 'updateNode', 'deleteNode'];
const options = { only, as: ['admin', 'editor', 'viewer'], modelTerm: 24 };

/** Replaces a text of `nodes.py` that must be there. */
const planted =
  (from: string, to: string) =>
  (python: string): string => {
    if (!python.includes(from)) throw new Error(`nodes.py has no "${from}".`);
    return python.replace(from, to);
  };

const idAsText = planted('else node\n', 'else {**node, "nid": [{"value": str(node["nid"][0]["value"])}]}\n');
const dropping = planted('node |= sent |', 'node |= {"field_extent": [], "field_member_of": []} | sent |');
const bugs = [
  ['PATCH drops what is not sent', dropping],
  ['nid is a text', idAsText],
  ['DELETE deletes nothing', planted('del nodes[node_id]', 'pass')],
  [
    'anybody may write',
    planted(
      '    if not has_credentials:\n',
      '    if not has_credentials:\n        return\n    if not has_credentials:\n',
    ),
  ],
  ['there are no alternates', planted('rel="alternate"', 'rel="related"')],
] as const;

/** What 200 lines of Python leave out. Everything else of nodes must be as the contract says. */
const gaps: Readonly<Record<string, RegExp>> = {
  'other parts of the service':
    /Linkset|NodeType|NodeMe(dia|mbers)|^(linkset|token|session|logout|provider)\.|^sequence\.member$|^(link|value)\.node\.(reference|order)|^json-ld\.node|^model\.uuid|^document\.(createTerm|getToken|getSessionToken|login)\.404\.responses/,
  'validation of each field, and the words of its messages':
    /^(field-(refused|taken)|odd-\w+|request|order)\.|^permission\.field/,
  'what the framework does by itself':
    /trailing-slash|x-frame-options|^format\.getNode\.|^id\.getNode\.json-ld|^options\.|^document\.(getNode\.307\.responses|(get|head)Node\.406\.required|(create|update|get)Node\.500\.content)/,
  'rarely used': /^basic\.right|^create\.node|^patch\.node\.nothing/,
};
const isGap = (name: string): boolean => Object.values(gaps).some((pattern) => pattern.test(name));

describe('atoll verify, against a server in Python', () => {
  it('finds what the server leaves out, and nothing else', async () => {
    const run = await verified(healthy.url, options);
    const names = findingsIn(run).map(({ check }) => check.name);
    const counted = Object.entries(gaps).map(([gap, pattern]) => [
      gap,
      names.filter((name) => pattern.test(name)).length,
    ]);
    process.stdout.write(
      `foreign server: ${JSON.stringify(run.counts)} ${JSON.stringify(Object.fromEntries(counted))}\n`,
    );
    expect(
      findingsIn(run)
        .filter(({ check }) => !isGap(check.name))
        .map(lineOf),
    ).toEqual([]);
    expect(counted.filter(([, count]) => count === 0)).toEqual([]);
    expect(run.counts.passed).toBeGreaterThan(200);
  });

  it.each(bugs)('finds a bug in Python: %s', async (_name, change) => {
    const server = await startForeignServer(change);
    const ending = new AbortController();
    const found: string[] = [];
    const onResult = (result: CheckResult): void => {
      if (!isFinding(result) || isGap(result.check.name)) return;
      found.push(lineOf(result));
      ending.abort();
    };
    try {
      await verified(server.url, { ...options, onResult, signal: ending.signal });
      expect(found).not.toEqual([]);
    } finally {
      await server.stop();
    }
  });
});

/** What a client of nodes does, at `url`. Links lead back to it. */
const dialogue = async (at: { readonly url: string }): Promise<void> => {
  const body = { ...nodeBody('By way of another'), field_extent: [{ value: '3 leaves' }] };
  const made = await send(at, 'POST', '/node?_format=json', { json: body });
  expect(made.status).toBe(201);
  const path = new URL(made.headers.location ?? '').pathname;
  expect(made.headers.location).toBe(`${at.url}${path}`);
  const read = await send(at, 'GET', `${path}?_format=json`);
  expect(String(read.headers['link'])).toContain(`<${at.url}${path}>; rel="canonical"`);
  await send(at, 'PATCH', `${path}?_format=json`, { json: titleBody('Anew') });
  expect((await send(at, 'GET', `${path}?_format=json`)).json()['title']).toEqual([{ value: 'Anew' }]);
  expect((await send(at, 'HEAD', `${path}?_format=jsonld`)).status).toBe(200);
  expect((await send(at, 'DELETE', `${path}?_format=json`, { as: 'viewer' })).status).toBe(403);
  expect((await send(at, 'DELETE', `${path}?_format=json`)).status).toBe(204);
  expect((await send(at, 'GET', `${path}?_format=json`)).status).toBe(404);
};

describe('atoll proxy, in front of a server in Python', () => {
  /** The rules that were broken on the way. */
  const brokenBy = async (server: ForeignServer): Promise<readonly string[]> => {
    const broken: string[] = [];
    const proxy = await startProxy({
      ...{ root, prepared: await preparedFile(), target: server.url, rewrite: ['links'] },
      onBroken: ({ operation, rules }) => broken.push(...rules.map(({ rule }) => `${operation}: ${rule}`)),
    });
    try {
      await dialogue(proxy);
      return broken;
    } finally {
      await proxy.stop();
    }
  };

  it('passes a way of a client on, and sees nothing broken', async () => {
    expect(await brokenBy(healthy)).toEqual([]);
  });

  it('sees a bug in Python', async () => {
    const server = await startForeignServer(idAsText);
    try {
      expect(await brokenBy(server)).toContain('createNode: type');
    } finally {
      await server.stop();
    }
  });
});

describe('atoll twin, with a server in Python', () => {
  /** The differences that are new: operation and place. */
  const newBy = async (server: ForeignServer): Promise<readonly string[]> => {
    const twin = await startTwin({
      ...{ root, prepared: await preparedFile(), target: server.url, rewrite: ['links'] },
      warn: () => undefined,
    });
    try {
      await dialogue(twin);
    } finally {
      await twin.stop();
    }
    const { findings, counts } = await twin.report();
    expect(counts).toMatchObject({ requests: 8, skipped: 0, failed: 0 });
    return findings.filter((each) => each.class === 'new').map(({ operation, place }) => `${operation} ${place}`);
  };

  it('explains all that differs', async () => {
    expect(await newBy(healthy)).toEqual([]);
  });

  it('sees a bug in Python', async () => {
    const server = await startForeignServer(dropping);
    try {
      expect(await newBy(server)).toContain('getNode /body/field_extent/*');
    } finally {
      await server.stop();
    }
  });
});
