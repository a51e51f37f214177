/** The order in which a server stops, and that nothing outside can hold it. */
import { expect, it } from '@jest/globals';
import { stopping } from '../../../src/server/start/stopping.ts';
import { createKeyWarming } from '../../../src/server/start/warm-key.ts';

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
    key: { end: note('key') },
    opened: { close: note('worlds') },
  });
  await stop(100);
  expect(done).toEqual(['drain', 'serving', 'streams', 'reactions', 'listener', 'traffic', 'key', 'worlds']);
});

it('waits for a key that is being made, and makes none afterwards', async () => {
  const done: string[] = [];
  let finish = (): void => undefined;
  const key = createKeyWarming(async () => {
    done.push('begun');
    await new Promise<void>((resolve) => (finish = resolve));
    done.push('made');
  });
  const warmed = key.warm();
  const ended = key.end().then(() => void done.push('ended'));
  finish();
  await Promise.all([warmed, ended]);
  await key.warm();
  expect(done).toEqual(['begun', 'made', 'ended']);
});

it('leaves the failure of a key to who asked for it', async () => {
  const key = createKeyWarming(() => Promise.reject(new Error('The disk is full.')));
  const warmed = key.warm();
  await key.end();
  await expect(warmed).rejects.toThrow('The disk is full.');
});
