/** Finds the record that a URL alias names, on sites that have aliases. */
import { aliasAt } from '../content/index-keys.ts';
import { addressPath } from '../site/site.ts';
import type { World } from '../world.ts';
import type { PlainRequest } from './exchange.ts';
import { hasInvalidIds } from './path-parameters.ts';
import type { Router } from './router.ts';

/** The request at the address of the record that its path is an alias of. A path of the document is no alias. */
export const withoutAlias = async (request: PlainRequest, router: Router, world: World): Promise<PlainRequest> => {
  const match = router.match(request.path);
  if (match !== undefined && !hasInvalidIds(match)) return request;
  const [[record] = []] = await world.store.lookupMany([aliasAt(decoded(request.path))]);
  return record === undefined ? request : { ...request, path: addressPath(world.site, record.type, record.id) };
};

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};
