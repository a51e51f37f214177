/** Finds the operations of a site's lists in a document, and names those that only a site's declarations make. */
import { entityTypes } from '../../model/entity.ts';
import { pathShape, type ListArgument, type RecordList } from '../../site/record-list.ts';
import type { Site } from '../../site/site.ts';
import { type DocumentObject, partOf } from '../../../openapi/openapi-terms.ts';

/** A list, its GET, and the document's names of its arguments in their order. */
type ListOperation = { readonly id: string; readonly list: RecordList; readonly parameters: readonly string[] };

/** The operations of the site's lists that the document has. */
export const operationsOfLists = (
  { paths }: Pick<DocumentObject, 'paths'>,
  { lists }: Pick<Site, 'lists'>,
): readonly ListOperation[] => {
  const byShape = new Map(lists.map((list) => [pathShape(list.path), list]));
  return Object.entries(paths).flatMap(([path, item]) => {
    const get = partOf(item['get']);
    const list = get['x-list'] === true ? byShape.get(pathShape(path)) : undefined;
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    return list === undefined ? [] : [{ id: String(get['operationId']), list, parameters }];
  });
};

/** The type of the record that an argument names and that must be there. Undefined where nothing is checked. */
export const checkedType = (
  { field, isChecked }: ListArgument,
  { entityType }: RecordList,
  { model }: Pick<Site, 'model'>,
): string | undefined => {
  if (!isChecked) return undefined;
  const [definition] = model.bundles(entityType).flatMap(({ fields }) => fields.get(field.name) ?? []);
  return entityTypes.find((type) => type === definition?.target?.type);
};

/** `/api/book-list/{node}` becomes `ApiBookList`: GET has the id `listApiBookList`, HEAD `headApiBookList`. */
export const listNames = (
  lists: readonly RecordList[],
  taken: ReadonlySet<string>,
): ReadonlyMap<RecordList, string> => {
  const used = new Set(taken);
  return new Map(
    lists.map((list) => {
      const word = inWords(list.path);
      let name = word;
      for (let number = 2; used.has(`list${name}`) || used.has(`head${name}`); number += 1) name = `${word}${number}`;
      used.add(`list${name}`);
      return [list, name];
    }),
  );
};

const inWords = (path: string): string =>
  path
    .split('/')
    .flatMap((part) => part.replace(/^\{(.*)\}$/, 'of-$1').split(/[^A-Za-z0-9]+/))
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
