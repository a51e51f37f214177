/** What a page shows while it waits, when there is nothing, and when something failed. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { statusOf, wordsOf } from '../api/refusal.ts';
import { Button } from './button.tsx';
import { RefusalHelp } from './help-link.tsx';

/** `what` is what is awaited, such as "the objects". */
export const Loading = ({ what }: { readonly what: string }): ReactElement => (
  <p className="soft" role="status">
    Loading {what} …
  </p>
);

/** Says that there is nothing, and in `children` what to do about it. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactElement => (
  <div className="note">
    <p>
      <strong>{title}</strong>
    </p>
    {children}
  </div>
);

type FailureProps = { readonly error: unknown; readonly onRetry?: () => void; readonly children?: ReactNode };

/** A refusal or another error in the server's words, with its status. `children` say what to do. */
export const Failure = ({ error, onRetry, children }: FailureProps): ReactElement => {
  const status = statusOf(error);
  return (
    <div className="note bad" role="alert">
      <p>
        {status !== undefined && <strong>{status} </strong>}
        {wordsOf(error)} <RefusalHelp status={status} />
      </p>
      {children}
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
};

type LoadedProps<Data> = {
  readonly query: UseQueryResult<Data>;
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
};

/** Shows the data of a query, or that it is loading, or why it failed. */
export const Loaded = <Data,>({ query, what, children }: LoadedProps<Data>): ReactElement => {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading what={what} />;
};
