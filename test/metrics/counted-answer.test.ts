/** What is noted on each request, and which answers from 500 on are told of. */
import { describe, expect, it, jest } from '@jest/globals';
import {
  type PlainReply,
  type PlainRequest,
  type EngineEvent,
  emptyObservations,
  type RequestObservations,
} from '../../src/openapi/openapi-host.ts';
import type { Operation } from '../../src/repository/repository-engine.ts';
import { countAnswers, createRequestTally } from '../../src/server/metrics/tallies.ts';
import { send, startServer } from '../support/server.ts';

jest.setTimeout(60_000);

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${spanId}-01`;

const trace = { traceId, spanId };

/** A request with its record, as `createDispatch` gives it one. */
const newRequest = (): PlainRequest => ({
  ...{ method: 'GET', path: '/', query: '', headers: { traceparent }, address: '127.0.0.1' },
  body: (async function* () {})(),
  observations: { ...emptyObservations(), trace },
});
const reply = (status: number, headers: PlainReply['headers'] = {}): PlainReply => ({
  status,
  headers,
  body: undefined,
});

const operation = (id: string): Operation => ({ id }) as Operation; // only its id is asked for

const counted = (answer: (asked: PlainRequest) => Promise<PlainReply>) => {
  const events: EngineEvent[] = [];
  const tally = createRequestTally();
  return { tally, events, ask: countAnswers(answer, { tally, onEvent: (event) => void events.push(event) }) };
};

describe('An answer', () => {
  it('is counted under its operation and status, and in progress until it is there', async () => {
    const { tally, ask, events } = counted(async ({ observations }) => {
      expect(tally.inProgress).toBe(1);
      if (observations !== undefined) observations.operation = operation('getNode');
      return reply(404);
    });
    await ask(newRequest());
    expect([tally.inProgress, [...(tally.operations.get('getNode')?.answers ?? [])]]).toEqual([0, [[404, 1]]]);
    expect(events).toEqual([]);
  });

  it('that never comes is counted as 500, and its error goes on', async () => {
    const { tally, ask } = counted(() => Promise.reject(new Error('broken')));
    await expect(ask(newRequest())).rejects.toThrow('broken');
    expect([tally.inProgress, [...(tally.operations.get('')?.answers ?? [])]]).toEqual([0, [[500, 1]]]);
  });

  it('from 500 on is told of, with its place', async () => {
    const { ask, events } = counted(async ({ observations }) => {
      if (observations !== undefined) observations.world = 'w7';
      return { ...reply(503), body: '{"message":"Try again."}' };
    });
    await ask(newRequest());
    const logContext = { world: 'w7', trace };
    expect(events).toEqual([
      { kind: 'answered-with-failure', operation: undefined, status: 503, message: 'Try again.', logContext },
    ]);
  });

  it.each([
    ['an event has told of', (observations: RequestObservations) => (observations.isReported = true), {}],
    ['is that of a probe', (observations: RequestObservations) => (observations.operation = operation('getReady')), {}],
    ['a fault on demand made', () => undefined, { 'Atoll-Fault': 'status' }],
    ['a client asked for as a mock', () => undefined, { 'Atoll-Mocked': 'true' }],
  ])('that %s is not told of again', async (_which, note, headers) => {
    const { ask, events } = counted(async ({ observations = emptyObservations() }) => {
      note(observations);
      return reply(503, headers);
    });
    await ask(newRequest());
    expect(events).toEqual([]);
  });
});

it('A write that a server refuses is told of once, with operation, world and trace', async () => {
  const events: EngineEvent[] = [];
  const server = await startServer({
    ...{ onDisk: true, fixture: 'empty', onEvent: (event: EngineEvent) => void events.push(event) },
    changeSite: (yaml) => yaml.replace(/(upload_bytes: \d+)/, '$1, uploads: { free_bytes: 1000000000000000 }'),
  });
  try {
    const node = JSON.stringify({
      ...{ type: [{ target_id: 'islandora_object' }], title: [{ value: 'One' }], field_model: [{ target_id: 24 }] },
    });
    const made = await send(server, 'POST', '/node?_format=json', {
      ...{ body: node, headers: { 'Content-Type': 'application/json' } },
    });
    expect(made.status).toBe(201);
    const refused = await send(server, 'PUT', '/node/1/media/file/16', {
      body: 'x',
      headers: { 'Content-Type': 'text/plain', 'Content-Location': 'public://x.txt', traceparent },
    });
    expect(refused.status).toBe(507);
    const told = events.filter(({ kind }) => kind === 'write-refused' || kind === 'answered-with-failure');
    expect(told).toMatchObject([
      {
        kind: 'write-refused',
        status: 507,
        operation: 'putNodeMedia',
        logContext: { world: 'main', trace },
      },
    ]);
  } finally {
    await server.stop();
  }
});
