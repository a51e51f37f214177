/** The files of a site as schemas and types, and lists that a file of one would declare. */
import { join } from 'node:path';
import * as v from 'valibot';
import { diskFolder } from '../../src/application/application-disk.ts';
import { loadSiteFolder, siteSchemas, type RecordList } from '../../src/repository/repository-sites.ts';

export const {
  site: siteFile,
  bundle: bundleFile,
  vocabulary: vocabularyFile,
  list: listFile,
  role: roleFile,
  resource: resourceFile,
} = siteSchemas;

export type BundleInput = v.InferOutput<typeof bundleFile>;
export type FieldInput = BundleInput['fields'][string];
export type VocabularyInput = v.InferOutput<typeof vocabularyFile>;
export type WrittenList = v.InferInput<typeof listFile>;
export type ListInput = v.InferOutput<typeof listFile>;
export type RoleInput = v.InferOutput<typeof roleFile>;
export type ResourceInput = v.InferOutput<typeof resourceFile>;

/** The lists that a site would have by these files. */
export const declaredLists = async (written: readonly WrittenList[]): Promise<readonly RecordList[]> => {
  const folder = diskFolder(join(import.meta.dirname, '../../data/site'));
  const files = new Map(written.map((list, index) => [`lists/${index}.yml`, list]));
  const { lists } = await loadSiteFolder({
    ...folder,
    list: async (part) => (part === 'lists' ? [...files.keys()] : folder.list(part)),
    read: async (name, schema) => (files.has(name) ? v.parse(schema, files.get(name)) : folder.read(name, schema)),
  });
  return lists;
};
