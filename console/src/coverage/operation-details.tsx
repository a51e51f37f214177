/** What clients have met of one operation, with the requests that meet its statuses. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { control } from '../api/control.ts';
import { useDetailsArrival } from '../ui/arrival.ts';
import { Button } from '../ui/button.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { Badge } from '../ui/text.tsx';
import { shortRelation, type OperationCoverage, type StatusCoverage } from './coverage-rows.ts';
import type { CoverageRequest } from './coverage-steps.ts';
import { RequestView } from './request-view.tsx';
import { Cell, Row, RowHead, Table } from '../ui/table.tsx';

type DetailsProps = { readonly row: OperationCoverage; readonly onClose: () => void };

export const OperationDetails = ({ row, onClose }: DetailsProps): ReactElement => {
  const { operation, method, path, statuses, relations, advice } = row;
  const requests = useQuery({
    queryKey: ['coverage-requests', operation],
    queryFn: () => control.ask('listCoverageRequests', { query: { operation } }),
  });
  const heading = useRef<HTMLHeadingElement>(null);
  useDetailsArrival(heading, 'a[data-operation]');
  const close = (): void => {
    const link = document.querySelector<HTMLElement>(`a[data-operation="${CSS.escape(operation)}"]`);
    onClose();
    requestAnimationFrame(() => link?.focus()); // the list may be hidden until then
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('[role=dialog]') === null) close();
  };
  return (
    <section className="panel stack details coverage-details" aria-label={`Operation ${operation}`} onKeyDown={onKey}>
      <div className="page-head">
        <h2 ref={heading} tabIndex={-1}>
          {operation}
        </h2>
        <Button onClick={close}>Close</Button>
        <p className="mono">
          {method} {path}
        </p>
      </div>
      <p>
        <Link to="/traffic" search={{ operation }}>
          See its requests in the traffic
        </Link>
      </p>
      {requests.isPending && <Loading what="the requests that meet its statuses" />}
      {requests.isError && <Failure error={requests.error} onRetry={() => void requests.refetch()} />}
      {statuses.map((status) => (
        <Status
          key={status.status}
          status={status}
          requests={requests.data?.requests.filter((each) => String(each.status) === status.status) ?? []}
        />
      ))}
      {relations.length > 0 && <Relations relations={relations} />}
      {advice.length > 0 && <Advice advice={advice} />}
    </section>
  );
};

type StatusProps = { readonly status: StatusCoverage; readonly requests: readonly CoverageRequest[] };

const Status = ({ status: { status, count, identities }, requests }: StatusProps): ReactElement => {
  // It stays as it was when the request is sent from here and the status becomes met.
  const [isOpen] = useState(count === 0);
  return (
    <section className="stack status">
      <h3>
        {status} <Badge tone={count > 0 ? 'good' : 'warn'}>{count > 0 ? 'met' : 'not met'}</Badge>
      </h3>
      {count > 0 && (
        <p>
          {count === 1 ? 'Once' : `${count.toLocaleString('en')} times`}
          {identities.length > 0 && `, by ${identities.join(', ')}`}.
        </p>
      )}
      {requests.length > 0 && (
        <details open={isOpen}>
          <summary>How to meet it</summary>
          <div className="stack">
            {requests.map((request, index) => (
              <RequestView key={index} request={request} />
            ))}
          </div>
        </details>
      )}
    </section>
  );
};

const Relations = ({ relations }: Pick<OperationCoverage, 'relations'>): ReactElement => (
  <section>
    <h3>Link relations of its responses</h3>
    <Table label="Link relations of its responses" heads={['Relation', 'Seen', 'Followed']}>
      {relations.map(({ relation, seen, followed }) => (
        <Row key={relation}>
          <RowHead>{shortRelation(relation)}</RowHead>
          <Cell of="Seen">{seen === 0 ? 'never' : seen}</Cell>
          <Cell of="Followed">{followed === 0 ? 'never' : followed}</Cell>
        </Row>
      ))}
    </Table>
  </section>
);

const Advice = ({ advice }: Pick<OperationCoverage, 'advice'>): ReactElement => (
  <section>
    <h3>Sent in vain</h3>
    <p>
      Clients sent this, and it was accepted, as on a real site. It was not stored as they sent it, or cannot be what
      they meant.
    </p>
    <ul>
      {advice.map(({ pointer, reason, count }) => (
        <li key={`${pointer} ${reason}`}>
          <code>{pointer}</code>, {count === 1 ? 'once' : `${count} times`}: {reason}
        </li>
      ))}
    </ul>
  </section>
);
