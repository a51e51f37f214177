/** The list as a table. The heads of columns sort. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { EntitySummary } from '../api/queries.ts';
import { BytesImage } from '../ui/bytes-image.tsx';
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
    <div className="scroll" tabIndex={0} role="region" aria-label="The list">
      <table className="objects">
        <thead>
          <tr>
            <Head {...sort} ascending="id" label="Number" className="if-wide" />
            <Head {...sort} ascending="title" label="Title" />
            {detail !== undefined && (
              <th scope="col" className="if-wide">
                {detail}
              </th>
            )}
            <th scope="col" className="if-wide">
              Bundle
            </th>
            <th scope="col">State</th>
            <Head {...sort} ascending="changed" label="Changed" className="if-wide" />
          </tr>
        </thead>
        <tbody>
          {entities.map((entity) => (
            <Row key={entity.id} entity={entity} hasDetail={detail !== undefined} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

const Row = ({ entity, hasDetail }: { readonly entity: EntitySummary; readonly hasDetail: boolean }): ReactElement => (
  <tr>
    <td className="if-wide">{entity.id}</td>
    <td>
      <span className="titled">
        {entity.thumbnail !== undefined && <BytesImage className="small-picture" address={entity.thumbnail} alt="" />}
        <span>
          <Link to="/entities/$type/$id" params={{ type: entity.type, id: String(entity.id) }} dir="auto">
            {entity.title}
          </Link>
          <span className="if-narrow soft">
            {[entity.model ?? entity.mime, `number ${entity.id}`, entity.bundle].filter(Boolean).join(' · ')}
          </span>
        </span>
      </span>
    </td>
    {hasDetail && <td className="if-wide">{entity.model ?? entity.mime ?? ''}</td>}
    <td className="if-wide">{entity.bundle}</td>
    <td>
      <Badge tone={entity.published ? 'plain' : 'warn'}>{stateOf(entity)}</Badge>
    </td>
    <td className="if-wide">{entity.changed !== undefined && <Time iso={entity.changed} />}</td>
  </tr>
);

type HeadProps = {
  readonly label: string;
  readonly ascending: 'id' | 'title' | 'changed';
  readonly current: Order;
  readonly change: ListChange;
  readonly className?: string;
};

const Head = ({ label, ascending, current, change, className }: HeadProps): ReactElement => {
  const isAscending = current === ascending;
  const isDescending = current === `-${ascending}`;
  const next: Order = isAscending ? `-${ascending}` : ascending;
  return (
    <th scope="col" className={className} aria-sort={isAscending ? 'ascending' : isDescending ? 'descending' : 'none'}>
      <button
        type="button"
        className="sort-head"
        onClick={() => change({ order: next === 'id' ? undefined : next, ...firstPage })}
      >
        {label} <span aria-hidden="true">{isAscending ? '↑' : isDescending ? '↓' : '↕'}</span>
      </button>
    </th>
  );
};
