/** The message in place of a page that cannot be shown. */
import type { ReactElement } from 'react';
import { Failure } from '../ui/states.tsx';
import { PageHead } from '../ui/text.tsx';

/** The files of a page are loaded when it is opened, so a server that has stopped is met here. */
export const PageFailure = ({ error }: { readonly error: unknown }): ReactElement => (
  <div className="stack">
    <PageHead title="This page cannot be shown" />
    <Failure error={error} onRetry={() => location.reload()}>
      <p>Does the server run? Start it again, then try again.</p>
    </Failure>
  </div>
);
