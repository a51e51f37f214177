/** What is told of each command that changes something: who, what, where, when, and what came of it. */
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';

let atoll: TestAtoll;
let secret = '';
beforeAll(async () => {
  atoll = await createTestAtoll({ app: { controlTime: () => Date.parse('2026-03-01T00:00:00Z') } });
  const made = await atoll.send('POST', '/_atoll/tokens').send({ name: 'ci', right: 'worlds', prefix: 'ci-' });
  ({ secret } = made.body as { secret: string });
});
beforeEach(() => {
  atoll.events.length = 0;
});

const commands = (): unknown[] => atoll.events.filter(({ kind }) => kind === 'commanded');
const as = (method: string, path: string) => atoll.send(method, path).set('Atoll-Control', secret);
const told = (event: object): object => ({ kind: 'commanded', at: '2026-03-01T00:00:00.000Z', ...event });

it('names the token and the world that was made, changed and dropped', async () => {
  await as('POST', '/_atoll/worlds').send({ name: 'ci-1' }).expect(201);
  await as('POST', '/~ci-1/_atoll/reset').expect(204);
  await as('DELETE', '/_atoll/worlds/ci-1').expect(204);
  expect(commands()).toEqual([
    told({ who: 'ci', operation: 'forkWorld', world: 'ci-1', status: 201 }),
    told({ who: 'ci', operation: 'resetWorld', world: 'ci-1', status: 204 }),
    told({ who: 'ci', operation: 'dropWorld', world: 'ci-1', status: 204 }),
  ]);
});

it('names the world whose name was invented', async () => {
  const made = await atoll.send('POST', '/_atoll/worlds').send({}).expect(201);
  const { name } = made.body as { name: string };
  expect(commands()).toEqual([told({ who: 'loopback', operation: 'forkWorld', world: name, status: 201 })]);
});

it('tells what was refused, and to whom', async () => {
  await as('POST', '/_atoll/reset').expect(403);
  await as('DELETE', '/_atoll/worlds/other').expect(403);
  await as('POST', '/_atoll/reload').expect(403);
  const wrong = `atoll_${'A'.repeat(43)}`;
  await atoll.send('DELETE', '/_atoll/faults').set('Atoll-Control', wrong).expect(403);
  await atoll.send('DELETE', '/_atoll/faults').set('X-Forwarded-For', '192.0.2.1').expect(403);
  await atoll.send('PUT', '/_atoll/clock').send({ mode: 'slow' }).expect(422);
  expect(commands()).toEqual([
    told({ who: 'ci', operation: 'resetWorld', world: 'main', status: 403 }),
    told({ who: 'ci', operation: 'dropWorld', world: 'other', status: 403 }),
    told({ who: 'ci', operation: 'reload', world: 'main', status: 403 }),
    told({ who: 'anonymous', operation: 'clearFaults', world: 'main', status: 403 }),
    told({ who: 'anonymous', operation: 'clearFaults', world: 'main', status: 403 }),
    told({ who: 'loopback', operation: 'setClock', world: 'main', status: 422 }),
  ]);
});

it('tells nothing of reads, nor of what is no operation', async () => {
  await as('GET', '/_atoll/worlds').expect(200);
  await as('HEAD', '/_atoll/worlds').expect(200);
  await as('POST', '/_atoll/nothing').expect(404);
  await atoll.send('GET', '/_atoll/tokens').expect(200);
  expect(commands()).toEqual([]);
});

it('has the id of the trace that the request belongs to, and never a secret', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  await as('POST', '/_atoll/worlds').set('traceparent', `00-${traceId}-00f067aa0ba902b7-01`).send({ name: 'ci-1' });
  await as('DELETE', '/_atoll/worlds/ci-1').set('traceparent', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`);
  await atoll.send('POST', '/_atoll/tokens').send({ name: 'next', right: 'everything' }).expect(201);
  expect(commands()).toMatchObject([
    { traceId },
    { operation: 'dropWorld' },
    { operation: 'createToken', status: 201 },
  ]);
  expect(commands()[1]).not.toHaveProperty('traceId');
  expect(JSON.stringify(atoll.events)).not.toContain('atoll_');
});

it('names the token of the command line by its option', async () => {
  const closed = await createTestAtoll({ app: { controlToken: 'let-me-in-here' } });
  await closed.send('DELETE', '/_atoll/traffic').set('Atoll-Control', 'let-me-in-here').expect(204);
  expect(closed.events.filter(({ kind }) => kind === 'commanded')).toMatchObject([
    { who: '--control-token', operation: 'clearTraffic', status: 204 },
  ]);
});
