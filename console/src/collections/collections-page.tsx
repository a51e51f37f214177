/** The page "Collections": what the server remembers by documents and handlers, and why other paths are none. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ControlSchemas } from '../api/control.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { Cell, Row, RowHead, Table } from '../ui/table.tsx';
import { Badge, PageHead } from '../ui/text.tsx';
import { collectionsQuery, type Collection } from './queries.ts';

type Listed = ControlSchemas['CollectionList'];

export const CollectionsPage = (): ReactElement => (
  <div className="stack">
    <PageHead title="Collections">
      What this world remembers: the records that it began with, and those that clients and handlers have written.
    </PageHead>
    <Loaded query={useQuery(collectionsQuery)} what="the collections">
      {({ collections, others }) => (
        <>
          {collections.length === 0 ? (
            <Empty title="There are none.">
              <p>A collection is a path of your document with a list, whose records have a path of their own.</p>
            </Empty>
          ) : (
            <CollectionTable collections={collections} />
          )}
          <Others others={others} />
        </>
      )}
    </Loaded>
  </div>
);

const CollectionTable = ({ collections }: Pick<Listed, 'collections'>): ReactElement => (
  <Table label="The collections" heads={['Name', 'Records', 'Path', 'Document', 'State']}>
    {collections.map((collection) => (
      <CollectionRow key={collection.name} collection={collection} />
    ))}
  </Table>
);

const CollectionRow = ({ collection }: { readonly collection: Collection }): ReactElement => {
  const { name, records, path, document } = collection;
  return (
    <Row>
      <RowHead>
        <Link to="/collections/records" search={{ collection: name }} dir="auto">
          {name}
        </Link>
      </RowHead>
      <Cell of="Records">{records.toLocaleString('en')}</Cell>
      <Cell of="Path">{path === null ? <span className="soft">none, for handlers</span> : <code>{path}</code>}</Cell>
      <Cell of="Document">{document}</Cell>
      <Cell of="State">
        <CollectionState collection={collection} />
      </Cell>
    </Row>
  );
};

const CollectionState = ({ collection }: { readonly collection: Collection }): ReactElement | null => {
  const { name, records, path, unfit, begun } = collection;
  if (unfit > 0)
    return (
      <Link to="/collections/records" search={{ collection: name, fits: 'false' }}>
        <Badge tone="warn">{unfitWords(unfit)}</Badge>
      </Link>
    );
  if (!begun) return <span className="soft">The first request fills it</span>;
  return records === 0 || path === null ? null : <Badge tone="good">all fit</Badge>;
};

const unfitWords = (number: number): string =>
  number === 1 ? '1 does not fit the document' : `${number.toLocaleString('en')} do not fit the document`;

const Others = ({ others }: Pick<Listed, 'others'>): ReactElement | null =>
  others.length === 0 ? null : (
    <section className="panel stack" aria-labelledby="others">
      <h2 id="others">Paths without a collection</h2>
      <p className="soft">Examples and samples answer them. x-atoll-collection at a path of the document decides it.</p>
      <Table label="Table of paths without a collection" heads={['Path', 'Why']}>
        {others.map(({ path, reason }) => (
          <Row key={`${path} ${reason}`}>
            <RowHead>
              <code>{path}</code>
            </RowHead>
            <Cell of="Why">{reason}</Cell>
          </Row>
        ))}
      </Table>
    </section>
  );
