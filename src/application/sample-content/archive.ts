/** Reads the archive of Saltmarsh Quay, the starter fixture, by what it says and not by ids: objects, terms and files for any site. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lookup } from 'mime-types';
import { readRegularFile } from '../../basics/disk/regular-file.ts';
import { onceFor } from '../../basics/once.ts';
import { parseYamlFile } from '../../basics/yaml/read-yaml.ts';
import { extensionOf } from '../../repository/repository.ts';
import type { ShortObject } from '../../server/server-application.ts';

/** A term of the default site. `uri` is what it is called in every installation. */
export type ArchiveTerm = {
  readonly vocabulary: string;
  readonly name: string;
  readonly description?: string;
  readonly uri?: string;
};

/** A file of an object. `name` is what its owner called it; a derivative has none. */
export type ArchiveFile = {
  readonly path: string;
  readonly name: string | undefined;
  readonly use: string;
  readonly contentType: string;
  readonly alt: string | undefined;
  readonly isPublished: boolean;
  /** Makes the bytes of a file that is not in the package. */
  readonly draw?: () => Promise<Buffer>;
};

export type ArchiveObject = Omit<ShortObject, 'files'> & { readonly files: readonly ArchiveFile[] };

export type Archive = {
  readonly objects: readonly ArchiveObject[];
  /** Those of a vocabulary of the default site. */
  readonly terms: (vocabulary: string) => readonly ArchiveTerm[];
  /** Files with an extension that are large enough to be looked at. */
  readonly files: (extension: string) => readonly ArchiveFile[];
  readonly bytes: (file: ArchiveFile) => Promise<Buffer>;
};

export const originalUse = 'Original File';
const thumbnailUse = 'Thumbnail Image';

const remedy = 'Install the package again.';

/** The archive below the folder of the package. It is read once. */
export const readArchive = onceFor(async (root: string): Promise<Archive> => {
  const folder = join(root, 'data/fixtures/starter');
  const [fixture, terms] = await Promise.all([
    parseYamlFile(join(folder, 'fixture.yaml'), remedy),
    readTerms(join(root, 'data/site/vocabularies')),
  ]);
  const { objects } = fixture.value as { readonly objects: readonly ShortObject[] }; // the tests hold it to its schema
  const own = objects.map((object) => ({ ...object, files: filesOf(folder, object) }));
  const files = own.flatMap((object) => object.files).filter(({ use }) => use !== thumbnailUse);
  const bytes = onceFor(readRegularFile);
  return {
    objects: own,
    terms: (vocabulary) => terms.filter((term) => term.vocabulary === vocabulary),
    files: (extension) => files.filter(({ path }) => extensionOf(path) === extension),
    bytes: ({ path }) => bytes(path),
  };
});

const readTerms = async (folder: string): Promise<readonly ArchiveTerm[]> => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yml')).sort();
  const lists = files.map(async (name) => {
    const { value } = await parseYamlFile(join(folder, name), remedy);
    const { id, terms = [] } = value as { readonly id: string; readonly terms?: readonly ArchiveTerm[] }; // the tests load the site
    return terms.map((term) => ({ ...term, vocabulary: id }));
  });
  return (await Promise.all(lists)).flat();
};

const filesOf = (folder: string, { files = [] }: ShortObject): readonly ArchiveFile[] =>
  files.map(({ path, uri, use = originalUse, alt, published, content_type: contentType }) => ({
    path: join(folder, path),
    name: use === originalUse ? uri?.split('/').at(-1) : undefined,
    use,
    contentType: contentType ?? (lookup(path) || 'application/octet-stream'),
    alt,
    isPublished: published ?? true,
  }));
