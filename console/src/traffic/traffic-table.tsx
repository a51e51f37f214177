/** The table of the requests. Rows that have not changed are not rendered again. */
import { memo, useState, type MouseEvent, type ReactElement } from 'react';
import { Button } from '../ui/button.tsx';
import { Badge, toneOfStatus, type Tone } from '../ui/text.tsx';
import type { TrafficEntry } from './traffic-feed.ts';

/** How many rows are shown at first, and how many more at each demand. */
const step = 200;

type TableProps = {
  /** The newest first. */
  readonly entries: readonly TrafficEntry[];
  /** The id of the selected entry. */
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
};

export const TrafficTable = ({ entries, selected, onSelect }: TableProps): ReactElement => {
  const [limit, setLimit] = useState(step);
  // One listener for all rows. A click with a key opens another tab, as with every link.
  const follow = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const id = link?.dataset['entry'];
    if (id === undefined || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onSelect(id);
  };
  const rest = entries.length - limit;
  return (
    <div className="list traffic-list">
      {/* The roles stay when the rows become cards on narrow screens. */}
      <table role="table" aria-label="Requests, the newest first" onClick={follow}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column} role="columnheader" scope="col" className={`in-${column.toLowerCase()}`}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {entries.slice(0, limit).map((entry) => (
            <Row key={entry.id} entry={entry} isSelected={String(entry.id) === selected} />
          ))}
        </tbody>
      </table>
      {rest > 0 && (
        <p className="row">
          <Button onClick={() => setLimit(limit + step)}>Show {Math.min(step, rest)} older requests</Button>
        </p>
      )}
    </div>
  );
};

const columns = [
  'Time',
  'Method',
  'Path',
  'Status',
  'Operation',
  'Account',
  'World',
  'Duration',
  'Request',
  'Response',
  'Advice',
] as const;

type RowProps = { readonly entry: TrafficEntry; readonly isSelected: boolean };

const Row = memo(({ entry, isSelected }: RowProps): ReactElement => {
  const { id, time, method, path, status, operation, identity, world, duration, verdict, advice, page, bySite } = entry;
  return (
    <tr role="row" className={isSelected ? 'selected' : ''}>
      <td role="cell" className="in-time mono">
        {timeOfDay(time)}
      </td>
      <td role="cell" className="in-method mono">
        {method}
      </td>
      <th role="rowheader" scope="row" className="in-path mono">
        <a href={addressOf(id)} data-entry={id} aria-current={isSelected ? 'true' : undefined}>
          {path}
        </a>
      </th>
      <td role="cell" className="in-status">
        <Badge tone={toneOfStatus(status)}>{status}</Badge>
      </td>
      <td role="cell" className="in-operation">
        {page === true ? 'a page for people' : (operation ?? '–')}
      </td>
      <td role="cell" className="in-account">
        {identity?.name ?? '–'}
        {bySite === true && (
          <>
            {' '}
            <Badge tone="plain">by the site</Badge>
          </>
        )}
      </td>
      <td role="cell" className="in-world">
        {world}
      </td>
      <td role="cell" className="in-duration">
        {milliseconds(duration)}
      </td>
      <td role="cell" className="in-request">
        <Badge tone={requestTones[verdict.request]}>{requestLabels[verdict.request]}</Badge>
      </td>
      <td role="cell" className="in-reply">
        <Badge tone={replyTones[verdict.reply]}>{replyLabels[verdict.reply]}</Badge>
      </td>
      <td role="cell" className="in-advice">
        {advice.length === 0 ? '' : <Badge tone="warn">{`${advice.length} advice`}</Badge>}
      </td>
    </tr>
  );
});
Row.displayName = 'Row';

/** The verdict on a request in a word. */
export const requestLabels: Readonly<Record<TrafficEntry['verdict']['request'], string>> = {
  kept: 'valid',
  lenient: 'lenient',
  broken: 'invalid',
};

/** The verdict on a response in a word. */
export const replyLabels: Readonly<Record<TrafficEntry['verdict']['reply'], string>> = {
  kept: 'valid',
  broken: 'invalid',
  unchecked: 'not checked',
};

/** How the verdict on a request looks. */
export const requestTones: Readonly<Record<TrafficEntry['verdict']['request'], Tone>> = {
  kept: 'good',
  lenient: 'warn',
  broken: 'bad',
};

/** How the verdict on a response looks. */
export const replyTones: Readonly<Record<TrafficEntry['verdict']['reply'], Tone>> = {
  kept: 'good',
  broken: 'bad',
  unchecked: 'plain',
};

/** The address of the page with another selected entry. It is only read when a link is opened in another tab. */
const addressOf = (id: number): string => {
  const [path = '', query = ''] = location.hash.split('?');
  const search = new URLSearchParams(query);
  search.set('entry', String(id));
  return `${path}?${search.toString()}`;
};

/** Making one for each row would take longer than the row. */
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

const timeOfDay = (iso: string): string => clock.format(new Date(iso));

/** A duration as it is read most easily. */
export const milliseconds = (duration: number): string =>
  duration < 10 ? `${duration.toFixed(1)} ms` : `${Math.round(duration).toLocaleString('en')} ms`;
