/** Names the operations that send the bytes of a site's storages: one pair of operation ids for each storage. */
import type { Site, StorageMount } from '../site/site.ts';

/** A storage, and the ids of its operations: `getPublicContent`, `headPublicContent`. */
export type ContentOperation = {
  readonly mount: StorageMount;
  readonly get: string;
  readonly head: string;
};

/** The contract's own names, for the storage with this access that the contract would mean. */
const ownNames = { open: 'Public', guarded: 'External' } as const;

/**
 * The operations of a site, in the order of its storages. The storage `public`, or else the first open one, has the contract's
 * own operation ids, and so has the first guarded one. The others have ids with their scheme.
 */
export const contentOperations = ({ storages }: Pick<Site, 'storages'>): readonly ContentOperation[] => {
  const main = new Map((['open', 'guarded'] as const).map((access) => [access, mainOf(storages, access)]));
  const taken = new Set<string>(Object.values(ownNames));
  return storages.map((mount) => {
    const name = main.get(mount.access) === mount ? ownNames[mount.access] : freeName(mount.scheme, taken);
    return { mount, get: `get${name}Content`, head: `head${name}Content` };
  });
};

const mainOf = (storages: readonly StorageMount[], access: StorageMount['access']): StorageMount | undefined => {
  const mounts = storages.filter((mount) => mount.access === access);
  return mounts.find(({ scheme }) => inWords(scheme) === ownNames[access]) ?? mounts[0];
};

/** `gs-production` becomes `GsProduction`. */
const inWords = (scheme: string): string =>
  scheme
    .split(/[-_]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

const freeName = (scheme: string, taken: Set<string>): string => {
  const word = inWords(scheme);
  let name = word;
  for (let number = 2; taken.has(name); number += 1) name = `${word}${number}`;
  taken.add(name);
  return name;
};
