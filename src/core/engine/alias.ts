/** Finds what a path leads to that is no path of the document: a URL alias, on sites that have aliases. */
import { aliasAt } from '../content/index-keys.ts';
import { firstValue, textOf, type Entity } from '../model/entity.ts';
import { addressPath, type Site } from '../site/site.ts';
import type { World } from '../world.ts';
import type { PlainRequest } from './exchange.ts';
import { hasInvalidIds } from './path-parameters.ts';
import type { Match } from './router.ts';

/** Whether a path that the document has in this way, or not at all, can be an alias on this site. */
export const mayBeAlias = (match: Match | undefined, { site }: Pick<World, 'site'>): boolean =>
  (match === undefined || hasInvalidIds(match)) && (site.modules.path || site.resources.has('path_alias'));

/** The request at the address of the record that its path is an alias of. */
export const withoutAlias = async (request: PlainRequest, world: World): Promise<PlainRequest> => {
  const [[record] = []] = await world.store.lookupMany([aliasAt(decodedPath(request.path))]);
  return record === undefined ? request : { ...request, path: pathBehind(record, world.site) };
};

/** An alias is a record of its own. open: an alias that a fixture brings is known to its record alone. */
const pathBehind = (record: Entity, site: Site): string =>
  record.type === 'path_alias' ? textOf(firstValue(record, 'path')) : addressPath(site, record.type, record.id);

export const decodedPath = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};
