/** Group I about addresses that a client library would tidy up, and long queries. The others are in `expected/default/odd-requests.yml`. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { bearer, get, messageOf, type Visitor } from '../../support/requests.ts';
import { type Served, serveOnPort } from '../../support/server.ts';
import { exchange, type RawAnswer, rawRequest } from '../../support/sockets.ts';
import { hangMs } from '../../support/hang.ts';

let atoll: TestAtoll;
let admin: Visitor;
let listener: Served;
beforeAll(async () => {
  atoll = await createTestAtoll();
  admin = await bearer(atoll, 'admin');
  listener = await serveOnPort(atoll);
});
afterAll(() => listener.stop());
/** By the admin, the path as it stands here: a client library would tidy it up. */
const raw = (method: string, path: string): Promise<RawAnswer> =>
  exchange(listener.port, rawRequest(`${method} ${path}`, [`Authorization: ${admin.headers['Authorization'] ?? ''}`]));

describe('I20: a path in another spelling', () => {
  it.each([
    ...[
      'GET /node/1/.',
      'GET /./node/1',
      'GET /node/../node/1',
      'GET /node/./1',
      'DELETE /node/1/.',
      'DELETE /./node/1',
    ],
    ...['DELETE /node/../node/1', 'DELETE /node/./1', 'PUT /node/13/media/%2e%2e/17'],
    ...['GET /sites/default/files/../../../etc/passwd', 'GET /sites/default/files/%2e%2e/%2e%2e/site.yml'],
  ])('%s is 404: one address for one thing', async (line) => {
    const [method = '', path = ''] = line.split(' ');
    const { status, body } = await raw(method, `${path}?_format=json`);
    expect([status, Object.keys(JSON.parse(body) as object)]).toEqual([404, ['message']]);
  });
});

describe('A target in absolute form', () => {
  const message = (answer: RawAnswer): string => messageOf({ body: JSON.parse(answer.body) });

  it('means its path, and whatever host it names links begin with the base URL', async () => {
    const { status, head } = await raw('GET', 'http://elsewhere.test/node/2?_format=json');
    expect([status, head]).toEqual([200, expect.stringContaining('<http://localhost:8000/node/2>')]);
  });

  it.each(['http://[/x', 'http://', 'http:///node/1', 'http://[::1]:x/node/1'])(
    'is 400 JSON without a valid host: %s',
    async (target) => {
      const answer = await raw('GET', target);
      expect([answer.status, message(answer)]).toEqual([400, 'The address has no valid host.']);
    },
  );
});

describe('I23: other query parameters', () => {
  it.each([
    ['deep brackets', `a${'[b]'.repeat(500)}=1`],
    [
      'a thousand',
      Array.from({ length: 1000 }, (_, index) => `a${index}`)
        .join('&')
        .slice(0, 3900),
    ],
  ])('%s: 200, in little time', async (_what, query) => {
    const started = performance.now();
    expect((await get(atoll, admin, `/node/1?_format=json&${query}`)).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(hangMs);
  });
});
