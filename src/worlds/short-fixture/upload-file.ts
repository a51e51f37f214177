/** Makes the media of one file of a short fixture, as an upload of the file would. */
import { basename, dirname, resolve } from 'node:path';
import { lookup } from 'mime-types';
import { extensionOf } from '../../content/fields/reference-types.ts';
import { iconFileFor } from '../../content/uploads/media-icons.ts';
import { openUpload } from '../../content/uploads/media-upload.ts';
import type { Bundle } from '../../model/bundle.ts';
import type { Principal } from '../../model/principal.ts';
import { notFound } from '../../problem.ts';
import { openRegularFile, unreadableReason } from '../../site/regular-file.ts';
import { orFlaw, termCalled, type Expansion } from './expansion.ts';
import type { Keys } from '../../basics/json-pointer.ts';
import type { ShortFile } from './read-short-fixture.ts';

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
  // First, so that the uuids of this file do not depend on whether an earlier one has made the icon.
  nameUuids(`icon ${bundle.source?.icon ?? ''}`);
  await iconFileFor(repository.parts, bundle, owner);
  const handle = await openRegularFile(path).catch((cause: unknown) => {
    const message = `${path} cannot be read: ${unreadableReason(cause)}.`;
    throw fixture.flaw([...keys, 'path'], message, 'Name a file, seen from the folder of the fixture.', cause);
  });
  try {
    bytes.use(path);
    nameUuids(`file ${place.name}`);
    const { created } = await orFlaw(expansion, keys, async () => {
      const absent = () => notFound('It is not there.');
      const target = {
        node: { type: 'node', id: place.node, absent },
        mediaType: { name: bundle.id, absent },
        term: { type: 'taxonomy_term', id: term, absent },
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
    if (created) return;
    throw fixture.flaw(keys, 'another file of this object has the same use.', 'Give each file a use of its own.');
  } finally {
    await handle.close();
  }
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
