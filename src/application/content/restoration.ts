/** What the repository knows of records that are put back: what a deletion took along, and what only one record may have. */
import {
  indexKeys,
  canonicalPath,
  targetIds,
  addressPath,
  repositorySite,
  type Site,
  repositoryWorld,
} from '../../repository/repository.ts';
import { firstValue, type Entity } from '../../openapi/openapi-records.ts';
import { notFound } from '../../openapi/openapi-terms.ts';
import { type RestorationRules, type RecordChange, recordOf } from '../../server/server-application.ts';

/** The person who runs the server puts things back. */
const everybody = { uid: 0, name: '', roles: [], permissions: new Set<string>(), mayEverything: true };

type Gone = ReturnType<RestorationRules['goneWith']>;

/** Aliases, and of a term the terms below. A term that has other parents loses this one. */
const goneWith = (gone: Entity, changes: readonly RecordChange[], site: Site): Gone => {
  const paths = [canonicalPath(gone.type, gone.id), addressPath(site, gone.type, gone.id)];
  return changes.flatMap((change): Gone => {
    if (change.change === 'added') return [];
    const { before } = change;
    if (before.type === 'path_alias') {
      const isOfIt = change.change === 'removed' && paths.some((path) => path === firstValue(before, 'path'));
      return isOfIt ? [{ before }] : [];
    }
    const isBelow =
      gone.type === 'taxonomy_term' && before.type === gone.type && targetIds(before, 'parent').includes(gone.id);
    if (!isBelow || before.id === gone.id) return [];
    if (change.change === 'changed') return [{ before, field: 'parent' }];
    const others = changes.filter((each) => recordOf(each) !== gone);
    return [{ before }, ...goneWith(before, others, site)];
  });
};

export const restoration: RestorationRules = {
  remove: async (world, { type, id }, absent) => {
    const { repository } = repositoryWorld(world);
    const remove = await repository.remove(everybody, { type, id, absent: () => notFound(absent().message) });
    await remove();
  },
  goneWith: (gone, changes, site) => goneWith(gone, changes, repositorySite(site)),
  uniqueKeys: (entity) =>
    indexKeys(entity).filter((key) => /^(?:uuid|user-name|file-at|alias|collection-record):/.test(key)),
  release: (world, former) => repositoryWorld(world).repository.release(former),
};
