/** Reads the text of a media's file for a save that fills a field with it. */
import type { Bundle } from '../../model/bundle.ts';
import type { RepositoryParts } from '../repository-parts.ts';
import {
  type BlobStorage,
  type BlobReference,
  type Entity,
  entityKey,
  type FieldItems,
  firstValue,
  items,
  textOf,
} from '../../../openapi/openapi-records.ts';

/** The text of bytes, by their hash. */
export type FileText = { readonly sha256: string; readonly text: string };

/** What is longer no record takes, so the field stays empty. */
const longestText = 1024 * 1024;

/** The text when it is that of the file. */
export const textIn = (known: FileText | undefined, { blob }: Entity): string | undefined =>
  known !== undefined && blob?.sha256 === known.sha256 ? known.text : undefined;

/** The text of bytes that a media of this type is about to use. Undefined where no field wants it. */
export const readFileText = async (
  storage: BlobStorage | undefined,
  blob: BlobReference | undefined,
  { source }: Pick<Bundle, 'source'>,
): Promise<FileText | undefined> => {
  if (source?.textField === undefined || blob === undefined || blob.size > longestText) return undefined;
  const stream = await storage?.open(blob);
  if (stream === undefined) return undefined;
  return { sha256: blob.sha256, text: await new Response(stream).text() };
};

/** The same for a save of a media, with the items that the request sends for its source, or those that it has. */
export const fileTextFor = async (
  { store, blobs }: Pick<RepositoryParts, 'store' | 'blobs'>,
  bundle: Bundle,
  media: { readonly sent: FieldItems | undefined; readonly found?: Entity | undefined },
): Promise<FileText | undefined> => {
  const { source } = bundle;
  if (source?.textField === undefined) return undefined;
  const used = media.sent ?? (media.found === undefined ? [] : items(media.found, source.field));
  const id = Number(used[0]?.['target_id']);
  if (!Number.isSafeInteger(id)) return undefined;
  const [file] = await store.getMany([entityKey('file', id)]);
  const scheme = file === undefined ? '' : textOf(firstValue(file, 'uri')).split('://')[0];
  return readFileText(blobs.get(scheme ?? ''), file?.blob, bundle);
};
