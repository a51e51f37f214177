/** The page "Repository": everything that is stored, filtered, sorted and in pages, with pictures or as a table. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { modelQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { useSearchValues } from '../ui/search.ts';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { PageHead } from '../ui/text.tsx';
import { Filters } from './filters.tsx';
import {
  firstPage,
  kinds,
  typeOf,
  useEntityPage,
  type EntityPage,
  type ListChange,
  type ListValues,
} from './listing.ts';
import { ObjectsGrid } from './objects-grid.tsx';
import { ObjectsTable } from './objects-table.tsx';
import { Pager } from './pager.tsx';
import './repository.css';

export const RepositoryPage = (): ReactElement => {
  const [values, change] = useSearchValues<ListValues>();
  const page = useEntityPage(values);
  return (
    <div className="stack">
      <PageHead title="Repository" actions={<CreateLink values={values} />}>
        The list has every stored object, unpublished ones too, for every account: it comes from the control interface.
        The page of an object shows what the account may see that you are signed in as.
      </PageHead>
      <Kinds values={values} change={change} />
      <Filters values={values} change={change} />
      {page.isError && (
        <Failure error={page.error} onRetry={() => void page.refetch()}>
          <p>
            <Button onClick={() => change(noFilters)}>Remove all filters</Button>
          </p>
        </Failure>
      )}
      {page.isLoading && <Loading what="the list" />}
      {page.data !== undefined && !page.isError && (
        <Listed page={page.data} isOld={page.isPlaceholderData} values={values} change={change} />
      )}
    </div>
  );
};

const noFilters = {
  ...{ bundle: undefined, model: undefined, collection: undefined, text: undefined, published: undefined },
  ...firstPage,
} as const;

type ListProps = { readonly values: Partial<ListValues>; readonly change: ListChange };

/** Filters of one type say nothing of another, so they leave the address with it. */
const Kinds = ({ values, change }: ListProps): ReactElement => (
  <div className="row" role="group" aria-label="What to list">
    {kinds.map(({ type, label }) => (
      <Button
        key={type}
        look={typeOf(values) === type ? 'main' : 'plain'}
        aria-pressed={typeOf(values) === type}
        onClick={() => change({ ...noFilters, text: values.text, type })}
      >
        {label}
      </Button>
    ))}
  </div>
);

/** What has pictures is shown with them, unless the address says otherwise. */
const isAsPictures = (values: Partial<ListValues>): boolean =>
  values.view === undefined ? ['node', 'media'].includes(typeOf(values)) : values.view === 'grid';

const Listed = ({
  page,
  isOld,
  values,
  change,
}: ListProps & { readonly page: EntityPage; readonly isOld: boolean }): ReactElement => {
  const isGrid = isAsPictures(values);
  return (
    <section className="stack" aria-label="Results" aria-busy={isOld}>
      <div className="row listed-head">
        <p role="status">
          <strong>{page.total.toLocaleString('en')}</strong> found
          {isOld && <span className="soft"> · Loading …</span>}
        </p>
        <div className="row" role="group" aria-label="View">
          <Button aria-pressed={isGrid} look={isGrid ? 'main' : 'plain'} onClick={() => change({ view: 'grid' })}>
            Pictures
          </Button>
          <Button aria-pressed={!isGrid} look={isGrid ? 'plain' : 'main'} onClick={() => change({ view: 'table' })}>
            Table
          </Button>
        </div>
      </div>
      {page.entities.length === 0 ? (
        <Nothing values={values} change={change} />
      ) : isGrid ? (
        <ObjectsGrid entities={page.entities} />
      ) : (
        <ObjectsTable entities={page.entities} values={values} change={change} />
      )}
      <Pager page={page} change={change} />
    </section>
  );
};

const Nothing = ({ values, change }: ListProps): ReactElement => {
  const isFiltered = Object.keys(noFilters).some((key) => values[key as keyof ListValues] !== undefined); // its keys are keys of the values
  return isFiltered ? (
    <Empty title="Nothing passes these filters.">
      <Button onClick={() => change(noFilters)}>Remove all filters</Button>
    </Empty>
  ) : (
    <Empty title="There are none.">
      <p>Create one, or fill the repository with a fixture: start the server with --fixture starter or sample:1000.</p>
    </Empty>
  );
};

const CreateLink = ({ values }: Pick<ListProps, 'values'>): ReactElement | null => {
  const model = useQuery(modelQuery);
  const type = typeOf(values);
  const isPossible = model.data?.bundles.some((each) => each.type === type && each.createPath !== undefined) === true;
  if (!isPossible) return null;
  const search = { type, ...(values.bundle === undefined ? {} : { bundle: values.bundle }) };
  return (
    <Link className="button main" to="/create" search={search}>
      Create
    </Link>
  );
};
