/** The records of a collection as a table, in the order in which they were added, in pages. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Button } from '../ui/button.tsx';
import { useSearchValues } from '../ui/search.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { Cell, Row, RowHead, Table } from '../ui/table.tsx';
import { Badge, PageHead } from '../ui/text.tsx';
import { collectionsQuery, pageSize, recordsQuery, type Collection, type CollectionPage } from './queries.ts';
import { cellText, columnsOf } from './record-values.ts';

type Values = { readonly collection: string; readonly offset: string; readonly fits: string };

export const RecordsPage = (): ReactElement => {
  const [{ collection: name = '', offset = '0', fits }, change] = useSearchValues<Values>();
  const isUnfit = fits === 'false';
  const records = useQuery(recordsQuery(name, { offset: Number(offset) || 0, fits: isUnfit ? 'false' : undefined }));
  const { data: all } = useQuery(collectionsQuery);
  const collection = all?.collections.find((each) => each.name === name);
  return (
    <div className="stack">
      <PageHead title={name} actions={<Actions name={name} isSingle={collection?.single === true} />}>
        {collection !== undefined && placeOf(collection)}
      </PageHead>
      {(isUnfit || (collection?.unfit ?? 0) > 0) && (
        <div className="row" role="group" aria-label="Which records">
          <Button
            look={isUnfit ? 'plain' : 'main'}
            aria-pressed={!isUnfit}
            onClick={() => change({ fits: '', offset: '' })}
          >
            All
          </Button>
          <Button
            look={isUnfit ? 'main' : 'plain'}
            aria-pressed={isUnfit}
            onClick={() => change({ fits: 'false', offset: '' })}
          >
            Not fitting the document
          </Button>
        </div>
      )}
      <Loaded query={records} what="the records">
        {(page) => (
          <section className="stack" aria-label="Records" aria-busy={records.isPlaceholderData}>
            <p role="status">
              <strong>{page.total.toLocaleString('en')}</strong> {page.total === 1 ? 'record' : 'records'}
            </p>
            {page.records.length === 0 ? (
              <Nothing isUnfit={isUnfit} isBegun={collection?.begun === true} />
            ) : (
              <RecordTable page={page} idMember={collection?.idMember ?? null} />
            )}
            <Pager page={page} onOffset={(next) => change({ offset: next === 0 ? '' : String(next) })} />
          </section>
        )}
      </Loaded>
    </div>
  );
};

const Actions = ({ name, isSingle }: { readonly name: string; readonly isSingle: boolean }): ReactElement => (
  <>
    {!isSingle && (
      <Link className="button main" to="/collections/add" search={{ collection: name }}>
        Add a record
      </Link>
    )}
    <Link className="button" to="/collections">
      All collections
    </Link>
  </>
);

const placeOf = ({ path, document, parent, single }: Collection): string => {
  if (path === null) return 'No document has this collection: handlers write to it.';
  const kind = single ? 'One record' : 'Records';
  return `${kind} at ${path} of ${document ?? 'a document'}${parent === null ? '' : `, below ${parent}`}.`;
};

const Nothing = ({ isUnfit, isBegun }: { readonly isUnfit: boolean; readonly isBegun: boolean }): ReactElement =>
  isUnfit ? (
    <Empty title="All records fit the document." />
  ) : (
    <Empty title="There are no records.">
      {!isBegun && <p>The first request to its path fills it with those that it begins with.</p>}
    </Empty>
  );

type RecordTableProps = { readonly page: CollectionPage; readonly idMember: string | null };

const RecordTable = ({ page: { name, records }, idMember }: RecordTableProps): ReactElement => {
  const members = columnsOf(
    records.map(({ value }) => value),
    idMember,
  );
  const columns = members.length === 0 ? [undefined] : members;
  const hasUnfit = records.some(({ fits }) => !fits);
  return (
    <Table
      label={`Records of ${name}`}
      heads={['Id', ...columns.map((each) => each ?? 'Value'), ...(hasUnfit ? ['State'] : [])]}
    >
      {records.map(({ id, value, fits }) => (
        <Row key={id}>
          <RowHead>
            <Link to="/collections/record" search={{ collection: name, id }} dir="auto">
              {id}
            </Link>
          </RowHead>
          {columns.map((column) => (
            <Cell key={column ?? ''} of={column ?? 'Value'} dir="auto">
              {cellText(value, column)}
            </Cell>
          ))}
          {hasUnfit && <Cell of="State">{!fits && <Badge tone="warn">does not fit</Badge>}</Cell>}
        </Row>
      ))}
    </Table>
  );
};

type PagerProps = { readonly page: CollectionPage; readonly onOffset: (offset: number) => void };

const Pager = ({ page: { offset, total, next, records }, onOffset }: PagerProps): ReactElement | null =>
  offset === 0 && next === undefined ? null : (
    <nav className="row" aria-label="Pages of the list">
      <Button disabled={offset === 0} onClick={() => onOffset(0)}>
        First
      </Button>
      <Button disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - pageSize))}>
        Previous
      </Button>
      <span>
        {(offset + 1).toLocaleString('en')} to {(offset + records.length).toLocaleString('en')} of{' '}
        {total.toLocaleString('en')}
      </span>
      <Button disabled={next === undefined} onClick={() => next !== undefined && onOffset(next)}>
        Next
      </Button>
    </nav>
  );
