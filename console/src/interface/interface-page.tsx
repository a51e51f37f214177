/** The page "Interface": the documents, the page to try their operations, and what came of reading the sources. */
import type { ReactElement } from 'react';
import { useQuery } from '@tanstack/react-query';
import { baseUrl } from '../api/address.ts';
import { ControlFile } from '../ui/control-file.tsx';
import { useSearchValues } from '../ui/search.ts';
import { Tabs } from '../ui/tabs.tsx';
import { PageHead } from '../ui/text.tsx';
import './interface.css';
import { reloadQuery, ReloadStatus } from './reload-status.tsx';

type InterfaceValues = {
  /** `control` for the control interface. */
  readonly document: string;
};

export const InterfacePage = (): ReactElement => {
  const [{ document = 'repository' }, change] = useSearchValues<InterfaceValues>();
  const readAt = useQuery(reloadQuery).data?.at;
  return (
    <div className="stack">
      <PageHead title="Interface">
        What clients may ask, as OpenAPI documents, and a page to try each operation as an account.
      </PageHead>
      <ReloadStatus />
      <section>
        <h2>Documents and operations</h2>
        <Tabs
          label="Interfaces"
          selected={document === 'control' ? 'control' : 'repository'}
          onSelect={(key) => change({ document: key === 'control' ? key : '' })}
          tabs={[
            {
              key: 'repository',
              label: 'The repository',
              content: <Interface key={readAt} name="the repository" page="/_atoll/docs" files={repositoryFiles} />,
            },
            {
              key: 'control',
              label: 'The control interface',
              content: <Interface name="the control interface" page="/_atoll/docs/control" files={controlFiles} />,
            },
          ]}
        />
      </section>
    </div>
  );
};

type DocumentFile = { readonly path: string; readonly label: string };

const repositoryFiles: readonly DocumentFile[] = [
  { path: '/openapi.yaml', label: 'OpenAPI 3.1 as YAML' },
  { path: '/openapi.json', label: 'OpenAPI 3.1 as JSON' },
  { path: '/openapi-3.0.json', label: 'OpenAPI 3.0 as JSON' },
];
const controlFiles: readonly DocumentFile[] = [
  { path: '/_atoll/openapi.yaml', label: 'OpenAPI 3.1 as YAML' },
  { path: '/_atoll/openapi.json', label: 'OpenAPI 3.1 as JSON' },
];

type InterfaceProps = { readonly name: string; readonly page: string; readonly files: readonly DocumentFile[] };

const Interface = ({ name, page, files }: InterfaceProps): ReactElement => (
  <div className="stack">
    <div className="row">
      {files.map(({ path, label }) => (
        <ControlFile key={path} path={path} name={path.slice(path.lastIndexOf('/') + 1)}>
          {label}
        </ControlFile>
      ))}
      <a className="button" href={baseUrl + page} target="_blank" rel="noreferrer">
        Open the page below in a tab
      </a>
    </div>
    <iframe className="api-page" src={baseUrl + page} title={`The operations of ${name}`} />
  </div>
);
