/** What to try first: entities of this repository, and what else the console can do. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { baseUrl } from '../api/address.ts';
import type { ControlSchemas } from '../api/control.ts';

type FirstStepsProps = { readonly repository: Pick<ControlSchemas['Repository'], 'entryPoints' | 'paths'> };

export const FirstSteps = ({ repository: { entryPoints, paths } }: FirstStepsProps): ReactElement => (
  <section className="panel" aria-labelledby="first-steps">
    <h2 id="first-steps">What to try first</h2>
    <ul>
      {entryPoints.map(({ title, type, id }) => (
        <li key={`${type} ${id}`}>
          <Link to="/entities/$type/$id" params={{ type, id: String(id) }}>
            {title}
          </Link>
        </li>
      ))}
      <li>
        <Link to="/repository" search={{ published: 'false' }}>
          See what is not published
        </Link>
        , and what it answers to a visitor.
      </li>
      <li>
        <Link to="/create" search={{ type: 'node' }}>
          Create an object
        </Link>
        . <Link to="/worlds">The page of worlds</Link> puts everything back.
      </li>
      <li>
        Send a request from your program. <Link to="/traffic">Traffic</Link> shows it, and what in it broke the
        contract.
      </li>
      {paths.llms !== undefined && (
        <li>
          Give your coding agent{' '}
          <a href={baseUrl + paths.llms} target="_blank" rel="noreferrer">
            llms.txt
          </a>
          : the rules of this interface, and every page of the documentation as Markdown.
        </li>
      )}
    </ul>
  </section>
);
