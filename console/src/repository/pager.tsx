/** Leads to the pages before and after. The next page is found by the cursor of this one, in a list of any length. */
import type { ReactElement } from 'react';
import { Button } from '../ui/button.tsx';
import { firstPage, type EntityPage, type ListChange } from './listing.ts';

export const Pager = ({
  page,
  change,
}: {
  readonly page: EntityPage;
  readonly change: ListChange;
}): ReactElement | null => {
  if (page.pages < 2 && page.page === 0) return null;
  const before = page.page - 1;
  const toPage = (number: number): void =>
    change({ cursor: undefined, page: number <= 0 ? undefined : String(number) });
  return (
    <nav className="row" aria-label="Pages of the list">
      <Button disabled={page.page === 0} onClick={() => change(firstPage)}>
        First
      </Button>
      <Button disabled={page.page === 0} onClick={() => toPage(before)}>
        Previous
      </Button>
      <span>
        Page {(page.page + 1).toLocaleString('en')} of {page.pages.toLocaleString('en')}
      </span>
      <Button disabled={page.next === undefined} onClick={() => change({ cursor: page.next, page: undefined })}>
        Next
      </Button>
      <Button disabled={page.next === undefined} onClick={() => toPage(page.pages - 1)}>
        Last
      </Button>
    </nav>
  );
};
