/** Finds the file of a media, and takes uploads back. */
import { upload } from '../../../../src/client/client.ts';
import { clientOf, type Acting } from '../../api/acting.ts';
import { addressFromHere } from '../../api/address.ts';
import { itemsIn, type ModelBundle } from '../model.ts';
import { deleteRecord, pathOfRecord, readRecord, takeBack } from '../send.ts';

type StoredFile = { readonly id: string; readonly address: string };

const fileOf = async (acting: Acting, { source }: ModelBundle, media: string): Promise<StoredFile | undefined> => {
  const path = await pathOfRecord('media', media);
  if (path === undefined || source === undefined) return undefined;
  const [item] = itemsIn((await readRecord(acting, path))[source.field]);
  const { target_id: id, url } = item ?? {};
  return typeof id === 'number' && typeof url === 'string' ? { id: String(id), address: url } : undefined;
};

/** Deletes a media that an upload has made, and its file. */
export const undoMade = async (acting: Acting, bundle: ModelBundle, media: string): Promise<string> =>
  takeBack(async () => {
    const file = await fileOf(acting, bundle, media);
    await deleteRecord(acting, 'media', media);
    if (file !== undefined) await deleteRecord(acting, 'file', file.id);
  }, 'The media and its file are deleted.');

/** The bytes of a media now, to be put back later. Undefined where the account may not read them. */
export const bytesNow = async (acting: Acting, bundle: ModelBundle, media: string): Promise<Blob | undefined> => {
  try {
    const file = await fileOf(acting, bundle, media);
    if (file === undefined) return undefined;
    return await (await clientOf(acting).fetch(addressFromHere(file.address))).blob();
  } catch {
    return undefined;
  }
};

export const undoReplaced = (acting: Acting, media: string, before: Blob): Promise<string> =>
  takeBack(
    () => upload(clientOf(acting), { to: { media: Number(media) }, body: before }),
    'The media has its old file again.',
  );
