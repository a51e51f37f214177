/** One request with its response: the verdict, the advice, both messages, and how to send it again. */
import { useQuery } from '@tanstack/react-query';
import { useRef, type KeyboardEvent, type ReactElement } from 'react';
import { baseUrl } from '../api/address.ts';
import { control } from '../api/control.ts';
import { repositoryQuery } from '../api/queries.ts';
import { useDetailsArrival } from '../ui/arrival.ts';
import { Button } from '../ui/button.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { Badge, Time, toneOfStatus } from '../ui/text.tsx';
import { CodeTabs } from './code-tabs.tsx';
import { useOffered } from './filter-bar.tsx';
import { MessageView } from './message-view.tsx';
import { senderOf, type TrafficExchange } from './recorded-request.ts';
import { SendAgain } from './send-again.tsx';
import { milliseconds } from './traffic-table.tsx';
import { AdviceView, VerdictView } from './verdict-view.tsx';

type DetailsProps = { readonly id: string; readonly onClose: () => void };

export const EntryDetails = ({ id, onClose }: DetailsProps): ReactElement => {
  const query = useQuery({
    queryKey: ['traffic-entry', id],
    queryFn: () => control.ask('getTraffic', { path: { traffic_id: Number(id) } }),
  });
  const heading = useRef<HTMLHeadingElement>(null);
  useDetailsArrival(heading, 'a[data-entry]');
  const close = (): void => {
    const link = document.querySelector<HTMLElement>(`a[data-entry="${CSS.escape(id)}"]`);
    onClose();
    // The list may be hidden until the details are closed.
    requestAnimationFrame(() => link?.focus());
  };
  const onKey = (event: KeyboardEvent): void => {
    // A dialog in the details closes alone.
    if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('[role=dialog]') === null) close();
  };
  return (
    <section className="panel stack details traffic-details" aria-label={`Request ${id}`} onKeyDown={onKey}>
      <div className="page-head">
        <h2 ref={heading} tabIndex={-1} className="mono">
          {query.data === undefined ? `Request ${id}` : `${query.data.method} ${query.data.path}`}
        </h2>
        <Button onClick={close}>Close</Button>
      </div>
      {query.data !== undefined && <Exchange exchange={query.data} />}
      {query.isPending && <Loading what={`request ${id}`} />}
      {query.data === undefined && query.isError && (
        <Failure error={query.error} onRetry={() => void query.refetch()}>
          <p>A world remembers its last requests only. Choose another one of the list.</p>
        </Failure>
      )}
    </section>
  );
};

const Exchange = ({ exchange }: { readonly exchange: TrafficExchange }): ReactElement => {
  const accounts = useQuery(repositoryQuery).data?.accounts ?? [];
  const template = useOffered().find(({ operation }) => operation === exchange.operation)?.path;
  const sender = senderOf(exchange);
  const password = accounts.find(({ name }) => name === sender)?.password;
  return (
    <>
      <Facts exchange={exchange} />
      <VerdictView exchange={exchange} />
      <AdviceView advice={exchange.advice} />
      <section className="stack">
        <h3>Copy or send again</h3>
        <CodeTabs exchange={exchange} context={{ baseUrl, template, password }} />
        <div className="row">
          <SendAgain exchange={exchange} password={password} />
        </div>
      </section>
      <MessageView title="Request" message={exchange.request} />
      <MessageView title="Response" message={exchange.response} />
    </>
  );
};

const Facts = ({ exchange }: { readonly exchange: TrafficExchange }): ReactElement => {
  const { status, time, duration, operation, identity, world, disturbance, page } = exchange;
  const facts: readonly (readonly [string, ReactElement | string])[] = [
    ['Status', <Badge tone={toneOfStatus(status)}>{status}</Badge>],
    ['Time', <Time iso={time} />],
    ['Duration', milliseconds(duration)],
    ['Operation', page === true ? 'none: a page for people' : (operation ?? 'none of the document')],
    ['Account', identity === null ? 'not asked for' : `${identity.name}${providerWords(identity)}`],
    ['World', world],
    ...(disturbance === undefined ? [] : [['Fault', <Badge tone="warn">{disturbance}</Badge>] as const]),
  ];
  return (
    <>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {identity?.advice !== undefined && <p className="note warn">{identity.advice}</p>}
    </>
  );
};

const providerWords = ({ provider, credentials }: NonNullable<TrafficExchange['identity']>): string =>
  credentials === 'refused' ? ', credentials refused' : provider === null ? '' : `, by ${provider}`;
