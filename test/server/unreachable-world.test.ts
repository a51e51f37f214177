/** A request whose world cannot be asked for, as when the database is out: what is answered, counted and told. */
import { afterAll, expect, it } from '@jest/globals';
import type { EngineEvent, RequestObservations } from '../../src/openapi/openapi-host.ts';
import { createTestAtoll, type TestOptions } from '../support/atoll.ts';
import { retryLater } from '../../src/openapi/openapi-terms.ts';

const events: EngineEvent[] = [];
afterAll(() => {
  events.length = 0;
});

/** What was observed of the last request. */
let observations: RequestObservations | undefined;
const askWith = async (error: Error, path: string) => {
  const app: TestOptions['app'] = {
    locate: (request) => {
      observations = request.observations;
      return Promise.reject(error);
    },
    onEvent: (event) => void events.push(event),
  };
  const atoll = await createTestAtoll({ app });
  return atoll.send('GET', path);
};

it('is 503 with Retry-After, and noted with its world and operation', async () => {
  const reply = await askWith(retryLater('The database cannot be reached.'), '/~w7/node/1?_format=json');
  expect([reply.status, reply.headers['retry-after'], reply.body]).toEqual([
    ...[503, '1'],
    { message: 'The database cannot be reached.' },
  ]);
  expect(observations).toMatchObject({ world: 'w7', operation: { id: 'getNode' }, isReported: false });
  expect(events).toEqual([]);
});

it('is 500 for any other error, which is told of once', async () => {
  const error = new Error('broken');
  expect((await askWith(error, '/node/1?_format=json')).status).toBe(500);
  expect(observations).toMatchObject({ world: 'main', operation: { id: 'getNode' }, isReported: true });
  expect(events).toEqual([{ kind: 'failed', operation: 'getNode', error, logContext: { world: 'main' } }]);
});
