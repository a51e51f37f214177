/** The handlers that send the bytes of files, under the prefix of their scheme. */
import type { ContractRequest, Handler } from '../src/engine/handler.ts';
import type { StorageMount } from '../src/site/site.ts';
import type { World } from '../src/world.ts';

/** The site's first open storage serves one prefix, its first guarded storage the other. */
const contentHandler =
  (access: StorageMount['access']) => async (request: ContractRequest<{ path: string }, unknown>, world: World) => {
    const scheme = world.site.storages.find((mount) => mount.access === access)?.scheme ?? '';
    const uri = `${scheme}://${request.path.path}`;
    const file = await world.repository.content(request.identity.principal, uri, () => request.absent('path'));
    return async () => ({ status: 200 as const, body: { file, scheme } });
  };

export const getPublicContent: Handler<'getPublicContent'> = contentHandler('open');
export const getExternalContent: Handler<'getExternalContent'> = contentHandler('guarded');
