/** Says in words whether the traffic is live. */
import type { ReactElement } from 'react';
import { wordsOf } from '../api/refusal.ts';
import { Badge } from '../ui/text.tsx';
import type { FeedState } from './traffic-feed.ts';
import { retryTime } from './use-traffic.ts';

export const StreamStatus = ({ state }: { readonly state: FeedState }): ReactElement => {
  const { phase, error, isPaused, waiting, total, entries } = state;
  const shown = entries.length === total ? requests(total) : `the last ${entries.length} of ${requests(total)}`;
  return (
    <>
      <span role="status" className="row">
        {phase === 'loading' && 'Loading the requests …'}
        {phase === 'live' && !isPaused && <Badge tone="good">Live</Badge>}
        {phase === 'live' && isPaused && <Badge tone="warn">Paused</Badge>}
        {phase === 'stopped' && (
          <>
            <Badge tone="bad">Stopped</Badge>
            {error === undefined ? 'The server has ended the stream.' : wordsOf(error)} The next try is in{' '}
            {retryTime / 1000} seconds.
          </>
        )}
      </span>
      <span className="soft">
        {phase !== 'loading' && shown}
        {waiting > 0 && `, ${waiting} more wait`}
      </span>
    </>
  );
};

const requests = (count: number): string => (count === 1 ? '1 request' : `${count.toLocaleString('en')} requests`);
