/** Lists bookmarks page by page, adds one, and removes one. */
import { useEffect, useState, type FormEvent } from 'react';
import type { Bookmark, Bookmarks, NewBookmark } from './bookmarks.ts';

type Shown = { readonly bookmarks: readonly Bookmark[]; readonly total: number };

export const BookmarkList = ({ bookmarks }: { readonly bookmarks: Bookmarks }) => {
  const [page, setPage] = useState(0);
  const [shown, setShown] = useState<Shown>();
  const [problem, setProblem] = useState<string>();
  const [changes, setChanges] = useState(0);

  useEffect(() => {
    let isShown = true;
    bookmarks.list(page).then(
      (read) => isShown && setShown(read),
      (error: Error) => isShown && setProblem(error.message),
    );
    return () => {
      isShown = false;
    };
  }, [bookmarks, page, changes]);

  const change = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
      setProblem(undefined);
    } catch (error) {
      setProblem((error as Error).message);
    }
    setChanges(changes + 1);
  };

  const add = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [url, title] = [String(form.get('url')), String(form.get('title'))];
    const body: NewBookmark = { kind: 'page', url, ...(title === '' ? {} : { title }) };
    void change(bookmarks.add(body));
  };

  return (
    <main>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {shown === undefined ? (
        <p role="status">Reading…</p>
      ) : (
        <>
          <h1>Bookmarks: {shown.total}</h1>
          <ul>
            {shown.bookmarks.map(({ id, title, url }) => (
              <li key={id}>
                <a href={url}>{title}</a>{' '}
                <button aria-label={`Remove ${title}`} onClick={() => void change(bookmarks.remove(id))}>
                  Remove
                </button>
              </li>
            ))}
          </ul>
          <button disabled={page === 0} onClick={() => setPage(page - 1)}>
            Previous page
          </button>
          <button disabled={shown.bookmarks.length === 0} onClick={() => setPage(page + 1)}>
            Next page
          </button>
        </>
      )}
      <form onSubmit={add}>
        <input name="url" aria-label="Address" />
        <input name="title" aria-label="Title" />
        <button>Add</button>
      </form>
    </main>
  );
};
