/** The bytes of files, under the prefix of their scheme. */
import type { ContractRequest, Handler, FileBody } from '../src/engine/handler.ts';
import type { StorageMount } from '../src/site/site.ts';
import type { World } from '../src/world.ts';

type PathRequest = ContractRequest<{ path: string }, unknown>;

/** The site's first open storage serves one prefix, its first guarded storage the other. */
const openContent = async (request: PathRequest, world: World, access: StorageMount['access']): Promise<FileBody> => {
  const scheme = world.site.storages.find((mount) => mount.access === access)?.scheme ?? '';
  const uri = `${scheme}://${request.path.path}`;
  const { entity } = await world.repository.content(request.identity.principal, uri, () => request.absent('path'));
  return { file: entity, scheme };
};

export const getPublicContent: Handler<'getPublicContent'> = async (request, world) => {
  const body = await openContent(request, world, 'open');
  return async () => ({ status: 200, body });
};

export const getExternalContent: Handler<'getExternalContent'> = async (request, world) => {
  const body = await openContent(request, world, 'guarded');
  return async () => ({ status: 200, body });
};
