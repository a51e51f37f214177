/** Gives a document the lists of a site: those that `openapi.yaml` describes, changed as the site says, and the site's own. */
import { listOf } from '../../../basics/json.ts';
import { areEqual } from '../../../basics/equal-values.ts';
import { anonymousPrincipal } from '../../site/permissions.ts';
import { listVerdict } from '../../content/verdicts.ts';
import { ConfigurationError } from '../../../basics/configuration-error.ts';
import { pathShape, type RecordList } from '../../site/record-list.ts';
import type { Site } from '../../site/site.ts';
import { type DocumentObject, partOf, without, type Part } from '../../../openapi/openapi-terms.ts';
import { withProviders } from '../specialise-operations.ts';
import { listNames } from './list-operations.ts';
import { listParameters, pathParameters } from './list-parameters.ts';
import { listResponses } from './list-responses.ts';

type PathEntry = readonly [path: string, item: Part];

type Surroundings = { readonly document: DocumentObject; readonly site: Site };

/** The paths of the document. A described list that the site does not have is gone. */
export const withSiteLists = (document: DocumentObject, site: Site): readonly PathEntry[] => {
  const entries = Object.entries(document.paths);
  const byShape = new Map(site.lists.map((list) => [pathShape(list.path), list]));
  const described = entries.filter(([, item]) => isList(item));
  const shapes = new Set(described.map(([path]) => pathShape(path)));
  const own = site.lists.filter(({ path }) => !shapes.has(pathShape(path)));
  refuseTaken(own, entries);
  const around = { document, site };
  return [
    ...entries.flatMap(([path, item]): readonly PathEntry[] => {
      if (!isList(item)) return [[path, item]];
      const list = byShape.get(pathShape(path));
      return list === undefined ? [] : [[path, listItem(list, item, around)]];
    }),
    ...ownEntries(own, described, around),
  ];
};

const isList = (item: Part): boolean => partOf(item['get'])['x-list'] === true;

const refuseTaken = (own: readonly RecordList[], entries: readonly PathEntry[]): void => {
  const taken = new Map(entries.map(([path]) => [pathShape(path), path]));
  for (const { path } of own) {
    const other = taken.get(pathShape(path));
    if (other === undefined) continue;
    throw new ConfigurationError(`lists: "${path}" is the path of ${other} already. Choose another path.`);
  }
};

const listItem = (list: RecordList, item: Part, around: Surroundings): Part => {
  const changed = {
    ...item,
    get: listOperation(list, partOf(item['get']), 'get', around),
    head: listOperation(list, partOf(item['head']), 'head', around),
  };
  return areEqual(changed, item) ? item : changed;
};

const listOperation = (
  list: RecordList,
  before: Part,
  method: 'get' | 'head',
  { document, site }: Surroundings,
): Part =>
  withProviders(
    {
      ...before,
      security: isForVisitors(list, site) ? before['security'] : signedIn(before['security']),
      parameters: listParameters(document, list, before),
      responses: listResponses(document, site, list, { operation: before, method }),
    },
    list.providers,
  );

const isForVisitors = (list: RecordList, { roles }: Site): boolean =>
  listVerdict(anonymousPrincipal(roles), list) === undefined;

const signedIn = (security: unknown): readonly unknown[] =>
  listOf(security).filter((choice) => Object.keys(partOf(choice)).length > 0);

/** The lists that only the site's declarations describe. The pattern is the list of members, which has every status. */
const ownEntries = (
  own: readonly RecordList[],
  described: readonly PathEntry[],
  around: Surroundings,
): readonly PathEntry[] => {
  const pattern = described.map(([, item]) => item).find((item) => partOf(item['get'])['operationId'] === patternId);
  if (pattern === undefined || own.length === 0) return [];
  const taken = new Set(
    Object.values(around.document.paths).flatMap((item) =>
      Object.values(item).flatMap((member) => {
        const id = partOf(member)['operationId'];
        return typeof id === 'string' ? [id] : [];
      }),
    ),
  );
  const names = listNames(own, taken);
  return own.map((list): PathEntry => {
    const name = names.get(list) ?? '';
    const named = (method: 'get' | 'head', id: string, summary: string): Part => ({
      ...{ operationId: id, tags: partOf(pattern[method])['tags'], summary, description: descriptionOf(list) },
      ...{ 'x-list': true, security: partOf(pattern[method])['security'] },
      responses: generalResponses(partOf(partOf(pattern[method])['responses']), method),
    });
    const item = {
      ...pathParameters(list, around.site),
      get: named('get', `list${name}`, list.label),
      head: named('head', `head${name}`, `${list.label}: the headers`),
    };
    return [list.path, listItem(list, item, around)];
  });
};

const patternId = 'listNodeMembers';

/** The responses of the pattern, without what they say of its records. */
const generalResponses = (responses: Part, method: 'get' | 'head'): Part => {
  if (method === 'head') return responses;
  const error = { schema: { $ref: '#/components/schemas/ErrorMessage' } };
  return {
    ...without(responses, '403'),
    '404': {
      description: 'What the path names does not exist.',
      content: { 'application/json': error, 'application/ld+json': error },
    },
  };
};

const kinds = { node: 'nodes', media: 'media', taxonomy_term: 'terms', file: 'files', user: 'accounts' };

const descriptionOf = ({ entityType, columns, pageSize }: RecordList): string => {
  const what = columns === undefined ? 'Whole records' : 'Chosen fields';
  const pages = pageSize === undefined ? 'All are on the first page.' : `A page has ${pageSize}.`;
  return `A list that this site declares. ${what} of ${kinds[entityType]} that the requester may view. ${pages}`;
};
