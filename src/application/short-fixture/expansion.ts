/** Defines what the files of this folder share while they expand a short fixture. */
import type { Keys } from '../../basics/json-pointer.ts';
import { blobNameOf } from '../../basics/records/record-form.ts';
import { termNamed, type FieldDefinition, labelOf, type Site } from '../../repository/repository.ts';
import type { Repository } from '../../repository/repository-content.ts';
import type { BlobStorage } from '../../openapi/openapi-records.ts';
import { Problem } from '../../openapi/openapi-terms.ts';
import { receiveBody } from '../../storage/storage-driver.ts';
import { openFileOfSize } from '../../basics/disk/web-stream.ts';
import type { ShortFixture, ShortObject } from '../../server/server-application.ts';

/** Makes a storage of bytes that stay in the files of their author. An upload hashes and measures them, and nothing is copied. */
type SourceBytes = {
  readonly blobs: BlobStorage;
  /** Bytes that are received from now on are those of this file. */
  use(path: string): void;
  /** The next bytes that are received are those of this file. */
  useOnce(path: string): void;
};

/** A storage whose blobs are the files that were in use when their bytes were received. */
export const createSourceBytes = (): SourceBytes => {
  const paths = new Map<string, string>();
  let current = '';
  let next: string | undefined;
  const receive: BlobStorage['receive'] = async (source, options) => {
    const path = next ?? current;
    next = undefined;
    const received = await receiveBody(source, options, () => Promise.resolve());
    const { size, sha256 } = received;
    const key = blobNameOf(path, sha256);
    paths.set(key, path);
    const keep = () => Promise.resolve({ key, size, sha256 });
    return { ...received, keep, settle: () => undefined, discard: () => Promise.resolve() };
  };
  const blobs: BlobStorage = {
    receive,
    open: async ({ key, size }, range) => {
      const path = paths.get(key);
      return path === undefined ? undefined : openFileOfSize(path, size, range);
    },
    sweep: () => Promise.resolve([]),
    keys: () => Promise.resolve([...paths.keys()].sort()),
  };
  return {
    blobs,
    use: (path) => {
      current = path;
    },
    useOnce: (path) => {
      next = path;
    },
  };
};

/** What the expansion of one file works with. */
export type Expansion = {
  readonly fixture: ShortFixture;
  readonly site: Site;
  readonly repository: Repository;
  readonly bytes: SourceBytes;
  /** Uuids are made from this name from now on. */
  readonly nameUuids: (name: string) => void;
  /** From now on, records are made at this time, in milliseconds since 1970. When left out: at that of the fixture. */
  readonly setTime: (time: number | undefined) => void;
};

/** The name that the file has for an object. */
export const nameOf = ({ name, title }: ShortObject): string => name ?? title;

/** The id of the term with this name that the field may lead to. Throws `ConfigurationError`, which lists the names. */
export const termCalled = async (
  { fixture, site, repository }: Expansion,
  name: string,
  field: FieldDefinition | undefined,
  keys: Keys,
): Promise<number> => {
  const { store } = repository.parts;
  const vocabularies = field?.target?.bundles ?? site.model.bundles('taxonomy_term').map((vocabulary) => vocabulary.id);
  const found = await store.lookupMany(vocabularies.map((vocabulary) => termNamed(vocabulary, name)));
  const [term] = found.flat();
  if (term !== undefined) return term.id;
  const { entities } = await store.list('taxonomy_term', { offset: 0, limit: Number.MAX_SAFE_INTEGER });
  const names = entities.filter(({ bundle }) => vocabularies.includes(bundle)).map(labelOf);
  throw fixture.flaw(keys, `there is no term "${name}".`, `Choose from: ${names.sort().join(', ')}.`);
};

/** Runs work of the repository. Its refusal becomes an error with file and line. */
export const orFlaw = async <T>({ fixture }: Expansion, keys: Keys, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const lines = error.message.split('\n').filter((line) => line !== '' && !/validation failed\.$/.test(line));
    throw fixture.flaw(keys, lines.join(' '), 'The repository would refuse it too.', error);
  }
};
