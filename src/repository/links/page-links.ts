/** Makes the links between the pages of a list. */
import type { ListPage } from '../content/lists/list-page.ts';
import { linkHeader } from './typed-link.ts';

/** The parameters of a request for a page. */
export type PageQuery = Readonly<Record<string, string | number | undefined>>;

/**
 * The `Link` header lines of a page: `first`, `prev`, `next`, `last`. Each repeats the other parameters of the request. A list
 * of one page has no such header.
 */
export const pageLinkHeaders = (
  address: string,
  query: PageQuery,
  { page, pages }: ListPage<unknown>,
): { readonly Link?: string[] } => {
  const last = pages - 1;
  if (last === 0 && page.number === 0) return {};
  const targets: readonly (readonly [relation: string, page: number])[] = [
    ['first', 0],
    // Behind the end, the last page is the one before.
    ...(page.number > 0 ? [['prev', Math.min(page.number - 1, last)] as const] : []),
    ...(page.number < last ? [['next', page.number + 1] as const] : []),
    ['last', last],
  ];
  return { Link: targets.map(([rel, number]) => linkHeader({ target: `${address}?${queryOf(query, number)}`, rel })) };
};

const queryOf = (query: PageQuery, page: number): string => {
  const values: PageQuery = { ...query, page };
  const parameters = Object.entries(values).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(parameters).toString();
};
