/** The generic icons of media that are not images. Each icon is one file entity, created when it is first needed. */
import { newFields } from '../../model/default-fields.ts';
import type { Entity } from '../../model/entity.ts';
import { secondsOf } from '../../model/clock.ts';
import { fileAt } from '../index-keys.ts';
import type { Bundle } from '../../model/bundle.ts';
import { dimensionsOf } from './image-dimensions.ts';
import type { RepositoryParts } from '../repository-parts.ts';

/** The id of the file entity of a bundle's icon. Undefined for bundles that need none. */
export const iconFileFor = async (parts: RepositoryParts, bundle: Bundle, uid: number): Promise<number | undefined> => {
  const source = bundle.source;
  if (source === undefined || source.kind === 'image') return undefined;
  const uri = `${parts.site.defaultScheme}://media-icons/generic/${source.icon}`;
  const [[present] = []] = await parts.store.lookupMany([fileAt(uri)]);
  return present?.id ?? createIcon(parts, uri, source.icon, uid);
};

const createIcon = async (
  parts: RepositoryParts,
  uri: string,
  name: string,
  uid: number,
): Promise<number | undefined> => {
  const storage = parts.blobs.get(parts.site.defaultScheme);
  const bundle = parts.site.model.bundle('file', 'file');
  if (storage === undefined || bundle === undefined) return undefined;
  const bytes = await parts.readIcon(name);
  const received = await storage.receive(streamOf(bytes), { maxBytes: bytes.length });
  const blob = { ...(await received.keep()), ...dimensionsOf(received.head) };
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

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
