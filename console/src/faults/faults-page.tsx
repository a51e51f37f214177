/** The page "Faults": the failures that are active in a world, and the catalogue to add others from. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { baseUrl } from '../api/address.ts';
import { repositoryQuery, worldsQuery } from '../api/queries.ts';
import { useSearchValues } from '../ui/search.ts';
import { Field, PageHead } from '../ui/text.tsx';
import { ActiveFaults } from './active-faults.tsx';
import { Catalogue } from './catalogue.tsx';

type Values = { readonly world: string; readonly text: string };

export const FaultsPage = (): ReactElement => {
  const [{ world, text = '' }, change] = useSearchValues<Values>();
  const here = useQuery(repositoryQuery).data?.world;
  const worlds = useQuery(worldsQuery).data?.worlds ?? [];
  const chosen = world ?? here;
  // The console may have been opened under another host name than the one that the list of worlds has.
  const found = worlds.find(({ name }) => name === chosen);
  const url = chosen === here || found === undefined ? baseUrl : location.origin + new URL(found.url).pathname;
  return (
    <div className="stack">
      <PageHead title="Faults">
        Failures on demand: a server that answers late, wrongly or not at all. They strike the requests of clients, and
        those of this console too.
      </PageHead>
      <Field label="World" hint="A fault strikes only in its world">
        {(attributes) => (
          <select
            {...attributes}
            value={chosen ?? ''}
            onChange={(event) => {
              const { value } = event.currentTarget;
              change({ world: value === here ? '' : value });
            }}
          >
            {worlds.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </Field>
      <ActiveFaults url={url} />
      <Catalogue url={url} text={text} onText={(next) => change({ text: next }, { replace: true })} />
    </div>
  );
};
