/** The messages that the site has sent to its message broker, the newest first. Not there on a site that sends none. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { control, type ControlSchemas } from '../api/control.ts';
import { Badge, Time, type Tone } from '../ui/text.tsx';

type Sent = ControlSchemas['SentMessage'];

const eventsQuery = {
  queryKey: ['events'],
  queryFn: () => control.ask('listEvents'),
  refetchInterval: 3000,
};

const tones: Readonly<Record<Sent['delivery'], Tone>> = { kept: 'plain', sent: 'good', lost: 'bad' };

export const EventsPanel = (): ReactElement | undefined => {
  const { data } = useQuery(eventsQuery);
  if (data === undefined || data.total === 0) return undefined;
  return (
    <details className="panel">
      <summary>Messages of the site ({data.total})</summary>
      <div className="scroll" tabIndex={0} role="region" aria-label="Messages of the site">
        <table>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Queue</th>
              <th scope="col">Message</th>
              <th scope="col">Delivery</th>
            </tr>
          </thead>
          <tbody>
            {data.events.toReversed().map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
};

const EventRow = ({ event: { time, queue, body, delivery, message } }: { readonly event: Sent }): ReactElement => (
  <tr>
    <td>
      <Time iso={time} />
    </td>
    <td className="mono">{queue}</td>
    <td>
      <details>
        <summary>{typeof body['summary'] === 'string' ? body['summary'] : 'A message'}</summary>
        <pre>{JSON.stringify(body, undefined, 2)}</pre>
      </details>
    </td>
    <td title={message}>
      <Badge tone={tones[delivery]}>{delivery}</Badge>
    </td>
  </tr>
);
