/** Derives ids from a seed, so that the same requests give the same uuids and secrets. */
import { hash } from 'node:crypto';
import { derivedUuid } from '../../basics/secrets/derived-uuid.ts';
import type { Identifiers } from '../../openapi/openapi-records.ts';

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
    uuid: () => derivedUuid(`uuid ${(uuids += 1)} ${seed}`),
    secret: () => hash('sha256', `secret ${(secrets += 1)} ${seed}`, 'base64url'),
    state: () => ({ seed, uuids, secrets }),
  };
};
