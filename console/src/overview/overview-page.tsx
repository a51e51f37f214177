/** The page "Overview": where the repository is, who may ask, in what state it is, and what to try first. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { repositoryQuery } from '../api/queries.ts';
import { CopyButton } from '../ui/button.tsx';
import { Loaded } from '../ui/states.tsx';
import { Badge, PageHead } from '../ui/text.tsx';
import { Accounts } from './accounts.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Snippets } from './snippets.tsx';
import { State } from './state.tsx';

export const OverviewPage = (): ReactElement => (
  <Loaded query={useQuery(repositoryQuery)} what="the overview">
    {(repository) => (
      <div className="stack">
        <PageHead title={repository.site.name} actions={<Badge>Atoll {repository.version}</Badge>}>
          The REST interface of an Islandora repository. Ask it at this address; this is the world "{repository.world}".
        </PageHead>
        <div className="row panel">
          <code>{repository.baseUrl}</code>
          <CopyButton text={repository.baseUrl} label="Copy the address" />
        </div>
        <FirstSteps repository={repository} />
        <State repository={repository} />
        <Accounts accounts={repository.accounts} />
        <Snippets repository={repository} />
      </div>
    )}
  </Loaded>
);
