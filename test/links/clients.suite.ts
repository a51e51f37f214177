/** Whether clients that are not ours can read the answers of nodes with many media. Needs `python3`: `npm run test:suite -- links`. */
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { World } from '../../src/repository/repository.ts';
import { createTestAtoll } from '../support/atoll.ts';
import { inOneWorld } from '../support/one-world.ts';
import { basic } from '../support/requests.ts';
import { mediaRecord, nodeRecord, termRecord, withRecords } from './records.ts';

const counts = [10, 60, 200, 1000, 10_000];
/** As long as a term's name may be, in letters of which each takes six bytes in a header. */
const longName = 'é'.repeat(255);

let world: World;
let server: Server;
let base: string;

beforeAll(async () => {
  const atoll = await createTestAtoll({ fixture: 'empty', app: { locate: inOneWorld(() => world) } });
  let drawn = 0;
  world = withRecords(atoll.world(), [
    termRecord(101, 'islandora_media_use', longName),
    ...counts.flatMap((count, at) => [
      nodeRecord(at + 1),
      ...Array.from({ length: count }, () => mediaRecord((drawn += 1), at + 1)),
    ]),
    nodeRecord(99),
    ...Array.from({ length: 60 }, () => mediaRecord((drawn += 1), 99, { field_media_use: [{ target_id: 101 }] })),
  ]);
  server = createServer(atoll.app);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const program = `
import http.client, sys
host, path, authorization = sys.argv[1:]
connection = http.client.HTTPConnection(host)
for method in ('HEAD', 'GET'):
    connection.request(method, path, headers={'Authorization': authorization})
    response = connection.getresponse()
    print(method, response.status, len(response.headers.get_all('Link')), len(response.read()) > 0)
`;
const authorization = basic('viewer').headers['Authorization'] ?? '';
const readers = [...counts.map((count, at) => [count, at + 1] as const), [60, 99] as const];

describe.each(readers)('the answer for %i media (node %i)', (count, id) => {
  const lines = count === 10 ? 19 : 60;

  it("is read by Node's fetch", async () => {
    const response = await fetch(`${base}/node/${id}?_format=json`, { headers: { authorization } });
    expect(response.status).toBe(200);
    const links = response.headers.get('link')?.split(/, (?=<)/) ?? [];
    expect(links.length).toBeLessThanOrEqual(60);
    if (id !== 99) expect(links).toHaveLength(lines);
    expect(await response.json()).toMatchObject({ nid: [{ value: id }] });
  });

  it("is read by Python's http.client", async () => {
    const args = ['-c', program, base.slice('http://'.length), `/node/${id}?_format=json`, authorization];
    const { stdout } = await promisify(execFile)('python3', args);
    const [, head, get] = /^HEAD 200 (\d+) False\nGET 200 (\d+) True\n$/.exec(stdout) ?? [];
    expect([head, Number(get) <= 60]).toEqual([get, true]);
    if (id !== 99) expect(Number(get)).toBe(lines);
  });
});
