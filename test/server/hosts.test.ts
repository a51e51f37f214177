/** The host names that the server answers: a page of another site may not reach it by a name that leads to this machine. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { startAtoll } from '../../src/cli/entries/atoll.ts';
import { freePort } from '../support/free-port.ts';
import { send, startServer, type ServerOptions, type TestServer } from '../support/server.ts';
import { basic } from '../support/requests.ts';
import { exchange, type RawAnswer } from '../support/sockets.ts';

jest.setTimeout(30_000);

const authorization = `Authorization: ${basic('admin').headers['Authorization'] ?? ''}`;
const ask = ({ port }: TestServer, host: string, line = 'GET /node/1?_format=json'): Promise<RawAnswer> =>
  exchange(port, `${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${authorization}\r\n\r\n`);
const messageOf = ({ body }: RawAnswer): string => (JSON.parse(body) as { message: string }).message; // a refusal
const statusesOf = async (server: TestServer, hosts: readonly string[]): Promise<number[]> =>
  (await Promise.all(hosts.map((host) => ask(server, host)))).map(({ status }) => status);

const withServer = async (options: ServerOptions, use: (server: TestServer) => Promise<void>): Promise<void> => {
  const server = await startServer({ fixture: 'empty', ...options });
  try {
    await use(server);
  } finally {
    await server.stop();
  }
};

/** With the port that it listens on, which its base URL does not say. */
const withListening = async (options: ServerOptions, use: (server: TestServer) => Promise<void>): Promise<void> => {
  const port = await freePort();
  return withServer({ ...options, port }, (server) => use({ ...server, port }));
};

describe('on loopback with demo accounts', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  it.each([
    ...['localhost', 'localhost:1', 'LOCALHOST:8000', '127.0.0.1', '127.1.2.3:99', '[::1]:8000'],
    'main.localhost:8000',
  ])('the host %s is answered', async (host) => {
    expect((await ask(server, host)).status).toBe(200);
  });

  it.each([
    ...['rebind.example', 'rebind.example:8000', 'localhost.evil.example', 'evillocalhost', '127.0.0.1.evil.example'],
    ...['192.168.1.7', '0.0.0.0:8000', '[::2]'],
  ])('the host %s is 421, and the line says what to do', async (host) => {
    const answer = await ask(server, host);
    expect([answer.status, messageOf(answer)]).toEqual([421, expect.stringContaining('--allowed-hosts')]);
    expect(messageOf(answer)).not.toContain('\n');
    expect(answer.head).toMatch(/^x-content-type-options: nosniff\r?$/im);
  });

  it.each([
    ...['DELETE /node/1?_format=json', 'GET /jwt/token?_format=json', 'GET /openapi.json', 'GET /_atoll/health'],
    ...['GET /_atoll/', 'GET /~main/node/1?_format=json', 'GET /sites/default/files/x.png', 'GET /nowhere'],
  ])('a foreign host is 421 for %s', async (line) => {
    expect((await ask(server, 'rebind.example', line)).status).toBe(421);
    expect((await ask(server, 'localhost')).status).toBe(200);
  });

  it('HTTP/1.0 without a host, which no browser speaks, is answered', async () => {
    expect((await exchange(server.port, 'GET /node/1?_format=json HTTP/1.0\r\n\r\n')).status).toBe(200);
  });
});

it("names of one's own are answered when --allowed-hosts has them, on any port", () =>
  withServer({ allowedHosts: ['atoll.test', 'api'] }, async (server) => {
    const hosts = ['atoll.test', 'ATOLL.test:8000', 'api:1', 'localhost', 'x.atoll.test', 'other.test'];
    expect(await statusesOf(server, hosts)).toEqual([404, 404, 404, 404, 421, 421]);
  }));

it("the base URL's host is answered", () =>
  withListening({ baseUrl: 'https://atoll.example/repo', demoAccounts: true }, async (server) => {
    expect(await statusesOf(server, ['atoll.example', 'atoll.example:8000', 'localhost', 'rebind.example'])).toEqual([
      ...[404, 404, 404, 421],
    ]);
  }));

it('without demo accounts any host is answered: no password is published', () =>
  withServer(
    {
      siteFile: 'accounts.yml',
      changeSite: (yaml) => yaml.replaceAll(/demo_password: .*/g, ''),
    },
    async (server) => {
      expect((await ask(server, 'rebind.example')).status).toBe(404);
    },
  ));

it.each(['http://a.test', 'a.test:80', '*', '', 'a b'])('--allowed-hosts %j does not start', async (host) => {
  await expect(startServer({ allowedHosts: [host] })).rejects.toThrow(/--allowed-hosts ".*": a host name/);
});

describe('where others can reach the server', () => {
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

  it.each(['0.0.0.0', '::'])(
    'links of --host %s lead to an address of this machine, and a warning names it',
    (host) => {
      const warnings: string[] = [];
      const warn = (message: string): void => void warnings.push(message);
      return withServer({ host, demoAccounts: true, warn, fixture: 'starter' }, async (server) => {
        expect(new URL(server.url).hostname).toBe(outside ?? 'localhost');
        const answer = await send(server, 'GET', '/node/1?_format=json', { as: null });
        expect(answer.headers['link']).toContain(`<${server.url}/node/1>; rel="canonical"`);
        expect(warnings).toEqual([expect.stringContaining(`Links begin with ${server.url}.`)]);
        expect(warnings[0]).toContain('--base-url');
        // It was opened to others on purpose.
        expect((await ask(server, 'atoll.example')).status).toBe(200);
      });
    },
  );

  it('an explicit base URL needs no warning', () => {
    const warnings: string[] = [];
    const options = { host: '0.0.0.0', demoAccounts: true, baseUrl: 'http://localhost:8000' };
    return withServer({ ...options, warn: (message) => void warnings.push(message) }, async ({ url }) => {
      expect([url, warnings]).toEqual(['http://localhost:8000', []]);
    });
  });
});

it('fetch in this process, and an application that mounts the server, go on as before: their hosts are their own', async () => {
  const application = createServer((request, response) => atoll.middleware(request, response));
  await once(application.listen(0, '127.0.0.1'), 'listening');
  const { port } = application.address() as AddressInfo; // it listens on a port
  const atoll = await startAtoll({ port: false, baseUrl: `http://localhost:${port}`, fixture: 'empty' });
  expect((await atoll.fetch('/node/1?_format=json')).status).toBe(404);
  const mounted = await exchange(
    port,
    'GET /node/1?_format=json HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n',
  );
  expect(mounted.status).toBe(404);
  await atoll.close();
  application.close();
});
