/** Chance that can be repeated: uuids and secrets drawn from a seed, so that the same requests give the same bytes. */
import { hash } from 'node:crypto';
import type { Identifiers } from '../model/clock.ts';

/** Where two rows of draws stand: of which seed they are, and how many were drawn from each. */
export type SeedState = { readonly seed: string; readonly uuids: number; readonly secrets: number };

/** The beginning of a seed's rows. */
export const seedStateFrom = (seed: string): SeedState => ({ seed, uuids: 0, secrets: 0 });

/** Draws on from there. Whoever knows the seed knows every uuid and secret: for worlds that serve tests. */
export type SeededIdentifiers = Identifiers & { chance(): SeedState };

/** The n-th uuid and the n-th secret of a seed are always the same, however many there are of the other. */
export const seededIdentifiers = ({ seed, ...drawn }: SeedState): SeededIdentifiers => {
  let { uuids, secrets } = drawn;
  return {
    uuid: () => {
      const hex = hash('sha256', `uuid ${(uuids += 1)} ${seed}`, 'hex');
      // Version 4 and variant 8 (RFC 9562 §5.4).
      const groups = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
      return [...groups, hex.slice(20, 32)].join('-');
    },
    secret: () => hash('sha256', `secret ${(secrets += 1)} ${seed}`, 'base64url'),
    chance: () => ({ seed, uuids, secrets }),
  };
};
