/** Finds bytes that a storage has under their hash, so that they need not be received. */
import type { Arrivals } from './arrivals.ts';
import type { ReceivedBlob, BlobReference } from '../../openapi/openapi-records.ts';

/** See `BlobStorage.find`. `isWhole` looks whether these bytes are there. */
export const findBlob = async (
  { arrivals }: { readonly arrivals: Arrivals },
  blob: BlobReference,
  isWhole: (blob: BlobReference) => Promise<boolean>,
): Promise<ReceivedBlob | undefined> => {
  const { key, size, sha256 } = blob;
  const keep = () => Promise.resolve(blob);
  const discard = (): Promise<void> => arrivals.giveUp(key);
  await arrivals.begin(key, () => true);
  try {
    if (await isWhole(blob)) return { size, sha256, head: [], keep, settle: () => arrivals.settle(key), discard };
  } catch (error) {
    await discard();
    throw error;
  }
  await discard();
  return undefined;
};
