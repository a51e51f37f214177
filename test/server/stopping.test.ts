/** The order in which a server stops, and that nothing outside can hold it. */
import { expect, it } from '@jest/globals';
import { stopping } from '../../src/server/start/stopping.ts';

it('does not wait for a receiver of messages that keeps its connection open', async () => {
  const done: string[] = [];
  const note = (name: string) => async (): Promise<void> => void done.push(name);
  const stop = stopping({
    warn: () => undefined,
    readiness: { drain: () => void done.push('drain') },
    serving: { end: note('serving') },
    observer: { end: () => void done.push('streams'), flush: note('traffic') },
    ownWork: { end: () => void done.push('reactions'), close: () => new Promise(() => undefined) },
    callbackSender: undefined,
    listener: { stop: note('listener') },
    opened: { close: note('worlds') },
  });
  await stop(100);
  expect(done).toEqual(['drain', 'serving', 'streams', 'reactions', 'listener', 'traffic', 'worlds']);
});
