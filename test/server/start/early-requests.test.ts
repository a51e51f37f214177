/** What a server answers while it starts. */
import { expect, it } from '@jest/globals';
import { openListener } from '../../../src/server/start/own-listener.ts';

it('/_atoll/ready is 503 before anything else answers, while the server starts', async () => {
  const listener = await openListener({ host: '127.0.0.1', port: 0, warn: () => undefined });
  const url = `http://127.0.0.1:${listener.port}`;
  const early = await fetch(`${url}/_atoll/ready?from=probe`);
  expect([early.status, early.headers.get('retry-after'), await early.json()]).toEqual([
    ...[503, '1'],
    { message: 'The server is starting.' },
  ]);
  const waiting = fetch(`${url}/other`).then(({ status }) => status);
  listener.serve((_request, response) => void response.writeHead(204).end());
  expect(await waiting).toBe(204);
  expect((await fetch(`${url}/_atoll/ready`)).status).toBe(204);
  await listener.stop(1000);
});
