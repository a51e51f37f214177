/** The list as cards with pictures. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { EntitySummary } from '../api/queries.ts';
import { useMembersPicture } from '../object/pictures.ts';
import { BytesImage } from '../ui/bytes-image.tsx';
import { Badge } from '../ui/text.tsx';
import { stateOf } from '../ui/entity-state.ts';

export const ObjectsGrid = ({ entities }: { readonly entities: readonly EntitySummary[] }): ReactElement => (
  <ul className="object-cards">
    {entities.map((entity) => (
      <li key={entity.id}>
        <Link className="object-card" to="/entities/$type/$id" params={{ type: entity.type, id: String(entity.id) }}>
          <CardPicture entity={entity} />
          <span className="object-title" dir="auto">
            {entity.title}
          </span>{' '}
          <span className="row soft">
            <span>{entity.model ?? entity.mime ?? entity.bundle}</span>{' '}
            {!entity.published && <Badge tone="warn">{stateOf(entity)}</Badge>}
          </span>
        </Link>
      </li>
    ))}
  </ul>
);

const CardPicture = ({ entity }: { readonly entity: EntitySummary }): ReactElement => {
  const ofMembers = useMembersPicture(entity);
  const address = entity.thumbnail ?? ofMembers;
  return (
    <span className="object-picture">
      {address === undefined ? (
        <span className="soft">{entity.model ?? entity.mime ?? entity.bundle}</span>
      ) : (
        <BytesImage address={address} alt="" />
      )}
    </span>
  );
};
