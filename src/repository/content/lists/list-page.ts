/** Cuts a list into pages: reads which page a request asks for, and takes its entries. */

/** `number` counts from 0. */
type Page = { readonly number: number; readonly size: number };

/** The entries of a page, and the number of pages of the whole list. An empty list has one page. */
export type ListPage<T> = { readonly entries: readonly T[]; readonly page: Page; readonly pages: number };

/** The size of a page when the request names none. */
export const defaultPageSize = 50;

/** The page that the parameters of a request name. The document says which values they may have. */
export const readPage = (
  query: { readonly page?: unknown; readonly items_per_page?: unknown },
  size = defaultPageSize,
): Page => ({ number: Number(query.page ?? 0), size: Number(query.items_per_page ?? size) });

/**
 * One page of a list. A page behind the last one is empty.
 * open: a real site repeats a list without a pager whatever `page` says. Here a walk over pages ends.
 */
export const pageOf = <T>(list: readonly T[], page: Page): ListPage<T> => ({
  entries: list.slice(page.number * page.size, (page.number + 1) * page.size),
  page,
  pages: Math.max(1, Math.ceil(list.length / page.size)),
});
