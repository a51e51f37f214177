/** Provides the generic icons of media that are not images. Each icon is one file entity, created when it is first needed. */
import { imageSize } from 'image-size';
import type { MediaSource } from '../../model/bundle.ts';
import { secondsOf } from '../../model/clock.ts';
import type { BlobReference } from '../../model/entity.ts';
import type { Principal } from '../../model/principal.ts';
import { fileAt } from '../index-keys.ts';
import type { RepositoryParts } from '../repository-parts.ts';
import { newFile } from './media-source.ts';

/** The library knows each format by so many bytes at most. */
const signatureBytes = 4096;

/**
 * Width and height in pixels. Empty when the bytes are not an image of a known format, or a broken one. `head` has the first bytes in
 * pieces.
 */
export const dimensionsOf = (head: readonly Uint8Array[]): Pick<BlobReference, 'width' | 'height'> => {
  try {
    if (!mayBeImage(joined(head, signatureBytes))) return {};
    const { width, height } = imageSize(joined(head));
    return isSize(width) && isSize(height) ? { width, height } : {};
  } catch {
    return {};
  }
};

/** A copy: the library reads beyond the end of a view, and takes what lies there for the rest of a cut file. */
const joined = (pieces: readonly Uint8Array[], length?: number): Uint8Array =>
  new Uint8Array(Buffer.concat(pieces, length ?? pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)));

/** Most uploads are not images, and copying their first 256 KiB for each would cost more than storing them. */
const mayBeImage = (beginning: Uint8Array): boolean => {
  try {
    imageSize(beginning);
    return true;
  } catch (error) {
    return !String(error).endsWith('unsupported file type: undefined');
  }
};

const isSize = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

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
    const blob = { ...(await received.keep()), ...dimensionsOf(received.head) };
    const { id, isNew } = await parts.store.transact([{ index: fileAt(uri) }], (view) => {
      const [present] = view.lookup(fileAt(uri));
      if (present !== undefined) return { changes: [], result: { id: present.id, isNew: false } };
      const context = { view, principal, langcode, now: secondsOf(parts.clock), newUuid: () => uuid };
      const file = newFile(uri, { blob, contentType: 'image/png' }, model, context);
      return { changes: [{ put: file }], result: { id: file.id, isNew: true } };
    });
    isNamed = isNew;
    return id;
  } finally {
    if (isNamed) received.settle();
    else await received.discard().catch(() => undefined);
  }
};

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
