/** `/_atoll/ready`: when a process may get requests, who may ask, and what it says while it starts and ends. */
import { describe, expect, it, jest } from '@jest/globals';
import { createReadiness } from '../../src/server/control/readiness.ts';
import { listen } from '../../src/server/server-start.ts';
import { createTestAtoll } from '../support/atoll.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

jest.setTimeout(60_000);

const good = async () => ({ name: 'bytes', isReady: true, message: 'The service answers.' });

describe('Readiness', () => {
  it('begins with the start, depends on every check, and ends for good with the end', async () => {
    const readiness = createReadiness();
    expect(await readiness.read()).toEqual({ status: 'starting', checks: [] });
    let isReady = true;
    const database = async () => ({ name: 'database', isReady, message: 'x' });
    readiness.serve([
      { name: 'bytes', check: good },
      { name: 'database', check: database },
    ]);
    expect(await readiness.read()).toEqual({ status: 'ready', checks: [await good(), await database()] });
    isReady = false;
    expect((await readiness.read()).status).toBe('unreachable');
    readiness.drain();
    isReady = true;
    readiness.serve([]);
    expect(await readiness.read()).toEqual({ status: 'draining', checks: [] });
  });

  it('says of a check that fails or takes too long nothing but that', async () => {
    const readiness = createReadiness(10);
    readiness.serve([
      { name: 'database', check: () => Promise.reject(new Error('no route to atoll:secret@db.internal')) },
      { name: 'bytes', check: () => new Promise(() => undefined) },
    ]);
    expect((await readiness.read()).checks).toEqual([
      { name: 'database', isReady: false, message: 'It cannot be reached.' },
      { name: 'bytes', isReady: false, message: 'No answer came in time.' },
    ]);
  });

  it('looks once for all who ask at the same time', async () => {
    let looks = 0;
    const check = async () => {
      looks += 1;
      return good();
    };
    const readiness = createReadiness();
    readiness.serve([{ name: 'bytes', check }]);
    await Promise.all([readiness.read(), readiness.read(), readiness.read()]);
    expect(looks).toBe(1);
    await readiness.read();
    expect(looks).toBe(2);
  });
});

it('is 503 with the reason, and when to ask again, as long as a check fails', async () => {
  const readiness = createReadiness();
  const atoll = await createTestAtoll({ app: { readiness, controlToken: 'only-with-a-token' } });
  const starting = await atoll.send('GET', '/_atoll/ready').expect(503);
  expect([starting.body, starting.headers['retry-after']]).toEqual([{ message: 'The server is starting.' }, '1']);
  let isReady = false;
  readiness.serve([
    { name: 'bytes', check: good },
    { name: 'database', check: async () => ({ name: 'database', isReady, message: 'It is read-only.' }) },
  ]);
  const unreachable = await atoll.send('GET', '/_atoll/ready').expect(503);
  expect(unreachable.body).toEqual({ message: 'Not ready. database: It is read-only.' });
  isReady = true;
  const ready = await atoll.send('GET', '/_atoll/ready').expect(200);
  expect(ready.body).toMatchObject({ status: 'ready', checks: [{ name: 'bytes' }, { name: 'database' }] });
  readiness.drain();
  const ending = await atoll.send('GET', '/_atoll/ready').expect(503);
  expect(ending.body).toEqual({ message: 'The server is shutting down.' });
});

it('is 503 after the signal while everything else is still answered, until the notice is over', async () => {
  const server = await startServer({ onDisk: true });
  const status = async (path: string): Promise<number> => (await fetch(server.url + path)).status;
  expect([await status('/_atoll/ready'), await status('/_atoll/health')]).toEqual([200, 200]);
  let end = (): void => undefined;
  const ended = server.stop(
    new Promise<void>((resolve) => {
      end = resolve;
    }),
  );
  expect(await status('/_atoll/ready')).toBe(503);
  expect([await status('/node/1?_format=json'), await status('/_atoll/health')]).toEqual([200, 200]);
  end();
  await ended;
  await expect(fetch(`${server.url}/_atoll/ready`)).rejects.toThrow();
});

it('answers requests that come while the last ones are finished with 503 and Retry-After', async () => {
  const listener = await listen('127.0.0.1', 0);
  const url = `http://127.0.0.1:${listener.port}`;
  let finish = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    listener.serve((_request, response) => {
      finish = () => void response.writeHead(204).end();
      resolve();
    });
  });
  const open = fetch(`${url}/slow`).then(({ status }) => status);
  await begun;
  const socket = await import('node:net').then(({ connect }) => connect(listener.port, '127.0.0.1'));
  await until(() => socket.readyState === 'open', 'the second connection is there');
  // What has no request yet may be closed as idle, so the request begins before the end.
  socket.write('GET /late HTTP/1.1\r\n');
  await until(() => socket.bytesWritten > 0, 'the head has begun');
  const ended = listener.stop(30_000);
  const told = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (piece) => (text += String(piece)));
    socket.on('close', () => resolve(text));
  });
  socket.write('Host: localhost\r\n\r\n');
  expect(await told).toMatch(/^HTTP\/1\.1 503 [\s\S]*Retry-After: 1\r\n[\s\S]*shutting down/);
  finish();
  expect(await open).toBe(204);
  await ended;
});
