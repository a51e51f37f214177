/** The list as cards with pictures. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { control } from '../api/control.ts';
import type { EntitySummary } from '../api/queries.ts';
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

/** The address of a member's picture, which stands for a collection that has none of its own. */
const useMembersPicture = ({ type, id, thumbnail }: EntitySummary): string | undefined =>
  useQuery({
    queryKey: ['content', 'members-picture', id],
    queryFn: () => membersPicture(id, 2),
    enabled: type === 'node' && thumbnail === undefined,
    staleTime: 60_000,
  }).data ?? undefined;

/** The address of the first picture among the members, or among their members. */
const membersPicture = async (id: number, levels: number): Promise<string | null> => {
  const query = { type: 'node', collection: String(id), published: 'true', limit: '5' } as const;
  const { entities } = await control.ask('listEntities', { query });
  const [own] = entities.flatMap(({ thumbnail }) => thumbnail ?? []);
  if (own !== undefined || levels === 1) return own ?? null;
  for (const member of entities) {
    const found = await membersPicture(member.id, levels - 1);
    if (found !== null) return found;
  }
  return null;
};
