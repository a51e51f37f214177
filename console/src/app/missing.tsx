/** What an address shows that the console does not have. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Empty } from '../ui/states.tsx';
import { PageHead } from '../ui/text.tsx';

export const Missing = (): ReactElement => (
  <div className="stack">
    <PageHead title="No such page" />
    <Empty title="The console has no page at this address.">
      <Link to="/">Go to the overview</Link>
    </Empty>
  </div>
);
