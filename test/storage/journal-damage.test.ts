/** Whatever is damaged in a store: it is whole, or it is refused with file and offset. The long form: `test/system/faults/torn.mjs`. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { makeStore, outcomeOf, type Damage, type SoundStore } from './journal-damage.ts';

let stores: Record<'closed' | 'open', SoundStore>;
beforeAll(async () => {
  stores = { closed: await makeStore(true), open: await makeStore(false) };
});
afterAll(async () => {
  for (const store of Object.values(stores)) await store.remove();
});

const part = fc.double({ min: 0, max: 0.999999, noNaN: true });
const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom('cut', 'cutAtLine', 'flip', 'zero', 'hole'),
  file: fc.nat(20),
  at: part,
  length: part,
});

it.each(['closed', 'open'] as const)(
  'no damage to a store that was left %s loses an acknowledged batch in silence',
  async (state) => {
    await fc.assert(
      fc.asyncProperty(damage, async (each) => expect(await outcomeOf(stores[state], each)).toBeUndefined()),
      { numRuns: 60 },
    );
  },
  30_000,
);
