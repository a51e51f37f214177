/** The page, with the service at `VITE_BOOKMARKS`, else the mock of `npm run dev`. */
import { createRoot } from 'react-dom/client';
import { BookmarkList } from './bookmark-list.tsx';
import { createBookmarks } from './bookmarks.ts';

const address = (import.meta.env.VITE_BOOKMARKS as string | undefined) ?? 'http://localhost:8000';
const page = document.getElementById('page');
if (page !== null) createRoot(page).render(<BookmarkList bookmarks={createBookmarks(address)} />);
