/** The questions that several pages ask, as TanStack queries. */
import { QueryCache, QueryClient, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { clientOf, lookAfterSession, type Acting } from './acting.ts';
import { addressFromHere, baseUrl, nameServer } from './address.ts';
import { control, type ControlSchemas } from './control.ts';
import { exchange, type PlainAnswer } from './exchange.ts';
import { ownHeaders } from './own-requests.ts';
import { statusOf } from './refusal.ts';

/** A refusal does not change by asking again. */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      const status = statusOf(error);
      if (status === 401 || status === 403) void lookAfterSession();
    },
  }),
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      staleTime: 2000,
      retry: (count, error) => statusOf(error) === undefined && count < 2,
    },
  },
});

/** The browser keeps the bytes of an object URL until it is revoked. */
queries.getQueryCache().subscribe(({ type, query }) => {
  const data = query.state.data as unknown; // of any query
  if (type === 'removed' && typeof data === 'string' && data.startsWith('blob:')) URL.revokeObjectURL(data);
});

/** Name, accounts, counts and state of the world. */
export const repositoryQuery = queryOptions({
  queryKey: ['repository'],
  queryFn: async () => {
    const repository = await control.ask('getRepository');
    nameServer(repository.baseUrl);
    return repository;
  },
});

/** Bundles and fields of the site. */
export const modelQuery = queryOptions({
  queryKey: ['model'],
  queryFn: () => control.ask('getModel'),
  staleTime: 60_000,
});

/** The worlds of the server. */
export const worldsQuery = queryOptions({
  queryKey: ['worlds'],
  queryFn: () => control.ask('listWorlds'),
});

/** The ids of the operations of the served document, in its order. */
export const operationIdsQuery = queryOptions({
  queryKey: ['operation-ids'],
  queryFn: async () => {
    const response = await fetch(`${baseUrl}/openapi.json`, { headers: ownHeaders() });
    const { paths } = (await response.json()) as { readonly paths: Record<string, object> }; // an OpenAPI document has paths
    return Object.values(paths).flatMap((operations) =>
      Object.values(operations).flatMap((operation) => {
        const { operationId } = Object(operation) as { readonly operationId?: string };
        return operationId === undefined ? [] : [operationId];
      }),
    );
  },
  staleTime: 60_000,
});

/** The faults that are active in this world. */
export const faultsQuery = queryOptions({
  queryKey: ['faults'],
  queryFn: () => control.ask('listFaults'),
  refetchInterval: 5000,
});

/** The key begins with `content`, so that a write makes every one of these old. Accounts never share an answer. */
export const contentKey = (acting: Acting, ...rest: readonly unknown[]): readonly unknown[] => [
  'content',
  acting === undefined ? 'visitor' : `${acting.scheme} ${acting.name}`,
  ...rest,
];

/** A representation as the wire has it, for the account that asks. `format` is `json` or `jsonld`. */
export const useAnswer = (acting: Acting, path: string, accept?: string): UseQueryResult<PlainAnswer> =>
  useQuery({
    queryKey: contentKey(acting, 'answer', path, accept),
    queryFn: () =>
      exchange(acting, { method: 'GET', path, ...(accept === undefined ? {} : { headers: { Accept: accept } }) }),
  });

/** The bytes of an address as an object URL. `img` cannot send credentials. */
export const bytesQuery = (acting: Acting, address: string) =>
  queryOptions({
    queryKey: contentKey(acting, 'bytes', address),
    queryFn: async () => URL.createObjectURL(await (await clientOf(acting).fetch(addressFromHere(address))).blob()),
    staleTime: 60_000,
  });

/** After a write: everything that shows content is asked again. */
export const contentHasChanged = (): Promise<void> => queries.invalidateQueries();

export type Coverage = ControlSchemas['Coverage'];

/** The document's operations, and what of them clients have met. */
export const coverageQuery = queryOptions({
  queryKey: ['coverage'],
  queryFn: () => control.ask('getCoverage', { query: { format: 'json' } }),
});

export type EntitySummary = ControlSchemas['EntitySummary'];
