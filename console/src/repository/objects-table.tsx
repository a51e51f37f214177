/** The list as a table. The heads of columns sort. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { EntitySummary } from '../api/queries.ts';
import { BytesImage } from '../ui/bytes-image.tsx';
import { Cell, Head, Row, RowHead, Table } from '../ui/table.tsx';
import { Badge, Time } from '../ui/text.tsx';
import { stateOf } from '../ui/entity-state.ts';
import { firstPage, orderOf, typeOf, type ListChange, type ListValues, type Order } from './listing.ts';

type TableProps = {
  readonly entities: readonly EntitySummary[];
  readonly values: Partial<ListValues>;
  readonly change: ListChange;
};

/** What the third column says of each type. */
const detailHeads: Readonly<Partial<Record<EntitySummary['type'], string>>> = {
  node: 'Model',
  media: 'Use',
  file: 'MIME type',
};

export const ObjectsTable = ({ entities, values, change }: TableProps): ReactElement => {
  const hasDetail = entities.some(({ model, mime }) => (model ?? mime) !== undefined);
  const detail = hasDetail ? detailHeads[typeOf(values)] : undefined;
  const sort = { current: orderOf(values), change };
  return (
    <Table
      label="The list"
      className="objects"
      heads={
        <>
          <SortHead {...sort} ascending="id" label="Number" />
          <SortHead {...sort} ascending="title" label="Title" />
          {detail !== undefined && <Head>{detail}</Head>}
          <Head>Bundle</Head>
          <Head>State</Head>
          <SortHead {...sort} ascending="changed" label="Changed" />
        </>
      }
    >
      {entities.map((entity) => (
        <ObjectRow key={entity.id} entity={entity} detail={detail} />
      ))}
    </Table>
  );
};

type ObjectRowProps = { readonly entity: EntitySummary; readonly detail: string | undefined };

const ObjectRow = ({ entity, detail }: ObjectRowProps): ReactElement => (
  <Row>
    <Cell of="Number">{entity.id}</Cell>
    <RowHead>
      <span className="titled">
        {entity.thumbnail !== undefined && <BytesImage className="small-picture" address={entity.thumbnail} alt="" />}
        <Link to="/entities/$type/$id" params={{ type: entity.type, id: String(entity.id) }} dir="auto">
          {entity.title}
        </Link>
      </span>
    </RowHead>
    {detail !== undefined && <Cell of={detail}>{entity.model ?? entity.mime ?? ''}</Cell>}
    <Cell of="Bundle">{entity.bundle}</Cell>
    <Cell of="State">
      <Badge tone={entity.published ? 'plain' : 'warn'}>{stateOf(entity)}</Badge>
    </Cell>
    <Cell of="Changed">{entity.changed !== undefined && <Time iso={entity.changed} />}</Cell>
  </Row>
);

type SortHeadProps = {
  readonly label: string;
  readonly ascending: 'id' | 'title' | 'changed';
  readonly current: Order;
  readonly change: ListChange;
};

const SortHead = ({ label, ascending, current, change }: SortHeadProps): ReactElement => {
  const isAscending = current === ascending;
  const isDescending = current === `-${ascending}`;
  const next: Order = isAscending ? `-${ascending}` : ascending;
  return (
    <Head aria-sort={isAscending ? 'ascending' : isDescending ? 'descending' : 'none'}>
      <button
        type="button"
        className="sort-head"
        onClick={() => change({ order: next === 'id' ? undefined : next, ...firstPage })}
      >
        {label} <span aria-hidden="true">{isAscending ? '↑' : isDescending ? '↓' : '↕'}</span>
      </button>
    </Head>
  );
};
