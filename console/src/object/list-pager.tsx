/** Leads through a list of more than one page by its cursor. The back button leads back. */
import type { ReactElement } from 'react';
import type { ControlSchemas } from '../api/control.ts';
import { Button } from '../ui/button.tsx';

type ListPagerProps = {
  readonly page: ControlSchemas['EntityPage'];
  /** Undefined: the first page. */
  readonly onCursor: (cursor: string | undefined) => void;
};

export const ListPager = ({ page, onCursor }: ListPagerProps): ReactElement | null =>
  page.pages < 2 ? null : (
    <nav className="row" aria-label="Pages">
      <Button disabled={page.page === 0} onClick={() => onCursor(undefined)}>
        First
      </Button>
      <span>
        Page {(page.page + 1).toLocaleString('en')} of {page.pages.toLocaleString('en')}
      </span>
      <Button disabled={page.next === undefined} onClick={() => onCursor(page.next)}>
        Next
      </Button>
    </nav>
  );
