/** The generic icons that stand for media without a picture: one file entity each, made when first needed (R 3.1). */
import { newFields } from '../../model/default-fields.ts';
import type { Entity } from '../../model/entity.ts';
import { secondsOf } from '../../model/clock.ts';
import { fileAt } from '../index-keys.ts';
import type { Bundle } from '../../model/bundle.ts';
import { pixelsOf } from './pixels.ts';
import type { RepositoryParts } from '../repository-parts.ts';

export type MediaIcons = {
  /** The id of the icon's file entity; undefined for bundles that need none. */
  fileFor(bundle: Bundle, uid: number): Promise<number | undefined>;
};

/** Icons lie in the site's default scheme, where the reference keeps them. */
export const createMediaIcons = (parts: RepositoryParts): MediaIcons => ({
  fileFor: async (bundle, uid) => {
    const source = bundle.source;
    if (source === undefined || source.kind === 'image') return undefined;
    const uri = `${parts.site.defaultScheme}://media-icons/generic/${source.icon}`;
    const [[present] = []] = await parts.store.lookupMany([fileAt(uri)]);
    return present?.id ?? makeIcon(parts, uri, source.icon, uid);
  },
});

const makeIcon = async (
  parts: RepositoryParts,
  uri: string,
  name: string,
  uid: number,
): Promise<number | undefined> => {
  const storage = parts.blobs.get(parts.site.defaultScheme);
  const bundle = parts.site.model.bundle('file', 'file');
  if (storage === undefined || bundle === undefined) return undefined;
  const bytes = await parts.readIcon(name);
  const received = await storage.receive(once(bytes), { maxBytes: bytes.length });
  const blob = { ...(await received.keep()), ...pixelsOf(received.head) };
  const uuid = parts.ids.uuid();
  const { id, isNew } = await parts.store.transact([{ index: fileAt(uri) }], (view) => {
    const [present] = view.lookup(fileAt(uri));
    if (present !== undefined) return { changes: [], result: { id: present.id, isNew: false } };
    const file: Entity = {
      type: 'file',
      id: view.nextId('file'),
      uuid,
      bundle: 'file',
      blob,
      fields: {
        ...newFields({ bundle, langcode: parts.site.langcode, uid, now: secondsOf(parts.clock), revision: 0 }),
        filename: [{ value: name }],
        uri: [{ value: uri }],
        filemime: [{ value: 'image/png' }],
        filesize: [{ value: blob.size }],
        status: [{ value: true }],
      },
    };
    return { changes: [{ put: file }], result: { id: file.id, isNew: true } };
  });
  if (!isNew) await storage.remove(blob.key);
  return id;
};

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
