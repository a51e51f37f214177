/** The ring that traffic is remembered in, and its bounds; no server is asked. */
import { describe, expect, it } from '@jest/globals';
import { memoryOf, type TrafficLog } from '../../src/server/server-worlds.ts';
import { emptyObservations } from '../../src/openapi/openapi-host.ts';
import { createTrafficLog } from '../../src/server/traffic/traffic-log.ts';
import type { RecordedExchange } from '../../src/exchange/exchange.ts';

const exchanged = (path: string, text = ''): Omit<RecordedExchange, 'id'> => ({
  world: 'main',
  baseUrl: 'http://localhost:8000',
  at: 0,
  durationMs: 1,
  method: 'GET',
  path,
  query: '',
  headers: {},
  requestBody: { bytes: 0, text: undefined },
  observations: emptyObservations(),
  operation: undefined,
  status: 200,
  replyHeaders: {},
  replyBody: { bytes: text.length, text },
  isReused: false,
  transmissionFault: undefined,
});

const add = (log: TrafficLog, one: Omit<RecordedExchange, 'id'>): void => log.add({ ...one, id: log.nextId() });

describe('The log of traffic', () => {
  it('remembers the last ones, and counts those that it has dropped', () => {
    const log = createTrafficLog({ entries: 3, bytes: 1_000_000 });
    for (const path of ['/1', '/2', '/3', '/4', '/5']) add(log, exchanged(path));
    expect(log.entries().map(({ id, path }) => [id, path])).toEqual([
      [3, '/3'],
      [4, '/4'],
      [5, '/5'],
    ]);
    expect(log.dropped()).toBe(2);
  });

  it('keeps within its memory, whatever the size of the bodies', () => {
    const log = createTrafficLog({ entries: 1000, bytes: 100_000 });
    for (let number = 0; number < 200; number += 1) add(log, exchanged('/', 'x'.repeat(number * 80)));
    const bytes = log.entries().reduce((sum, { replyBody: reply }) => sum + reply.bytes, 0);
    expect(bytes).toBeLessThanOrEqual(100_000);
    expect(log.entries().at(-1)?.id).toBe(200);
    expect(log.entries().length + log.dropped()).toBe(200);
  });

  it('has the memory for as many as `--traffic` says, with bodies of 2,000 letters', () => {
    const log = createTrafficLog({ entries: 20_000, bytes: memoryOf(20_000) });
    const usual = exchanged('/', 'x'.repeat(2000));
    for (let number = 0; number < 20_000; number += 1) add(log, usual);
    expect([log.entries().length, log.dropped()]).toEqual([20_000, 0]);
  });

  it('does not remember a request that is larger than all its memory', () => {
    const log = createTrafficLog({ entries: 10, bytes: 4000 });
    add(log, exchanged('/', 'x'.repeat(9000)));
    expect([log.entries().length, log.dropped()]).toEqual([0, 1]);
    add(log, exchanged('/small'));
    expect(log.entries().map(({ path }) => path)).toEqual(['/small']);
  });

  it('goes on counting after it was cleared', () => {
    const log = createTrafficLog({ entries: 10, bytes: 1_000_000 });
    add(log, exchanged('/1'));
    log.clear();
    add(log, exchanged('/2'));
    expect(log.entries().map(({ id, path }) => [id, path])).toEqual([[2, '/2']]);
    expect(log.dropped()).toBe(0);
  });
});
