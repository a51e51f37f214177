/** Makes the media of one file of a short fixture, as an upload of the file would. */
import { basename, dirname, resolve } from 'node:path';
import { lookup } from 'mime-types';
import {
  extensionOf,
  mediaOfWithTerm,
  type Bundle,
  type FieldDefinition,
  publishedAs,
  workflowOf,
  type Principal,
} from '../../repository/repository.ts';
import { iconFileFor, openUpload } from '../../repository/repository-content.ts';
import { openRegularFile, unreadableReason } from '../../basics/disk/regular-file.ts';
import { orFlaw, termCalled, type Expansion } from './expansion.ts';
import type { Keys } from '../../basics/json-pointer.ts';
import type { ShortFile } from '../../server/server-application.ts';
import { items, type Entity } from '../../openapi/openapi-records.ts';
import { notFound } from '../../openapi/openapi-terms.ts';
import type { JsonObject } from '../../basics/json.ts';

type Place = {
  readonly node: number;
  readonly owner: Principal;
  /** What the uuids of media and file are made from. */
  readonly name: string;
  readonly keys: Keys;
};

/** Makes media and file. Throws `ConfigurationError` with file and line. */
export const uploadFile = async (expansion: Expansion, file: ShortFile, place: Place): Promise<void> => {
  const { fixture, repository, bytes, nameUuids } = expansion;
  const { owner, keys } = place;
  const path = resolve(dirname(fixture.file), file.path);
  const bundle = mediaTypeOf(expansion, file, keys);
  const use = bundle.fields.get('field_media_use');
  const term = await termCalled(expansion, file.use ?? 'Original File', use, file.use ? [...keys, 'use'] : keys);
  const first = file.same_use === true ? await unusedUse(expansion, use, place.node) : term;
  if (fixture.uuids === undefined) {
    // First, so that the uuids of this file do not depend on whether an earlier one has made the icon.
    nameUuids(`icon ${bundle.source?.icon ?? ''}`);
    if (bundle.source !== undefined) await iconFileFor(repository.parts, bundle.source, owner);
  }
  const handle = await openRegularFile(path).catch((cause: unknown) => {
    const message = `${path} cannot be read: ${unreadableReason(cause)}.`;
    throw fixture.flaw([...keys, 'path'], message, 'Name a file, seen from the folder of the fixture.', cause);
  });
  try {
    bytes.use(path);
    nameUuids(`file ${place.name}`);
    const { created, media } = await orFlaw(expansion, keys, async () => {
      const absent = () => notFound('It is not there.');
      const target = {
        node: { type: 'node', id: place.node, absent },
        mediaType: { name: bundle.id, absent },
        term: { type: 'taxonomy_term', id: first, absent },
      } as const;
      const upload = await openUpload(repository, owner, target);
      return upload.receive({
        stream: handle.createReadStream({ autoClose: false }),
        length: (await handle.stat()).size,
        contentType: file.content_type ?? (lookup(path) || 'application/octet-stream'),
        // A header has one character for each byte.
        contentLocation: Buffer.from(file.uri ?? defaultUri(expansion, bundle, path)).toString('latin1'),
      });
    });
    if (!created) {
      throw fixture.flaw(
        keys,
        'another file of this object has the same use.',
        'Give each file a use of its own, or this one same_use.',
      );
    }
    await describeMedia(expansion, media, { bundle, file, term, owner, keys });
  } finally {
    await handle.close();
  }
};

type Described = Pick<Place, 'owner' | 'keys'> & {
  readonly bundle: Bundle;
  readonly file: ShortFile;
  readonly term: number;
};

/** Gives the media what no upload can say. */
const describeMedia = async (
  expansion: Expansion,
  media: Entity,
  { bundle, file: { alt, published, same_use: sameUse }, term, owner, keys }: Described,
): Promise<void> => {
  // Under a workflow an upload makes a draft.
  const isDraft = workflowOf(bundle) !== undefined;
  if (alt === undefined && published === undefined && sameUse !== true && !isDraft) return;
  const source = bundle.source?.field ?? '';
  const body: JsonObject = {
    bundle: [{ target_id: bundle.id }],
    ...(alt === undefined ? {} : { [source]: items(media, source).map(({ target_id }) => ({ target_id, alt })) }),
    ...(sameUse === true ? { field_media_use: [{ target_id: term }] } : {}),
    ...(published === undefined && !isDraft ? {} : publishedAs(bundle, published ?? true)),
  };
  const address = { type: 'media', id: media.id, absent: () => notFound('It is not there.') } as const;
  await orFlaw(expansion, keys, async () => (await expansion.repository.edit(owner, address))(body));
};

/** The id of a term that no media of the node has as its use. An upload with the use of another one would replace that. */
const unusedUse = async (
  { repository, site }: Expansion,
  use: FieldDefinition | undefined,
  node: number,
): Promise<number> => {
  const vocabularies = use?.target?.bundles ?? [];
  const terms = site.terms.filter(({ vocabulary }) => vocabularies.includes(vocabulary)).map(({ tid }) => tid);
  const found = await repository.parts.store.lookupMany(terms.map((term) => mediaOfWithTerm(node, term)));
  return terms.find((_, index) => found[index]?.length === 0) ?? 0;
};

/** Files lie under the month of the fixture, as those of the standard upload do. */
const defaultUri = ({ site, repository }: Expansion, bundle: Bundle, path: string): string => {
  const scheme = bundle.fields.get(bundle.source?.field ?? '')?.scheme ?? site.defaultScheme;
  const month = new Date(repository.parts.clock.now()).toISOString().slice(0, 'YYYY-MM'.length);
  return `${scheme}://${month}/${basename(path)}`;
};

/** The media type that allows the extension: of several the one for this kind of content, else that for any file. */
const mediaTypeOf = ({ site, fixture }: Expansion, file: ShortFile, keys: Keys): Bundle => {
  const types = site.model.bundles('media').filter(({ source }) => source !== undefined);
  const known = types.map(({ id }) => id).join(', ');
  if (file.media_type !== undefined) {
    const named = types.find(({ id }) => id === file.media_type);
    if (named !== undefined) return named;
    const message = `there is no media type "${file.media_type}".`;
    throw fixture.flaw([...keys, 'media_type'], message, `Choose from: ${known}.`);
  }
  const extension = extensionOf(file.path);
  const allowing = types.filter(({ fields, source }) => {
    const allowed = fields.get(source?.field ?? '')?.extensions;
    return allowed === undefined || allowed.includes(extension);
  });
  const kind = (lookup(file.path) || '').split('/')[0];
  const found =
    allowing.find(({ source }) => source?.kind === kind) ??
    allowing.find(({ source }) => source?.kind === 'file') ??
    allowing[0];
  if (found !== undefined) return found;
  const message = `no media type allows the extension "${extension}".`;
  throw fixture.flaw([...keys, 'path'], message, `Name a media_type: ${known}.`);
};
