/** The page "Overview": where the repository is, what it has, who may ask, what to try first, and in what state it is. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { repositoryQuery } from '../api/queries.ts';
import { CopyButton } from '../ui/button.tsx';
import { Loaded } from '../ui/states.tsx';
import { Badge, PageHead } from '../ui/text.tsx';
import { Accounts, SignInAs } from './accounts.tsx';
import { FirstSteps } from './first-steps.tsx';
import './overview.css';
import { PictureStrip } from './picture-strip.tsx';
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
          <SignInAs accounts={repository.accounts} />
        </div>
        <PictureStrip />
        <FirstSteps repository={repository} />
        <State repository={repository} />
        <Accounts accounts={repository.accounts} />
        <Snippets repository={repository} />
      </div>
    )}
  </Loaded>
);
