/** Shows the operations of a document of one's own as traffic, coverage and faults know operations. */
import type { Operation as HostedOperation } from '../../core/document/operation.ts';
import type { Operation } from '../../openapi/openapi.ts';
import { isJsonType } from '../../openapi/openapi-terms.ts';

/** `prefix` is where the document is served. */
export const hostedOperation = (operation: Operation, id: string, prefix: string): HostedOperation => {
  const { method, path, parameters, body, responses } = operation;
  const namesIn = (place: string): string[] => parameters.filter((each) => each.in === place).map(({ name }) => name);
  const types = body?.media.map(({ type }) => type) ?? [];
  const isJson = types.some(isJsonType);
  return {
    ...{
      id,
      method: method as HostedOperation['method'],
      path: `${prefix}${path}`,
      routeName: id,
      pathPattern: `${prefix}${path}`,
    },
    described: operation,
    pathParameters: namesIn('path').map((name) => ({ name, isId: false, routeName: name })),
    queryNames: namesIn('query'),
    ...{ isMultiSegment: false, format: undefined, hasHtmlPage: false, providers: [], needsCsrfToken: false },
    body: body === undefined ? 'none' : isJson ? 'json' : 'bytes',
    isBodyOptional: body?.isRequired !== true,
    byteTypes: types.filter((type) => !isJsonType(type)),
    ...{ takesAnyContentType: false, takesAnyLength: true, takesAnyJson: true, isResource: false, isCacheable: false },
    readsQuery: namesIn('query').length > 0,
    represents: undefined,
    responses: new Map(
      [...responses.values()].flatMap(({ key, media }) =>
        /^\d\d\d$/.test(key) ? [[Number(key), media.map(({ type }) => type)]] : [],
      ),
    ),
    responseRanges: new Map(
      [...responses.values()].flatMap(({ key, media }) =>
        /^\d\d\d$/.test(key) ? [] : [[key, media.map(({ type }) => type)]],
      ),
    ),
  };
};
