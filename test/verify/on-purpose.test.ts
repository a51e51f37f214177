/** Where a real site differs from Atoll on purpose, a check that meets it is passed over; any other server fails it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CheckFailure, expectHeader, expectRefusal, expectStatus } from '../../src/checks/verify/answer.ts';
import type { Check } from '../../src/checks/verify/check.ts';
import { runVerification } from '../../src/checks/verify/verify.ts';
import { checkOf, openTarget, type OpenedTarget } from './verified.ts';

type Reply = readonly [status: number, type: string, body: string];

/** Answers of an unmodified starter site (core 10.4.1), asked on 2026-11-24. */
const recorded: Readonly<Record<string, Reply>> = {
  '/node/1?_format=json': [200, 'application/json', '{"nid":[{"value":1}],"type":[{"target_id":"islandora_object"}]}'],
  '/node/1?_format=foo': [406, 'text/plain; charset=UTF-8', 'Not acceptable format: foo'],
  '/node/1?_format=jsonld&_format=foo': [
    403,
    'text/plain; charset=UTF-8',
    'The used authentication method is not allowed on this route.',
  ],
  '/node/99/media?_format=json': [404, 'application/json', '{"message":""}'],
  '/node/1e0?_format=json': [200, 'application/json', '{"nid":[{"value":1}]}'],
  '/node/98?_format=json': [200, 'application/json', '{"nid":[{"value":1}]}'],
  // Bytes by the web server that is in front, and a page of Drupal where Atoll has no such method.
  '/sites/default/files/a.txt': [200, 'text/plain; charset=UTF-8', 'hello'],
  '/node/1?_format=json&post': [404, 'text/html; charset=UTF-8', '<!DOCTYPE html>'],
  '/node/97?_format=json': [500, 'text/html; charset=UTF-8', 'The website encountered an unexpected error.'],
};

let server: Server;
let generator: string | undefined;
let opened: OpenedTarget;
beforeAll(async () => {
  server = createServer((request, response) => {
    const [status, type, body] = recorded[request.url ?? ''] ?? [404, 'application/json', '{"message":"Not found"}'];
    if (generator !== undefined) response.setHeader('X-Generator', generator);
    response.writeHead(status, { 'Content-Type': type }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened = await openTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, []);
});
afterAll(() => {
  server.close();
});

const asks = (path: string) => ({ path, isJudged: false });

const checks: readonly Check[] = [
  checkOf('unknown-format', async ({ ask }) => void expectRefusal(await ask(asks('/node/1?_format=foo')), 406)),
  checkOf('last-format', async ({ ask }) => {
    expectStatus(await ask(asks('/node/1?_format=jsonld&_format=foo')), 406);
  }),
  checkOf('no-reason', async ({ ask }) => void expectRefusal(await ask(asks('/node/99/media?_format=json')), 404)),
  checkOf('spelling', async ({ ask }) => void expectStatus(await ask(asks('/node/1e0?_format=json')), 404)),
  checkOf('web-server', async ({ ask }) =>
    expectHeader(await ask(asks('/sites/default/files/a.txt')), 'Last-Modified', (date) => date !== ''),
  ),
  checkOf('method', async ({ ask }) => {
    expectStatus(await ask({ ...asks('/node/1?_format=json&post'), method: 'POST' }), 405);
  }),
  {
    ...checkOf('named', () => Promise.reject(new CheckFailure('The bytes are gone.'))),
    source: 'contract: Upload; docs/use/differences.md: An empty upload',
  },
  // These are no differences on purpose.
  checkOf('no-page', async ({ ask }) => {
    expectStatus(await ask({ ...asks('/node/96?_format=json'), method: 'POST' }), 405);
  }),
  checkOf('absent', async ({ ask }) => void expectStatus(await ask(asks('/node/98?_format=json')), 404)),
  checkOf('broken', async ({ ask }) => void expectStatus(await ask(asks('/node/97?_format=json')), 200)),
];

const verdicts = async (): Promise<Readonly<Record<string, readonly [string, string | undefined]>>> => {
  const { results } = await runVerification({ opened, checks, from: ['/node/1'] });
  return Object.fromEntries(
    results
      .filter(({ check: { name } }) => checks.some((one) => one.name === name))
      .map((result) => [result.check.name, [result.verdict, result.message] as const]),
  );
};

describe('atoll verify', () => {
  it('passes over what a real site does otherwise on purpose, and names the row', async () => {
    generator = 'Drupal 10 (https://www.drupal.org)';
    const onPurpose = (question: string) => ['skipped', `A real site differs on purpose: ${question}.`];
    expect(await verdicts()).toEqual({
      'unknown-format': onPurpose('GET without `_format`, or with an unknown one'),
      'last-format': onPurpose('GET without `_format`, or with an unknown one'),
      'no-reason': onPurpose('Lists of what is not there'),
      spelling: onPurpose('A path in another spelling: `/NODE/2`, `/%6eode/2`, `/node/+2`, `/node/1.0`, `//`'),
      'web-server': onPurpose('Headers of public files'),
      method: onPurpose('A method that a path does not have'),
      named: onPurpose('An empty upload'),
      'no-page': ['failed', 'POST /node/96?_format=json answered 404 in place of 405.'],
      absent: ['failed', 'GET /node/98?_format=json answered 200 in place of 404.'],
      broken: ['failed', 'GET /node/97?_format=json answered 500 in place of 200.'],
    });
  });

  it('passes over nothing where the target does not say that it is a Drupal', async () => {
    generator = undefined;
    expect(Object.values(await verdicts()).map(([verdict]) => verdict)).toEqual(checks.map(() => 'failed'));
  });
});
