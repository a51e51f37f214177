/** The health of a server that keeps bytes in memory. */
import { expect, it } from '@jest/globals';
import type { components } from '../../src/client/generated/control.ts';
import { createMemoryWorldBytes } from '../../src/server/server-worlds.ts';
import { memoryHealth } from '../../src/server/worlds/store-health.ts';
import { storeText, takeAway } from '../storage/blob-storage.suite.ts';
import { createTestAtoll } from '../support/atoll.ts';

it('is degraded while the bytes in memory are near their limit', async () => {
  const storage = createMemoryWorldBytes(640).openStorage();
  const atoll = await createTestAtoll({ app: { health: memoryHealth(() => new Map([['public', storage]])) } });
  const codes = async (): Promise<string[]> => {
    const answer = await atoll.send('GET', '/_atoll/health').expect(200);
    return (answer.body as components['schemas']['Health']).reasons.map(({ code }) => code); // the document says so
  };
  const blob = await storeText(storage, 'x'.repeat(640));
  expect(await codes()).toEqual(['memory_full']);
  await takeAway(storage, blob.key);
  expect(await codes()).toEqual([]);
});
