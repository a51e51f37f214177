/** Makes the responses of a list: its records or rows, and the refusals that its guards can cause. */
import { listVerdict } from '../../content/verdicts.ts';
import { anonymousPrincipal } from '../../site/permissions.ts';
import { providerNames } from '../../model/principal.ts';
import type { ReferredType } from '../../model/entity.ts';
import { isGuarded, type ListColumn, type RecordList } from '../../site/record-list.ts';
import type { Site } from '../../site/site.ts';
import { type DocumentObject, referredPart, mapMembers, partOf, type Part } from '../../../openapi/openapi-terms.ts';
import { responseIn } from '../specialise-operations.ts';
import { checkedType } from './list-operations.ts';
import { isId } from './list-parameters.ts';

/** An operation that the document describes, as GET or HEAD. */
type Described = { readonly operation: Part; readonly method: 'get' | 'head' };

export const listResponses = (document: DocumentObject, site: Site, list: RecordList, described: Described): Part => {
  const written = partOf(described.operation['responses']);
  const known = { ...shared(described.method), ...written };
  const responses = Object.fromEntries(
    statusesOf(list, site).map((status): [string, unknown] => {
      const response = known[status];
      if (described.method === 'head') return [status, response];
      if (status === '200') return [status, recordsResponse(document, list, partOf(response))];
      return [status, status === '403' && (isGuarded(list) || !(status in written)) ? refusal(list, site) : response];
    }),
  );
  return mapMembers(responses, (response, status) => responseIn(document, list.formats, status, response));
};

const statusesOf = (list: RecordList, site: Site): readonly string[] => {
  const isDeniable = isGuarded(list) || hasCheck(list, site);
  const isOfSomeProviders = list.providers.length < providerNames.length;
  return [
    ...['200', '400'],
    ...(isDeniable && list.providers.includes('basic_auth') ? ['401'] : []),
    ...(isDeniable || isOfSomeProviders ? ['403'] : []),
    ...(hasMissing(list) || list.arguments.some((argument) => isId(argument, list, site)) ? ['404'] : []),
    ...['406', '500', '503'],
  ];
};

const hasMissing = (list: RecordList): boolean => list.parameters.some(({ isPartOfAddress }) => isPartOfAddress);

const hasCheck = (list: RecordList, site: Site): boolean =>
  list.arguments.some((argument) => checkedType(argument, list, site) !== undefined);

const reference = (name: string): Part => ({ $ref: `#/components/responses/${name}` });

/** For a status that the described operation does not have. */
const shared = (method: 'get' | 'head'): Part =>
  method === 'head'
    ? { '401': reference('UnauthorizedHead'), '403': reference('ForbiddenHead'), '404': reference('NotFoundHead') }
    : { '401': reference('UnauthorizedToRead'), '404': missingParameter };

/** A view whose argument gets no value from the query. */
const missingParameter: Part = {
  description: 'A parameter is missing without which there is no such list.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorMessage' } } },
};

const nobody = anonymousPrincipal(new Map());

const refusal = (list: RecordList, site: Site): Part => {
  const message = listVerdict(nobody, list);
  const isOfSomeProviders = list.providers.length < providerNames.length;
  const examples = {
    ...(message === undefined ? {} : { permissionMissing: { value: { message } } }),
    ...(isOfSomeProviders ? { providerNotAllowed: { $ref: '#/components/examples/ProviderNotAllowed' } } : {}),
  };
  const schema = { $ref: '#/components/schemas/ErrorMessage' };
  const error = Object.keys(examples).length === 0 ? { schema } : { schema, examples };
  const reasons = [
    ...(message === undefined ? [] : ['a permission or role is missing']),
    ...(hasCheck(list, site) ? ['the record in the path may not be viewed'] : []),
    ...(isOfSomeProviders ? ['the credentials are of a provider that is not accepted here'] : []),
  ];
  const [first = '', ...others] = reasons;
  return {
    description: `${[first.slice(0, 1).toUpperCase() + first.slice(1), ...others].join(', or ')}.`,
    content: { 'application/json': error, 'application/ld+json': error },
  };
};

const recordNames: { readonly [T in ReferredType]: string } = {
  node: 'NodeRecord',
  media: 'MediaRecord',
  file: 'FileRecord',
  taxonomy_term: 'TermRecord',
  user: 'UserRecord',
};

/** The described response where it shows the same; otherwise the same frame with the records or rows of the list. */
const recordsResponse = (document: DocumentObject, list: RecordList, response: Part): Part => {
  const { items } = partOf(partOf(partOf(response['content'])['application/json'])['schema']);
  if (list.columns !== undefined) {
    const names = Object.keys(partOf(referredPart(document, items)['properties']));
    const isSame = names.length === list.columns.length && list.columns.every(({ name }) => names.includes(name));
    if (isSame) return response;
    return { ...response, content: { 'application/json': { schema: arrayOf(rowSchema(list.columns)) } } };
  }
  const record = `#/components/schemas/${recordNames[list.entityType]}`;
  if (partOf(items)['$ref'] === record) return response;
  return {
    ...response,
    content: {
      'application/json': { schema: arrayOf({ $ref: record }) },
      'application/ld+json': { schema: arrayOf({ $ref: '#/components/schemas/Graph' }) },
    },
  };
};

const arrayOf = (items: Part): Part => ({ type: 'array', items });

const rowSchema = (columns: readonly ListColumn[]): Part => ({
  type: 'object',
  required: columns.map(({ name }) => name),
  properties: Object.fromEntries(
    columns.map(({ name, form }) => [
      name,
      form === 'raw'
        ? {
            description:
              'The stored value as text, or a list of texts; `false` where there is none, `null` where the record has no such field.',
            type: ['string', 'boolean', 'null', 'array'],
            items: { type: 'string' },
          }
        : { type: 'string' },
    ]),
  ),
  additionalProperties: false,
});
