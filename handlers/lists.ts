/** The lists of a site: which records its declarations name, page by page, as whole records or as rows. Beyond the contract. */
import {
  pageOf,
  readPage,
  recordsOf,
  type ListRequest,
  throwIfDenied,
  listVerdict,
  viewed,
  checkedType,
  operationsOfLists,
  pageLinkHeaders,
  type PageQuery,
  listRows,
  representList,
} from '../src/repository/repository-content.ts';
import type { Records, Site, World } from '../src/repository/repository.ts';
import type { DocumentObject } from '../src/openapi/openapi-terms.ts';
import type { AnyHandler, AnyRequest } from '../src/repository/repository-engine.ts';
import type { RecordList } from '../src/repository/repository-sites.ts';
import type { Entity } from '../src/openapi/openapi-records.ts';

/** The lists that `openapi.yaml` describes. */
export type ListId =
  | 'listNodeMedia'
  | 'listNodeMembers'
  | 'getTermFromUri'
  | 'getTermFromTermName'
  | 'getTermFromAuthorityLink'
  | 'listTermsOfVocabulary'
  | 'getChecksum';

/** The handlers of the lists that a document offers, by operation id. */
export const listHandlers = (document: DocumentObject, site: Site): Readonly<Record<string, AnyHandler>> =>
  Object.fromEntries(
    operationsOfLists(document, site).map(({ id, list, parameters }) => [id, listHandler(list, parameters, site)]),
  );

/** `parameters` are the document's names of the arguments, in their order. */
const listHandler = (list: RecordList, parameters: readonly string[], site: Site): AnyHandler => {
  const checked = list.arguments.flatMap((argument, at) => {
    const type = checkedType(argument, list, site);
    const parameter = parameters[at];
    return type === undefined || parameter === undefined ? [] : [{ type, parameter }];
  });
  return (request, world, records) => {
    const { principal } = request.identity;
    throwIfDenied(listVerdict(principal, list));
    const viewer = { principal, records, site: world.site };
    for (const { type, parameter } of checked) {
      const id = Number(request.path[parameter]);
      viewed({ type, id, absent: () => request.absent(parameter) }, viewer);
    }
    return () => answer(list, argumentsOf(list, parameters, request.path), request, { world, records });
  };
};

/** The arguments of the list by its own names for them. */
const argumentsOf = (
  list: RecordList,
  parameters: readonly string[],
  path: AnyRequest['path'],
): Readonly<Record<string, string | number>> =>
  Object.fromEntries(list.arguments.map(({ name }, at) => [name, path[parameters[at] ?? name] ?? '']));

/** The page that was asked for, and the headers that lead to the others. */
const pageIn = (records: readonly Entity[], list: RecordList, { path, query }: ListRequest, world: World) => {
  const page = pageOf(records, readPage(query, list.pageSize ?? Math.max(1, records.length)));
  const address = Object.entries(path).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    list.path,
  );
  return { page, headers: pageLinkHeaders(world.baseUrl + address, query as PageQuery, page) }; // query parameters are texts and numbers
};

const answer = (
  list: RecordList,
  path: ListRequest['path'],
  { identity: { principal }, query, format }: AnyRequest,
  { world, records }: { readonly world: World; readonly records: Records },
) => {
  const { site, store, blobs, baseUrl, basePath } = world;
  const asked = { path, query };
  const found = recordsOf(list, asked, { principal, records, site, store });
  const { page, headers } = pageIn(found, list, asked, world);
  return {
    ...{ status: 200 as const, headers },
    ...(list.columns === undefined
      ? representList(page.entries, format, { site, baseUrl, basePath, records, viewer: principal })
      : {
          mediaType: 'application/json',
          body: listRows(page.entries, list.columns, { site, baseUrl, basePath, blobs, records, principal }),
        }),
  };
};
