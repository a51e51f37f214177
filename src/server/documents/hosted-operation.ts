/** Shows the operations of a document of one's own as traffic, coverage and faults know operations. */
import type { Operation } from '../../openapi/openapi.ts';
import type { HostedOperation } from '../../openapi/openapi-host.ts';
import { isJsonType } from '../../openapi/openapi-terms.ts';

/** `prefix` is where the document is served. */
export const hostedOperation = (operation: Operation, id: string, prefix: string): HostedOperation => {
  const { method, path, parameters, body, responses } = operation;
  const namesIn = (place: string): string[] => parameters.filter((each) => each.in === place).map(({ name }) => name);
  const types = body?.media.map(({ type }) => type) ?? [];
  const isJson = types.some(isJsonType);
  const answered = [...responses.values()].map(({ key, media }) => [key, media.map(({ type }) => type)] as const);
  const isStatus = ([key]: readonly [string, unknown]): boolean => /^\d\d\d$/.test(key);
  return {
    ...{ id, method, path: `${prefix}${path}`, described: operation },
    pathParameters: namesIn('path').map((name) => ({ name, isId: false })),
    queryNames: namesIn('query'),
    ...{ isMultiSegment: false, format: undefined, providers: [], needsCsrfToken: false },
    body: body === undefined ? 'none' : isJson ? 'json' : 'bytes',
    isBodyOptional: body?.isRequired !== true,
    byteTypes: types.filter((type) => !isJsonType(type)),
    responses: new Map(answered.filter(isStatus).map(([key, list]) => [Number(key), list])),
    responseRanges: new Map(answered.filter((each) => !isStatus(each))),
  };
};
