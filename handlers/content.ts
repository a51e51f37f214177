/** The handlers that send the bytes of files, under the prefix of their scheme. */
import type { Records, World } from '../src/repository/repository.ts';
import { fileToSend } from '../src/repository/repository-content.ts';
import type { ContractRequest, Reader, ContentOperation } from '../src/repository/repository-engine.ts';

type ContentRequest = ContractRequest<{ path: string }, unknown>;

const contentHandler =
  (schemeIn: (world: World) => string) => (request: ContentRequest, world: World, records: Records) => {
    const scheme = schemeIn(world);
    const viewer = {
      ...{ principal: request.identity.principal, records, site: world.site },
      opensUnusedFiles: world.repository.parts.opensUnusedFiles === true,
    };
    const file = fileToSend(`${scheme}://${request.path.path}`, () => request.absent('path'), viewer);
    return () => ({ status: 200 as const, body: { file, scheme } });
  };

/** The two operations of the contract. A site may have them, others besides them, or others instead: see `contentHandlers`. */
const firstWith = (access: 'open' | 'guarded') => (world: World) =>
  world.site.storages.find((mount) => mount.access === access)?.scheme ?? '';

export const getPublicContent: Reader<'getPublicContent'> = contentHandler(firstWith('open'));
export const getExternalContent: Reader<'getExternalContent'> = contentHandler(firstWith('guarded'));

/** The handlers of a site's own content operations, by operation id: one for each storage. */
export const contentHandlers = (
  operations: readonly ContentOperation[],
): Readonly<Record<string, Reader<'getPublicContent' | 'getExternalContent'>>> =>
  Object.fromEntries(operations.map(({ get, mount }) => [get, contentHandler(() => mount.scheme)]));
