/** Provides the generic icons of media that are not images. Each icon is one file entity, created when it is first needed. */
import { pictureSizeOf } from '../../../basics/file-beginnings.ts';
import type { MediaSource } from '../../model/bundle.ts';
import type { Principal } from '../../model/principal.ts';
import { fileAt } from '../../model/index-keys.ts';
import type { RepositoryParts } from '../repository-parts.ts';
import { newFile } from './media-source.ts';
import { secondsOf, type Change } from '../../../openapi/openapi-records.ts';

/** The id of the file entity of a source's icon. Undefined for images. `beforeFirst` is awaited when the icon has to be made. */
export const iconFileFor = async (
  parts: RepositoryParts,
  source: MediaSource,
  principal: Principal,
  beforeFirst?: () => Promise<void>,
): Promise<number | undefined> => {
  if (source.kind === 'image') return undefined;
  const uri = `${parts.site.iconScheme}://media-icons/generic/${source.icon}`;
  const [[present] = []] = await parts.store.lookupMany([fileAt(uri)]);
  if (present !== undefined) return present.id;
  await beforeFirst?.();
  return createIcon(parts, uri, source.icon, principal);
};

/** The id of the file, and the changes that make it when it is new. */
type Icon = { readonly id: number; readonly made: readonly Change[] | undefined };

const createIcon = async (
  parts: RepositoryParts,
  uri: string,
  name: string,
  principal: Principal,
): Promise<number | undefined> => {
  const storage = parts.blobs.get(parts.site.iconScheme);
  if (storage === undefined) return undefined;
  const bytes = await parts.readIcon(name);
  const received = await storage.receive(streamOf(bytes), { maxBytes: bytes.length });
  const uuid = parts.ids.uuid();
  const { model, langcode } = parts.site;
  let isNamed = false;
  try {
    const blob = { ...(await received.keep()), ...pictureSizeOf(received.head) };
    const { id, made } = await parts.store.transact<Icon>([{ index: fileAt(uri) }], (view) => {
      const [present] = view.lookup(fileAt(uri));
      if (present !== undefined) return { changes: [], result: { id: present.id, made: undefined } };
      const context = { view, principal, langcode, now: secondsOf(parts.clock), newUuid: () => uuid, isOfSite: true };
      const file = newFile(uri, { blob, contentType: 'image/png' }, model, context);
      const changes = parts.reactions?.inTransaction?.([{ put: file }], view, context) ?? [{ put: file }];
      return { changes, result: { id: file.id, made: changes } };
    });
    isNamed = made !== undefined;
    const records = (made ?? []).flatMap((change) => ('put' in change ? { before: undefined, after: change.put } : []));
    if (isNamed) parts.reactions?.afterCommit?.({ records, principal });
    return id;
  } finally {
    if (isNamed) received.settle();
    else await received.discard().catch(() => undefined);
  }
};

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
