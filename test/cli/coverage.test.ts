/** `atoll traffic` and `atoll coverage` where they end with a code of their own, against a server in this process; the rest is in the guide, and what a process does in `coverage.process.ts`. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '../support/free-port.ts';
import { runHere } from '../support/command.ts';
import { startServer, type TestServer } from '../support/server.ts';

jest.setTimeout(60_000);

let program: TestServer;
beforeAll(async () => {
  program = await startServer();
});
afterAll(async () => {
  await program.stop();
});

const atoll = (...args: string[]) => runHere([...args, '--url', program.url]);

describe('A command that shows', () => {
  it('one request whole: heads, bodies, no secrets, ends with 0', async () => {
    await fetch(`${program.url}/node/997?_format=json`, { headers: { Authorization: 'Bearer not-a-token' } });
    const { entries } = JSON.parse(`{"entries":[${(await atoll('traffic', '--json', '--limit', '1')).out}]}`) as {
      entries: [{ id: number }];
    }; // as the control document has it
    const id = String(entries[0].id);
    const { code, out } = await atoll('traffic', 'show', id);
    expect(code).toBe(0);
    expect(out).toMatch(/\nGET \/node\/997\?_format=json\n[\s\S]*\n\n4\d\d\n[\s\S]*content-type: application\/json/i);
    expect(out).toMatch(/\n\n\{"message":".*"\}\n$/);
    expect(out).not.toContain('not-a-token');
    expect(JSON.parse((await atoll('traffic', 'show', id, '--json')).out)).toMatchObject({ id: Number(id) });
  });

  it('how the server is ends with 0, and with 2 where there is none', async () => {
    expect(await atoll('health')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ok {2}durability memory {2}version \d/),
    });
    const { code, error } = await runHere(['health', '--url', `http://localhost:${await freePort()}`]);
    expect([code, error]).toEqual([2, expect.stringContaining('Nobody answers at')]);
  });

  it.each([
    ['localhost:8000', /"localhost:8000" is not an address of a server\. Write http:\/\/localhost:8000\./],
    ['foo', /is not an address of a server/],
  ])('ends with 2 when %s is to be asked', async (address, reason) => {
    const { code, error } = await runHere(['health', '--url', address]);
    expect([code, error]).toEqual([2, expect.stringMatching(reason)]);
  });

  it('ends with 2 when something else answers', async () => {
    const page = createServer((_request, response) => response.end('<!doctype html>')).listen(0, 'localhost');
    await once(page, 'listening');
    const { port } = page.address() as AddressInfo; // it listens on a port
    const { code, error } = await runHere(['health', '--url', `http://localhost:${port}`]);
    expect([code, error]).toEqual([2, expect.stringContaining('This is no Atoll.')]);
    for (const command of [['token', 'editor'], ['env'], ['links', 'audit']]) {
      const other = await runHere([...command, '--url', `http://localhost:${port}`]);
      expect([other.code, other.error]).toEqual([2, expect.stringMatching(/This is no Atoll\.|and no JSON/)]);
      expect(other.error.trim().split('\n')).toHaveLength(1);
    }
    page.close();
  });
});

describe('A command that finds less than it wants', () => {
  it('ends with 6: an assertion, with the nearest requests', async () => {
    await fetch(`${program.url}/node/998?_format=json`);
    const { code, out, error } = await atoll('traffic', 'assert', '--operation', 'getNode', '--status', '500');
    expect([code, out.trim()]).toEqual([6, 'getNode 500: 0']);
    expect(error).toMatch(/Wanted: at least 1\.\n[\s\S]*\/node\/998\?_format=json {2}404 {2}getNode/);
    const exact = await atoll('traffic', 'assert', '--path', '/node/998', '--times', '2');
    expect([exact.code, exact.out.trim()]).toEqual([6, '/node/998: 1']);
  });

  it('ends with 6: a goal, with every cell that is not met', async () => {
    const { code, out } = await atoll('coverage', 'check', '--min', 'operations=100,statuses=0');
    expect(code).toBe(6);
    expect(out).toMatch(
      /^operations: \d+ of \d+ are met, \d+ %; 100 % are wanted\. Not met:\n[\s\S]* {2}deleteNode {2}DELETE \/node\/\{node_id\}\n/,
    );
    expect(out).not.toContain('statuses:');
  });
});

describe('A command that cannot be', () => {
  it.each([
    [['coverage', 'check', '--min', 'speed=1'], /"speed" is none of operations/],
    [['coverage', 'report', '--input', 'nowhere.json'], /nowhere\.json: cannot be read/],
    [['coverage', 'report', '--input', 'package.json'], /package\.json: is not coverage/],
    [['traffic', 'show', '99999'], /There is no request 99999/],
    [
      ['traffic', '--operation', 'getNode', 'clear'],
      /options stand behind the command: atoll traffic clear --operation/,
    ],
    [['traffic', '--har', 'x.har', '--limit', '10'], /cannot be used with/],
    [['traffic', '--status', '4yy'], /Give a status such as 404/],
    [['traffic', '--since', 'yesterday'], /or a time such as/],
    [['traffic', '--limit', '0'], /from 1 to 99999/],
    [['traffic', 'show', 'abc'], /A request has a number/],
    [['clock', 'set', '--scale', '0'], /A scale is a number above 0.*--mode frozen/],
    [['clock', 'set', '2026-01-02T03:04:05'], /names no time zone\. Write 2026-01-02T03:04:05Z for UTC/],
    [['clock', 'set', 'tomorrow'], /"tomorrow" is not a time/],
    [['snapshot', 'save', 'bad/name'], /The name of a snapshot has 1 to 100 letters/],
    [['world', 'fork', 'bad name'], /lower-case letters, digits and hyphens/],
    [['clock', 'set'], /^atoll: Name a time, a --mode or a --scale\.\n$/],
    [['clock', 'set', '--scale', '1e7'], /above 0, at most 1000000/],
    [['clock', 'advance', '1e12'], /from 0 to 3153600000/],
    [['world', 'fork', '--ttl', '604801'], /above 0, at most 604800/],
    [['control-tokens', 'create', 'ci', '--right', 'read', '--ttl', '1e9'], /above 0, at most 31622400/],
    [['faults', 'add', 'latency', '--rate', '2'], /A rate is a number from 0 to 1/],
    [['faults', 'add', 'latency', '--count', '0'], /1 or more/],
    [['faults', 'add', 'latency', '--after', '1.5'], /0 or more/],
    [['faults', 'add', 'latency', '--header', 'Not me'], /1 to 63 lower-case letters/],
    [['coverage', 'report', '--only', '6xx'], /A status is 404 or 5xx/],
    [['traffic', '--follow', '--har', 'a.har'], /cannot be used with/],
    [['traffic', 'assert', '--times', '-1'], /0 or more/],
  ])('%j ends with 2 and says why', async (args, reason) => {
    const { code, error } = await atoll(...args);
    expect([code, error]).toEqual([2, expect.stringMatching(reason)]);
  });
});

describe('atoll coverage requests', () => {
  it('shows what would meet a status, and with --json in parts', async () => {
    const shown = await atoll('coverage', 'requests', '--only', 'getMedia,404,403');
    expect(shown.code).toBe(0);
    expect(shown.out).toMatch(
      /^# getMedia 403: .+\ncurl -i .+\n\n# getMedia 404: .+\ncurl -i -u admin:islandora '.+\/media\/999999999\?_format=json'\n/,
    );
    const { out } = await atoll('coverage', 'requests', '--only', 'getNodeType,403');
    expect(out).toMatch(/^# getNodeType 403: .+\n# There is no request that surely meets it\.\n/);
    const parts = await atoll('coverage', 'requests', '--only', 'getMedia,404', '--json');
    expect(JSON.parse(parts.out)).toMatchObject({ operation: 'getMedia', status: 404, steps: [{ method: 'GET' }] });
  });
});
