/** The handlers that send the bytes of files, under the prefix of their scheme. */
import type { ContractRequest, Handler } from '../src/core/engine/handler.ts';
import type { ContentOperation } from '../src/core/document/content-operations.ts';
import type { World } from '../src/core/world.ts';

type ContentRequest = ContractRequest<{ path: string }, unknown>;

const contentHandler = (schemeIn: (world: World) => string) => async (request: ContentRequest, world: World) => {
  const scheme = schemeIn(world);
  const uri = `${scheme}://${request.path.path}`;
  const file = await world.repository.content(request.identity.principal, uri, () => request.absent('path'));
  return async () => ({ status: 200 as const, body: { file, scheme } });
};

/** The two operations of the contract. A site may have them, others besides them, or others instead: see `contentHandlers`. */
const firstWith = (access: 'open' | 'guarded') => (world: World) =>
  world.site.storages.find((mount) => mount.access === access)?.scheme ?? '';

export const getPublicContent: Handler<'getPublicContent'> = contentHandler(firstWith('open'));
export const getExternalContent: Handler<'getExternalContent'> = contentHandler(firstWith('guarded'));

/** The handlers of a site's own content operations, by operation id: one for each storage. */
export const contentHandlers = (
  operations: readonly ContentOperation[],
): Readonly<Record<string, Handler<'getPublicContent' | 'getExternalContent'>>> =>
  Object.fromEntries(operations.map(({ get, mount }) => [get, contentHandler(() => mount.scheme)]));
