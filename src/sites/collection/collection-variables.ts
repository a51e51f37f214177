/** What a person sets in a collection of requests: the address of the server, and the account. */
import type { NamedValue, RequestCollection } from '../../openapi/openapi-parts.ts';

export const collectionVariables = ({ baseUrl }: RequestCollection): readonly NamedValue[] => [
  { name: 'baseUrl', value: baseUrl },
  { name: 'username', value: 'admin' },
  { name: 'password', value: 'islandora' },
];
