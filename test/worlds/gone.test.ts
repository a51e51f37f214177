/** What is said of a world that is gone, by a request that came before its end, is forgotten. */
import { expect, it } from '@jest/globals';
import { createFaultsByWorld, createWorldObserver } from '../../src/server/server-start.ts';
import { createMemoryState } from '../../src/openapi/openapi-host.ts';

it('a fault for a world that is gone strikes nobody who takes its name', () => {
  const faults = createFaultsByWorld();
  faults.intercept('w1', createMemoryState()).drop();
  faults.of('w1').add({ fault: 'connection-reset' });
  faults.intercept('w1', createMemoryState());
  expect(faults.of('w1').list()).toEqual([]);
  faults.of('w1').add({ fault: 'connection-reset' });
  expect(faults.of('w1').list()).toHaveLength(1);
});

it('a world that takes the name of one that is gone has a log of its own', () => {
  const observer = createWorldObserver();
  observer.intercept('w1', createMemoryState()).drop();
  const late = observer.of('w1');
  observer.intercept('w1', createMemoryState());
  expect(observer.of('w1')).not.toBe(late);
  expect(observer.of('w1')).toBe(observer.of('w1'));
});
