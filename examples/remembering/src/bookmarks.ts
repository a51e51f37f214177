/** Reads, adds and removes bookmarks. The types are made from the team's document: `npm run types`. */
import createClient from 'openapi-fetch';
import type { components, paths } from './generated/bookmarks-api.d.ts';

export type Bookmark = components['schemas']['Bookmark'];
export type NewBookmark = components['schemas']['BookmarkInput'];
type Problem = { readonly title: string };

/** What the service says, and its status. */
export class Refused extends Error {
  override name = 'Refused';
  readonly status: number;

  constructor({ status }: Response, problem: Problem | undefined) {
    super(problem?.title ?? `The service answered ${status}.`);
    this.status = status;
  }
}

export type Bookmarks = ReturnType<typeof createBookmarks>;

/** Each of its functions throws `Refused`. */
export const createBookmarks = (address: string) => {
  const client = createClient<paths>({ baseUrl: address });
  return {
    /** The first page is 0. */
    list: async (page: number): Promise<{ readonly bookmarks: readonly Bookmark[]; readonly total: number }> => {
      const { data, error, response } = await client.GET('/bookmarks', { params: { query: { page } } });
      if (data === undefined) throw new Refused(response, error);
      return { bookmarks: data, total: Number(response.headers.get('x-total-count')) };
    },
    read: async (id: number): Promise<Bookmark> => {
      const { data, error, response } = await client.GET('/bookmarks/{id}', { params: { path: { id } } });
      if (typeof data !== 'object') throw new Refused(response, error);
      return data;
    },
    add: async (body: NewBookmark): Promise<Bookmark> => {
      const { data, error, response } = await client.POST('/bookmarks', { body });
      if (data === undefined) throw new Refused(response, error);
      return data;
    },
    remove: async (id: number): Promise<void> => {
      const { response } = await client.DELETE('/bookmarks/{id}', { params: { path: { id } } });
      if (!response.ok) throw new Refused(response, undefined);
    },
  };
};
