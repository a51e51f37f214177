/** The page "Overview": where the server is, what it has, who may ask, what to try first, and in what state it is. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { ControlSchemas } from '../api/control.ts';
import { repositoryQuery } from '../api/queries.ts';
import { titleOf } from '../api/title.ts';
import { CopyButton } from '../ui/button.tsx';
import { Loaded } from '../ui/states.tsx';
import { Badge, PageHead } from '../ui/text.tsx';
import { Accounts, SignInAs } from './accounts.tsx';
import { Documents } from './documents.tsx';
import { FirstSteps, FirstStepsOfDocuments } from './first-steps.tsx';
import './overview.css';
import { PictureStrip } from './picture-strip.tsx';
import { Snippets } from './snippets.tsx';
import { State } from './state.tsx';

export const OverviewPage = (): ReactElement => (
  <Loaded query={useQuery(repositoryQuery)} what="the overview">
    {(server) => (server.hasRepository ? <OfRepository repository={server} /> : <OfDocuments server={server} />)}
  </Loaded>
);

type Server = ControlSchemas['Repository'];

const OfRepository = ({ repository }: { readonly repository: Server }): ReactElement => (
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
    <Documents documents={repository.documents} />
    <Snippets repository={repository} />
  </div>
);

/** A server that has no repository. */
const OfDocuments = ({ server }: { readonly server: Server }): ReactElement => (
  <div className="stack">
    <PageHead title={titleOf(server)} actions={<Badge>Atoll {server.version}</Badge>}>
      Answered from {server.documents.length === 1 ? 'your document' : 'your documents'}. Ask at this address; this is
      the world "{server.world}".
    </PageHead>
    <div className="row panel">
      <code>{server.baseUrl}</code>
      <CopyButton text={server.baseUrl} label="Copy the address" />
    </div>
    <FirstStepsOfDocuments server={server} />
    <Documents documents={server.documents} />
    <State repository={server} />
    <Snippets repository={server} />
  </div>
);
