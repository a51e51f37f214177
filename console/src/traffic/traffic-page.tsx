/** The page "Traffic": the requests of the world as they come in, and one of them in detail. */
import { useId, type ReactElement } from 'react';
import { control } from '../api/control.ts';
import { areOwnRequestsShown } from '../api/own-requests.ts';
import { wordsOf } from '../api/refusal.ts';
import { Button, ConfirmButton } from '../ui/button.tsx';
import { ControlFile } from '../ui/control-file.tsx';
import { useSearchValues } from '../ui/search.ts';
import { Empty } from '../ui/states.tsx';
import { PageHead } from '../ui/text.tsx';
import { say } from '../ui/toast.tsx';
import { EntryDetails } from './entry-details.tsx';
import { EventsPanel } from './events-panel.tsx';
import { FilterBar } from './filter-bar.tsx';
import { StreamStatus } from './stream-status.tsx';
import './traffic.css';
import { queryOf, queryText, type TrafficValues } from './traffic-filter.ts';
import { TrafficTable } from './traffic-table.tsx';
import { useTraffic } from './use-traffic.ts';

export const TrafficPage = (): ReactElement => {
  const [values, change] = useSearchValues<TrafficValues>();
  const { feed, state } = useTraffic(values);
  const { entry } = values;
  const clear = (): void => {
    control.ask('clearTraffic').then(
      () => {
        feed.clear();
        change({ entry: '' });
        say('The traffic is forgotten.');
      },
      (error: unknown) => say(wordsOf(error)),
    );
  };
  return (
    <div className="stack">
      <PageHead title="Traffic">
        Every request of this world, checked against the document. Choose one to see all of it, to correct it and to
        send it again.
      </PageHead>
      <FilterBar values={values} change={change} />
      <div className="row">
        <StreamStatus state={state} />
        <Button onClick={() => feed.pause(!state.isPaused)}>{state.isPaused ? 'Go on' : 'Pause'}</Button>
        <ControlFile path={`/_atoll/traffic.har${queryText(queryOf(values))}`} name="traffic.har" isSaved>
          Save as HAR
        </ControlFile>
        <ConfirmButton label="Clear" question="Forget the traffic of this world?" confirm="Forget it" onConfirm={clear}>
          <p>All recorded requests are lost, filtered or not. Coverage and content stay.</p>
        </ConfirmButton>
        <OwnRequestsSwitch />
      </div>
      <div className={entry === undefined ? 'traffic list-and-details' : 'traffic list-and-details with-details'}>
        {state.entries.length === 0 && state.phase !== 'loading' ? (
          <NoTraffic isFiltered={Object.keys(queryOf(values)).length > 0} />
        ) : (
          <TrafficTable
            entries={state.entries}
            selected={entry}
            onSelect={(id) => change({ entry: id }, { staysInPlace: true })}
          />
        )}
        {entry !== undefined && (
          <EntryDetails key={entry} id={entry} onClose={() => change({ entry: '' }, { staysInPlace: true })} />
        )}
      </div>
      <EventsPanel />
    </div>
  );
};

const NoTraffic = ({ isFiltered }: { readonly isFiltered: boolean }): ReactElement =>
  isFiltered ? (
    <Empty title="No request matches this filter.">
      <p>Change the filter, or wait: a request that fits appears here by itself.</p>
    </Empty>
  ) : (
    <Empty title="No request yet.">
      <p>Let your client ask this repository. Its requests appear here at once.</p>
    </Empty>
  );

/** Without it the console leaves no traces. */
const OwnRequestsSwitch = (): ReactElement => {
  const isShown = areOwnRequestsShown.use();
  const id = useId();
  return (
    <label htmlFor={id} className="own-requests">
      <input
        id={id}
        type="checkbox"
        checked={isShown}
        onChange={(event) => areOwnRequestsShown.set(event.target.checked)}
      />{' '}
      Record the console’s own requests too
    </label>
  );
};
