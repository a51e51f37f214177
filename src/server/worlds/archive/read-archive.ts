/** Reads an archive of a repository while it arrives, and checks it before anything is done with it. */
import type { BlobStorage } from '../../../openapi/openapi-records.ts';
import { Problem } from '../../../openapi/openapi-terms.ts';
import { ConfigurationError } from '../../../basics/configuration-error.ts';
import { readArchiveFiles } from '../../../storage/storage-export.ts';
import type { FixtureContent } from '../fixture-content.ts';
import { contentFaults, type JudgedBy, requireFit, type StateOf, type UnfitOptions } from '../check-fixture.ts';

/** An archive that has arrived. */
export type ReceivedArchive = Awaited<ReturnType<typeof receiveArchive>>;

/**
 * Reads an archive. `held` keeps its bytes until the caller removes them. Throws as `readArchiveFiles`, and a Problem 507 when
 * its bytes find no room.
 */
export const receiveArchive = async (source: AsyncIterable<Uint8Array>, held: BlobStorage, mostBytes?: number) => {
  const archive = await readArchiveFiles(source, {
    keep: async ({ bytes, size }) => (await held.receive(bytes, { maxBytes: size, expectedBytes: size })).keep(),
    open: (kept, range) => held.open(kept, range),
    mostBytes,
  });
  const stateOf: StateOf = ({ key, size, sha256 }) => {
    const kept = archive.kept(key);
    if (kept?.size !== size) return 'absent';
    return kept.sha256 === sha256 ? 'whole' : 'changed';
  };
  return { ...archive, stateOf };
};

/**
 * Reads and checks an archive for a site, and counts the files of bytes that its records name. Throws as `receiveArchive`, but with
 * 422 in place of `ConfigurationError`.
 */
export const readArchive = async (
  source: AsyncIterable<Uint8Array>,
  { held, ...judged }: JudgedBy & { readonly held: BlobStorage },
): Promise<ReceivedArchive & { readonly blobCount: number }> => {
  try {
    const received = await receiveArchive(source, held, judged.site.maxUploadBytes);
    await requireArchiveFit(received, judged);
    return { ...received, blobCount: new Set(received.entities.flatMap(({ blob }) => blob?.key ?? [])).size };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new Problem(422, error.message, { cause: error });
  }
};

type ArrivedContent = FixtureContent & Pick<UnfitOptions, 'placeOf'> & { readonly stateOf?: StateOf };

/** `stateOf` knows the states of the bytes; without it they are read. Throws `ConfigurationError` with the file and line of the first fault. */
export const requireArchiveFit = async (archive: ArrivedContent, judged: JudgedBy): Promise<void> =>
  requireFit('The archive', await contentFaults(archive, archive.stateOf ?? archive.blobs, judged), archive);
