/** The clock of a world that two processes serve. */
import { describe, expect, it } from '@jest/globals';
import { createMemoryState } from '../../src/openapi/openapi-host.ts';
import { createFollowingState } from '../team/state/following.ts';
import { createWorldClock } from '../../src/server/server.ts';
import { createSharingProcesses } from '../team/postgres/sharing-processes.ts';

const createTeam = () => {
  let now = 1_700_000_000_000;
  const real = { now: () => now };
  const { states, exchange } = createSharingProcesses('p1', 'p2');
  const clocks = [createWorldClock(real, states[0]), createWorldClock(real, states[1])] as const;
  return { clocks, exchange, real, pass: (ms: number) => void (now += ms) };
};

describe('the clock of a world at two processes', () => {
  it('is frozen at both, and shows the real time at both again', () => {
    const { clocks, exchange, pass, real } = createTeam();
    const [first, second] = clocks;
    first.set({ mode: 'frozen', now: 1000 });
    exchange();
    pass(5000);
    expect(second.read()).toEqual({ now: 1000, mode: 'frozen' });
    expect(second.isReal()).toBe(false);
    second.set({ mode: 'real' });
    exchange();
    expect(first.now()).toBe(real.now());
    expect([first.isReal(), second.isReal()]).toEqual([true, true]);
  });

  it('goes at the same pace at both', () => {
    const { clocks, exchange, pass } = createTeam();
    clocks[0].set({ mode: 'scaled', now: 0, scale: 60 });
    exchange();
    pass(1000);
    expect(clocks.map((clock) => clock.read())).toEqual([
      { now: 60_000, mode: 'scaled', scale: 60 },
      { now: 60_000, mode: 'scaled', scale: 60 },
    ]);
  });

  it('is moved forward by both at the same moment, and loses none of it', () => {
    const { clocks, exchange } = createTeam();
    const [first, second] = clocks;
    first.set({ mode: 'frozen', now: 0 });
    exchange();
    first.advance(1000);
    second.advance(200);
    first.advance(30);
    exchange();
    expect(clocks.map((clock) => clock.now())).toEqual([1230, 1230]);
    second.set({ mode: 'frozen' });
    exchange();
    expect(clocks.map((clock) => clock.now())).toEqual([1230, 1230]);
    first.set({ mode: 'frozen', now: 5 });
    exchange();
    expect(clocks.map((clock) => clock.now())).toEqual([5, 5]);
  });

  it('is copied with what all of them have moved it forward', () => {
    const { clocks, exchange, real } = createTeam();
    clocks[0].advance(1000);
    clocks[1].advance(200);
    exchange();
    const copy = clocks[0].copy();
    clocks[0].advance(5);
    expect(copy.now() - real.now()).toBe(1200);
    expect([copy.isReal(), clocks[0].isReal()]).toEqual([false, false]);
    expect(createWorldClock(real).copy().isReal()).toBe(true);
  });
});

describe('a clock over a state that is replaced', () => {
  it('follows the state of now', () => {
    const [before, after] = [createMemoryState(), createMemoryState()];
    let current = before;
    const clock = createWorldClock(
      { now: () => 50 },
      createFollowingState(() => current),
    );
    clock.set({ mode: 'frozen', now: 7 });
    current = after;
    expect(clock.now()).toBe(50);
    clock.advance(1);
    expect(clock.now()).toBe(51);
    current = before;
    expect(clock.now()).toBe(7);
  });
});
