/** Derives ids from a seed, so that the same requests give the same uuids and secrets. */
import { hash } from 'node:crypto';
import type { Identifiers } from '../../core/model/clock.ts';

/** A seed, and how many uuids and secrets have been derived from it. */
export type SeedState = { readonly seed: string; readonly uuids: number; readonly secrets: number };

/** The state of a seed before the first id. */
export const seedStateFrom = (seed: string): SeedState => ({ seed, uuids: 0, secrets: 0 });

/** Anybody who knows the seed can compute every uuid and secret. Use them only in worlds for tests. */
export type SeededIds = Identifiers & { state(): SeedState };

/** Continues from a state. The n-th uuid does not depend on how many secrets were derived, nor the n-th secret on uuids. */
export const createSeededIds = ({ seed, ...start }: SeedState): SeededIds => {
  let { uuids, secrets } = start;
  return {
    uuid: () => {
      const hex = hash('sha256', `uuid ${(uuids += 1)} ${seed}`, 'hex');
      // Version 4 and variant 8 (RFC 9562 §5.4).
      const groups = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
      return [...groups, hex.slice(20, 32)].join('-');
    },
    secret: () => hash('sha256', `secret ${(secrets += 1)} ${seed}`, 'base64url'),
    state: () => ({ seed, uuids, secrets }),
  };
};
