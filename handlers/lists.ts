/** The lists of a site: which records its declarations name, page by page, as whole records or as rows. Beyond the contract. */
import { pageOf, readPage } from '../src/content/lists/list-page.ts';
import { recordsOf } from '../src/content/lists/list-records.ts';
import { throwIfDenied, listVerdict } from '../src/content/verdicts.ts';
import { checkedType, operationsOfLists } from '../src/document/lists/list-operations.ts';
import type { DocumentObject } from '../src/document/document.ts';
import type { AnyHandler, AnyRequest } from '../src/engine/handler.ts';
import { pageLinkHeaders, type PageQuery } from '../src/links/page-links.ts';
import { listRows } from '../src/representations/list-rows.ts';
import { representList } from '../src/representations/represent-list.ts';
import type { RecordList } from '../src/site/record-list.ts';
import type { Site } from '../src/site/site.ts';
import type { World } from '../src/world.ts';

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
  return async (request, world) => {
    const viewer = request.identity.principal;
    throwIfDenied(listVerdict(viewer, list));
    for (const { type, parameter } of checked) {
      const id = Number(request.path[parameter]);
      await world.repository.view(viewer, { type, id, absent: () => request.absent(parameter) });
    }
    return () => answer(list, parameters, request, world);
  };
};

const answer = async (list: RecordList, parameters: readonly string[], request: AnyRequest, world: World) => {
  const viewer = request.identity.principal;
  const texts = list.arguments.map(({ name }, at): [string, string | number] => [
    name,
    request.path[parameters[at] ?? name] ?? '',
  ]);
  const asked = { path: Object.fromEntries(texts), query: request.query };
  const records = await recordsOf(list, asked, world.repository, viewer);
  const wanted = readPage(request.query, list.pageSize ?? Math.max(1, records.length));
  const page = pageOf(records, wanted);
  const path = texts.reduce((text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)), list.path);
  return {
    status: 200 as const,
    headers: pageLinkHeaders(world.baseUrl + path, request.query as PageQuery, page), // query parameters are texts and numbers
    ...(list.columns === undefined
      ? await representList(page.entries, request.format, { ...world, viewer })
      : { mediaType: 'application/json', body: await listRows(page.entries, list.columns, { ...world, viewer }) }),
  };
};
