/** Makes the media of an object of the archive: of the media types that fit its files, at the uses that the site has for them. */
import { chunksAtHand } from '../../basics/byte-streams.ts';
import {
  fileAt,
  extensionOf,
  type Bundle,
  type FieldDefinition,
  type MediaSource,
  type Principal,
  type Site,
} from '../../repository/repository.ts';
import { newFile, maxBytesOf, storeUpload } from '../../repository/repository-content.ts';
import { termCalled } from './archive-terms.ts';
import { originalUse, type ArchiveFile } from './archive.ts';
import { addCandidate, makeRecord } from './make-record.ts';
import type { SampleContext } from './sample-context.ts';
import type { Entity, FieldItems, FieldName } from '../../openapi/openapi-records.ts';

/** The fields of a media that may lead to a node of this bundle. */
export const nodeFields = ({ fields }: Bundle, node: string): readonly FieldDefinition[] =>
  [...fields.values()].filter(
    ({ configured, target }) => configured && target?.type === 'node' && target.bundles?.includes(node) !== false,
  );

/** The media type for a file of a node of this bundle: the one for text that was read, for this kind of content, or for any file. */
export const mediaTypeFor = ({ model }: Site, node: string, file: ArchiveFile): Bundle | undefined => {
  const extension = extensionOf(file.path);
  const allowing = model.bundles('media').filter((bundle) => {
    const source = sourceOf(bundle);
    const allowed = source && bundle.fields.get(source.field)?.extensions;
    return source !== undefined && nodeFields(bundle, node).length > 0 && allowed?.includes(extension) !== false;
  });
  const [kind] = file.contentType.split('/');
  const ofKind = (wanted: string | undefined) => allowing.find(({ source }) => source?.kind === wanted);
  const named = (name: RegExp): Bundle | undefined => allowing.find(({ id }) => name.test(id));
  if (kind === 'text') return (readText.test(file.use) ? named(readText) : named(/^files?$/)) ?? ofKind('file');
  return ofKind(kind) ?? ofKind('file');
};

/** A text that was read out of another file, and the media types for such texts. */
const readText = /text|transcript/i;

const sourceOf = ({ source }: Bundle): MediaSource | undefined => (source?.kind === 'oembed' ? undefined : source);

type Place = { readonly node: Entity; readonly owner: Principal };

/** The media types that got a media with every field. */
export type FullTypes = Set<Bundle>;

/** A site without uses can show one media of a kind for an object, so it gets one. */
export const makeArchiveMedia = async (
  sample: SampleContext,
  files: readonly ArchiveFile[],
  place: Place,
  full: FullTypes,
): Promise<void> => {
  const made = new Set<Bundle>();
  for (const file of files) {
    const bundle = mediaTypeFor(sample.site, place.node.bundle, file);
    const source = bundle && sourceOf(bundle);
    if (bundle === undefined || source === undefined) continue;
    const use = await useOf(sample, bundle, file);
    if (made.has(bundle) && use === undefined) continue;
    made.add(bundle);
    const stored = await storeFile(sample, bundle, file, place);
    const item = { target_id: stored.id, ...(source.kind === 'image' && { alt: file.alt ?? stored.name }) };
    const media = await makeRecord(sample, {
      bundle,
      title: stored.name,
      owner: place.owner,
      fill: full.has(bundle) ? 'required' : 'all',
      fields: {
        ...(file.isPublished ? {} : { status: [{ value: false }] }),
        ...leadingTo(bundle, place.node),
        ...(use === undefined ? {} : { field_media_use: [{ target_id: use }] }),
        [source.field]: [item],
      },
      values: ofFile(bundle, { field_original_name: stored.name, field_mime_type: file.contentType }),
    });
    full.add(bundle);
    if (media !== undefined) addCandidate(sample, media);
  }
};

const ofFile = (
  { fields }: Bundle,
  texts: Readonly<Record<FieldName, string>>,
): Readonly<Record<FieldName, FieldItems>> =>
  Object.fromEntries(Object.entries(texts).flatMap(([name, value]) => (fields.has(name) ? [[name, [{ value }]]] : [])));

/** The fields that lead to the node. */
export const leadingTo = (bundle: Bundle, node: Entity): Readonly<Record<FieldName, FieldItems>> =>
  Object.fromEntries(nodeFields(bundle, node.bundle).map(({ name }) => [name, [{ target_id: node.id }]]));

const useOf = async (sample: SampleContext, bundle: Bundle, file: ArchiveFile): Promise<number | undefined> => {
  const field = bundle.fields.get('field_media_use');
  return field && termCalled(sample, field, file.use);
};

/** A derivative lies where everybody may read it, under the name that Islandora gives it. */
const storeFile = async (
  sample: SampleContext,
  bundle: Bundle,
  file: ArchiveFile,
  { node, owner }: Place,
): Promise<{ readonly id: number; readonly name: string }> => {
  const { repository, site, archive } = sample;
  const { storages, defaultScheme, model } = site;
  const name = file.name ?? `${node.id}-${file.use}.${extensionOf(file.path)}`;
  const open = storages.find(({ access }) => access === 'open')?.scheme;
  const own = bundle.fields.get(bundle.source?.field ?? '')?.scheme ?? defaultScheme;
  const month = new Date(sample.now() * 1000).toISOString().slice(0, 'YYYY-MM'.length);
  const uri = `${file.use === originalUse ? own : (open ?? own)}://${month}/${name}`;
  const bytes = await archive.bytes(file);
  sample.nameUuids(`archive file ${node.id} ${name}`);
  const stored = await storeUpload(repository, owner, {
    stream: chunksAtHand(bytes),
    length: bytes.length,
    maxBytes: maxBytesOf(repository, bundle.id),
    uri,
    reads: [{ index: fileAt(uri) }],
    decide: (_view, blob, context) => ({
      file: newFile(uri, { blob, contentType: file.contentType }, model, context),
      old: undefined,
    }),
  });
  return { id: stored.file.id, name };
};
