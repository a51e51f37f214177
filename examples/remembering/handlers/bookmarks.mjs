/** What the document cannot say: no address twice, and a date. `getBookmark` and `deleteBookmark` are left to the collection. */

const perPage = 20;

/** @type {import('atoll-server').DocumentHandler} */
export const listBookmarks = async ({ query }, world) => {
  const { records } = await world.collection('bookmarks').list();
  const bookmarks = records.map(({ value }) => value).filter(({ id }) => query.ids?.includes(id) ?? true);
  return {
    headers: { 'X-Total-Count': String(bookmarks.length) },
    body: bookmarks.slice(query.page * perPage, (query.page + 1) * perPage),
  };
};

/** @type {import('atoll-server').DocumentHandler} */
export const createBookmark = ({ body }, world) =>
  world.collection('bookmarks').transact((bookmarks) => {
    const { kind, url, title = 'Untitled' } = body;
    if (bookmarks.list().some(({ value }) => value.url === url))
      throw Object.assign(new Error(`${url} is bookmarked already.`), { status: 409 });
    const made = { id: bookmarks.nextNumber(), kind, url, title, made: new Date(world.clock.now()).toISOString() };
    bookmarks.put(String(made.id), made);
    return { status: 201, headers: { Location: `/bookmarks/${made.id}` }, body: made };
  });
