/** Three things to try first. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { baseUrl } from '../api/address.ts';
import type { ControlSchemas } from '../api/control.ts';

type FirstStepsProps = { readonly repository: Pick<ControlSchemas['Repository'], 'entryPoints' | 'paths'> };

export const FirstSteps = ({ repository: { entryPoints, paths } }: FirstStepsProps): ReactElement => (
  <section className="panel" aria-labelledby="first-steps">
    <h2 id="first-steps">Three things to try</h2>
    <ol>
      <li>
        Look at an object, a collection, a file:{' '}
        {entryPoints.map(({ title, type, id }, at) => (
          <span key={`${type} ${id}`}>
            {at > 0 && ', '}
            <Link to="/entities/$type/$id" params={{ type, id: String(id) }}>
              {title}
            </Link>
          </span>
        ))}
        .{' '}
        <Link to="/repository" search={{ published: 'false' }}>
          What is not published
        </Link>{' '}
        answers a visitor otherwise.
      </li>
      <li>
        <Link to="/create" search={{ type: 'node' }}>
          Create an object
        </Link>{' '}
        and give it a picture. <Link to="/worlds">The page of worlds</Link> puts everything back.
      </li>
      <li>
        Send a request from your program. <Link to="/traffic">Traffic</Link> shows it, and what in it broke the
        contract.
        {paths.llms !== undefined && (
          <>
            {' '}
            Your coding agent gets{' '}
            <a href={baseUrl + paths.llms} target="_blank" rel="noreferrer">
              llms.txt
            </a>
            : the rules of this interface, and every page of the documentation as Markdown.
          </>
        )}
      </li>
    </ol>
  </section>
);

type Documented = { readonly server: Pick<ControlSchemas['Repository'], 'documents' | 'collections'> };

export const FirstStepsOfDocuments = ({ server: { documents, collections } }: Documented): ReactElement => {
  const first = documents.find(({ firstUrl }) => firstUrl !== undefined)?.firstUrl;
  return (
    <section className="panel" aria-labelledby="first-steps">
      <h2 id="first-steps">Three things to try</h2>
      <ol>
        <li>
          Ask an operation
          {first !== undefined && (
            <>
              :{' '}
              <a href={first} target="_blank" rel="noreferrer">
                {first}
              </a>
            </>
          )}
          . <Link to="/interface">The page of the interface</Link> has all of them.
          {collections > 0 && (
            <>
              {' '}
              What a client creates is remembered: <Link to="/collections">the collections</Link>.
            </>
          )}
        </li>
        <li>
          Send a request from your program. <Link to="/traffic">Traffic</Link> shows it, and what in it broke the
          contract.
        </li>
        <li>
          Break something on purpose: <Link to="/faults">a fault</Link> for an operation.{' '}
          <Link to="/coverage">Coverage</Link> says what your tests have never met.
        </li>
      </ol>
    </section>
  );
};
