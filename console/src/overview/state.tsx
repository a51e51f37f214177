/** The state of the server: how safely it stores, how long it has run, what it holds, and what is wrong. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { control, type ControlSchemas } from '../api/control.ts';
import { Badge, Time } from '../ui/text.tsx';

type Repository = ControlSchemas['Repository'];

const durabilities: Readonly<Record<Repository['durability'], string>> = {
  full: 'On disk. An acknowledged write survives a power cut.',
  os: 'On disk. An acknowledged write survives the end of the process, but perhaps not a power cut.',
  memory: 'In memory. Everything ends with the process.',
};

const names: Readonly<Record<keyof Repository['counts'], string>> = {
  node: 'objects',
  media: 'media',
  file: 'files',
  taxonomy_term: 'terms',
  user: 'users',
  path_alias: 'path aliases',
  redirect: 'redirects',
};

const types = Object.keys(names) as (keyof Repository['counts'])[]; // the keys of the record above

export const State = ({ repository }: { readonly repository: Repository }): ReactElement => {
  const health = useQuery({ queryKey: ['health'], queryFn: () => control.ask('getHealth'), refetchInterval: 5000 });
  return (
    <section className="panel stack" aria-labelledby="state">
      <h2 id="state">State</h2>
      <p>
        {health.data !== undefined && (
          <Badge tone={health.data.status === 'ok' ? 'good' : 'bad'}>{health.data.status}</Badge>
        )}{' '}
        {durabilities[repository.durability]} Running since <Time iso={repository.started} />.
      </p>
      {health.data?.reasons.map(({ message }) => (
        <p key={message} className="note bad">
          {message}
        </p>
      ))}
      {health.data?.unfit?.map(({ collection, records }) => (
        <p key={collection} className="note warn">
          {records === 1 ? '1 record' : `${records.toLocaleString('en')} records`} of the collection {collection}{' '}
          {records === 1 ? 'does' : 'do'} not fit the document.{' '}
          <Link to="/collections/records" search={{ collection, fits: 'false' }}>
            See which
          </Link>
        </p>
      ))}
      {repository.hasRepository && (
        <ul className="row counts">
          {types.map((type) => (
            <li key={type}>
              <Link to="/repository" search={{ type }} className="button">
                <strong>{repository.counts[type].toLocaleString()}</strong> {names[type]}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
