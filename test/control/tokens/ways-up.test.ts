/**
 * Searches the control interface for ways up: whatever a token with the right "worlds" does first, no second request gives it what
 * the right alone is refused. Each operation that it may ask is tried after each way to fill a world of its own.
 */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { basic, titleBody } from '../../support/requests.ts';
import { controlOperations } from './control-operations.ts';

let atoll: TestAtoll;
let secret: string;
beforeAll(async () => {
  atoll = await createTestAtoll();
  const made = await atoll.send('POST', '/_atoll/tokens').send({ name: 'ci', right: 'worlds', prefix: 'ci-' });
  secret = (made.body as { secret: string }).secret; // held to the schema by the engine
});

/** What nobody wrote into a fixture, so that only a copy of the world can show it. */
const privateTitle = 'Minutes that nobody else may read';
beforeEach(async () => {
  for (const name of ['other', 'ci-x']) await atoll.send('DELETE', `/_atoll/worlds/${name}`);
  await atoll.send('POST', '/_atoll/worlds').send({ name: 'other' }).expect(201);
  for (const [prefix, snapshot] of [
    ['', 'of-main'],
    ['/~other', 'of-other'],
  ] as const) {
    await atoll
      .send('PATCH', `${prefix}/node/1?_format=json`)
      .set({ ...basic('admin').headers, 'Content-Type': 'application/json' })
      .send(titleBody(privateTitle))
      .expect(200);
    await atoll.send('PUT', `${prefix}/_atoll/snapshots/${snapshot}`);
  }
});

const ask = (method: string, path: string) =>
  atoll.send(method, path).set({ 'Atoll-Control': secret, 'X-Forwarded-For': '192.0.2.1' });

const textOf = async (asked: ReturnType<typeof ask>): Promise<string> => {
  const response: Response = await asked.buffer(true).parse((stream, done) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      done(null, Buffer.concat(chunks));
    });
  });
  return (response.body as Buffer).toString('latin1'); // what the parser makes
};
const bytesOf = (path: string): Promise<string> => textOf(ask('GET', path));

/** Ways to fill a world of its own. The last status of each is what the first request of the way answers. */
const ways: readonly (readonly [string, string, number, () => Promise<Response>])[] = [
  ['forks the fixture', 'fixture', 201, () => ask('POST', '/_atoll/worlds').send({ name: 'ci-x' })],
  ['forks main', 'main', 403, () => ask('POST', '/_atoll/worlds').send({ name: 'ci-x', from: 'main' })],
  ['forks another world', 'other', 403, () => ask('POST', '/_atoll/worlds').send({ name: 'ci-x', from: 'other' })],
  [
    'forks a snapshot of main',
    'main',
    403,
    () => ask('POST', '/_atoll/worlds').send({ name: 'ci-x', from: 'of-main' }),
  ],
  [
    'forks a snapshot of another world',
    'other',
    403,
    () => ask('POST', '/~other/_atoll/worlds').send({ name: 'ci-x', from: 'of-other' }),
  ],
  ['resets to a snapshot of main', 'main', 403, () => inOwnWorld('POST', '/_atoll/reset', { to: 'of-main' })],
  ['loads a snapshot of main', 'main', 403, () => inOwnWorld('POST', '/_atoll/snapshots/of-main', {})],
];

const inOwnWorld = async (method: string, path: string, body: object): Promise<Response> => {
  await ask('POST', '/_atoll/worlds').send({ name: 'ci-x' }).expect(201);
  return ask(method, `/~ci-x${path}`).send(body);
};

/** What a token reads of a world of its own. An event stream never ends. */
const reads = controlOperations.filter(({ method, id }) => method === 'GET' && !id.startsWith('stream'));

describe('A token for worlds of a prefix that', () => {
  it.each(ways)('%s reads no password hash, and nothing of %s that it may not copy', async (_way, _of, status, go) => {
    expect((await go()).status).toBe(status);
    for (const { path } of reads) {
      const read = await bytesOf(`/~ci-x${path}`);
      expect([path, read.includes('scrypt$')]).toEqual([path, false]);
      expect([path, read.includes(privateTitle)]).toEqual([path, false]);
    }
  });

  it('exports a world of its own gets everything else, and may put it back', async () => {
    await ask('POST', '/_atoll/worlds').send({ name: 'ci-x' }).expect(201);
    const archive = await bytesOf('/~ci-x/_atoll/export');
    expect(archive).toContain('user/1.json');
    const put = ask('POST', '/~ci-x/_atoll/import').type('application/x-tar').send(Buffer.from(archive, 'latin1'));
    await put.expect(200);
  });

  it('is refused what the right to everything gets: the hashes of passwords', async () => {
    expect(await textOf(atoll.send('GET', '/_atoll/export'))).toContain('scrypt$');
    expect(await bytesOf('/_atoll/export')).not.toContain('scrypt$');
  });
});
