/** A link to the manual, where the server has one. It opens in a tab of its own, so that a form keeps what was typed. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { repositoryQuery } from '../api/queries.ts';

type HelpLinkProps = { readonly page: string; readonly children: ReactNode };

/** `page` is the name of a file of the manual, with an anchor or without. */
export const HelpLink = ({ page, children }: HelpLinkProps): ReactElement | null => {
  // The frame asks for it. A link at its failure must not ask again.
  const repository = useQuery({ ...repositoryQuery, enabled: false });
  const help = repository.data?.paths.help;
  if (repository.data === undefined || help === undefined) return null;
  return (
    <a href={repository.data.baseUrl + help + page} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
};

/** What the manual says of a refusal. Nothing for an error that has no status. */
export const RefusalHelp = ({ status }: { readonly status: number | undefined }): ReactElement | null =>
  status === undefined || status < 400 ? null : (
    <HelpLink page={status === 401 || status === 403 ? 'authentication.html' : refusals}>Help on {status}</HelpLink>
  );

const refusals = 'front-ends.html#what-to-do-with-401-403-404-409-422';
