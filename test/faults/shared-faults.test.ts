/** Faults of a world that two processes serve: added at one, they strike at both, as often as they were told. */
import { repositoryFaults } from '../../src/application/faults/repository-faults.ts';
import { describe, expect, it } from '@jest/globals';
import { createFaults, type FaultRequest } from '../../src/server/faults/faults.ts';
import type { Faults } from '../../src/server/server-start.ts';
import {
  type PlainReply,
  type PlainRequest,
  createMemoryState,
  type WorldState,
} from '../../src/openapi/openapi-host.ts';
import type { World } from '../../src/repository/repository.ts';
import { createSharingProcesses } from '../team/postgres/sharing-processes.ts';

const reply: PlainReply = { status: 200, headers: {}, body: undefined };
const world = { site: { tokensOfToday: false } } as World; // all that the faults of these tests read

type TestProcess = {
  readonly faults: Faults;
  readonly ask: (headers?: PlainRequest['headers']) => Promise<PlainReply>;
};

const serve = (state: WorldState, seen: PlainRequest['headers'][] = []): TestProcess => {
  const faults = createFaults({
    seed: 's',
    wait: async () => undefined,
    state,
    ofApplication: repositoryFaults,
  });
  const answer = faults.intercept(
    async (request) => {
      seen.push(request.headers);
      return reply;
    },
    () => undefined,
  );
  const request = { method: 'GET', path: '/', query: '', address: '', body: [] as never } as const; // nobody reads it
  return { faults, ask: (headers = {}) => answer({ ...request, headers }, world) };
};

const createTeam = () => {
  const { states, exchange, start } = createSharingProcesses('p1', 'p2');
  const processes = [serve(states[0]), serve(states[1])] as const;
  /** Asks the processes in turn, and has them learn of each other between two requests. */
  const inTurn = async (times: number): Promise<number[]> => {
    const met: number[] = [];
    for (let time = 0; time < times; time += 1) {
      met.push((await processes[time % 2 === 0 ? 0 : 1].ask()).status);
      exchange();
    }
    return met;
  };
  return { processes, exchange, start, inTurn };
};

const unavailable: FaultRequest = { fault: 'status', parameters: { status: 503 } };
const struckOf = ({ faults }: TestProcess): number[] => faults.list().map(({ struck }) => struck);

describe('a fault that one process has added', () => {
  it('strikes after so many and so many times, whichever process is asked', async () => {
    const { processes, exchange, inTurn } = createTeam();
    processes[1].faults.add({ ...unavailable, after: 3, count: 2 });
    exchange();
    expect(await inTurn(8)).toEqual([200, 200, 200, 503, 503, 200, 200, 200]);
    expect(processes.map(struckOf)).toEqual([[2], [2]]);
    expect(processes[0].faults.list()).toEqual(processes[1].faults.list());
  });

  it('strikes at most once more for each process when they answer at the same moment', async () => {
    const { processes, exchange } = createTeam();
    processes[0].faults.add({ ...unavailable, count: 1 });
    exchange();
    const met = await Promise.all(processes.map(({ ask }) => ask()));
    expect(met.map(({ status }) => status)).toEqual([503, 503]);
    exchange();
    expect(processes.map(struckOf)).toEqual([[2], [2]]);
    expect((await processes[0].ask()).status).toBe(200);
  });

  it('strikes the same share of the requests as with one process', async () => {
    const alone = serve(createMemoryState());
    alone.faults.add({ ...unavailable, rate: 0.4 });
    const one: number[] = [];
    for (let time = 0; time < 40; time += 1) one.push((await alone.ask()).status);
    const { processes, exchange, inTurn } = createTeam();
    processes[0].faults.add({ ...unavailable, rate: 0.4 });
    exchange();
    expect(await inTurn(40)).toEqual(one);
    expect(new Set(one)).toEqual(new Set([200, 503]));
  });

  it('remembers for all of them what it counts', async () => {
    const { states, exchange } = createSharingProcesses('p1', 'p2');
    const seen: PlainRequest['headers'][] = [];
    const [first, second] = [serve(states[0], seen), serve(states[1], seen)];
    first.faults.add({ fault: 'token-expires', parameters: { requests: 2 } });
    exchange();
    for (const { ask } of [first, second, first, second]) {
      await ask({ authorization: 'Bearer secret-token' });
      exchange();
    }
    expect(seen.map(({ authorization }) => authorization)).toEqual([
      'Bearer secret-token',
      'Bearer secret-token',
      'Bearer expired',
      'Bearer expired',
    ]);
    const kept = [...states[0].map('fault-memory', 1).entries()].map(([key]) => key);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.join()).not.toContain('secret-token');
    second.faults.clear();
    exchange();
    expect([...states[0].map('fault-memory', 1).entries()]).toEqual([]);
  });

  it('is removed and cleared at both, and counts from 0 when it is added again', async () => {
    const { processes, exchange, inTurn } = createTeam();
    const [first, second] = processes;
    const id = first.faults.add({ ...unavailable, count: 1 });
    exchange();
    expect(await inTurn(2)).toEqual([503, 200]);
    expect(second.faults.remove(id)).toBe(true);
    exchange();
    expect([first.faults.list(), first.faults.remove(id)]).toEqual([[], false]);
    first.faults.add({ ...unavailable, count: 1 });
    exchange();
    expect(await inTurn(2)).toEqual([503, 200]);
    second.faults.clear();
    exchange();
    expect(processes.map(({ faults }) => faults.list())).toEqual([[], []]);
    second.faults.add({ ...unavailable, count: 1 });
    exchange();
    expect(await inTurn(2)).toEqual([503, 200]);
  });

  it('is there at a process that starts later', async () => {
    const { processes, exchange, start } = createTeam();
    processes[0].faults.add({ ...unavailable, count: 2 });
    exchange();
    expect((await processes[0].ask()).status).toBe(503);
    exchange();
    const later = serve(start('p3'));
    expect([(await later.ask()).status, (await later.ask()).status]).toEqual([503, 200]);
  });
});

describe('faults that two processes add at the same moment', () => {
  it('have ids of their own, and apply in one order at both', () => {
    const { processes, exchange } = createTeam();
    const ids = processes.map(({ faults }) => faults.add(unavailable));
    exchange();
    expect(new Set(ids).size).toBe(2);
    const third = processes[1].faults.add(unavailable);
    exchange();
    for (const { faults } of processes) expect(faults.list().map(({ id }) => id)).toEqual([...ids, third]);
  });

  it('of another version, which this one does not know, leave requests alone', async () => {
    const { states, exchange } = createSharingProcesses('newer', 'older');
    const newer = states[0].map('faults', 1000);
    newer.set('f1-newer', { key: 'f1-newer/1', id: 'f1-newer', number: 1, request: { fault: 'moon-phase' } });
    exchange();
    const { ask, faults } = serve(states[1]);
    expect([(await ask()).status, faults.list()]).toEqual([200, []]);
  });
});
