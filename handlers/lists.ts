/** The lists of a site: which records its declarations name, page by page, as whole records or as rows. Beyond the contract. */
import { pageOf, readPage } from '../src/core/content/lists/list-page.ts';
import { presentRecordsOf, recordsOf, type ListRequest } from '../src/core/content/lists/list-records.ts';
import { throwIfDenied, listVerdict } from '../src/core/content/verdicts.ts';
import { checkedType, operationsOfLists } from '../src/core/document/lists/list-operations.ts';
import type { DocumentObject } from '../src/core/document/document.ts';
import type { AnyHandler, AnyRequest, ListAtOnce } from '../src/core/engine/handler.ts';
import { pageLinkHeaders, type PageQuery } from '../src/core/links/page-links.ts';
import { listRows, presentList, representList } from '../src/core/representations/represent-list.ts';
import { entityKey, type Entity } from '../src/core/model/entity.ts';
import type { RecordList } from '../src/core/site/record-list.ts';
import type { Site } from '../src/core/site/site.ts';
import type { World } from '../src/core/world.ts';

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
  const stations: AnyHandler = async (request, world) => {
    const viewer = request.identity.principal;
    throwIfDenied(listVerdict(viewer, list));
    for (const { type, parameter } of checked) {
      const id = Number(request.path[parameter]);
      await world.repository.view(viewer, { type, id, absent: () => request.absent(parameter) });
    }
    return () => answer(list, parameters, request, world);
  };
  const listAtOnce: ListAtOnce = ({ path, query, identity: { principal: viewer }, format, present, checks }, world) => {
    if (list.columns !== undefined || listVerdict(viewer, list) !== undefined) return undefined;
    const { repository, site, baseUrl, basePath } = world;
    for (const { type, parameter } of checked) {
      const record = present.get(entityKey(type, Number(path[parameter])));
      if (record === undefined || repository.canView(viewer, record) !== true) return undefined;
    }
    const asked = { path: argumentsOf(list, parameters, path), query };
    const records = presentRecordsOf(list, asked, repository, viewer);
    if (records === undefined) return undefined;
    const { page, headers } = pageIn(records, list, asked, world);
    const shown = presentList(page.entries, format, { site, baseUrl, basePath, viewer, checks, targets: present });
    return shown && { headers, shown };
  };
  return Object.assign(stations, { listAtOnce });
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

const answer = async (list: RecordList, parameters: readonly string[], request: AnyRequest, world: World) => {
  const viewer = request.identity.principal;
  const asked = { path: argumentsOf(list, parameters, request.path), query: request.query };
  const records = await recordsOf(list, asked, world.repository, viewer);
  const { page, headers } = pageIn(records, list, asked, world);
  return {
    ...{ status: 200 as const, headers },
    ...(list.columns === undefined
      ? await representList(page.entries, request.format, { ...world, viewer })
      : { mediaType: 'application/json', body: await listRows(page.entries, list.columns, { ...world, viewer }) }),
  };
};
