/** Eight objects of the repository, by their pictures. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { control } from '../api/control.ts';
import { BytesImage } from '../ui/bytes-image.tsx';

const most = 8;

export const PictureStrip = (): ReactElement | null => {
  const { data, isPending } = useQuery({
    queryKey: ['content', 'strip'],
    queryFn: () => control.ask('listEntities', { query: { type: 'node', limit: '30' } }),
  });
  if (isPending) return <Waiting />;
  const shown = (data?.entities ?? []).flatMap(({ id, title, thumbnail, published }) =>
    thumbnail === undefined || !published ? [] : { id, title, thumbnail },
  );
  if (shown.length === 0) return null;
  return (
    <ul className="picture-strip" aria-label="Some of its objects">
      {shown.slice(0, most).map(({ id, title, thumbnail }) => (
        <li key={id}>
          <Link to="/entities/$type/$id" params={{ type: 'node', id: String(id) }} title={title}>
            <BytesImage address={thumbnail} alt={title} />
          </Link>
        </li>
      ))}
    </ul>
  );
};

/** Has the room of the pictures, so that nothing below jumps when they come. */
const Waiting = (): ReactElement => (
  <div className="picture-strip" aria-hidden="true">
    {Array.from({ length: most }, (_, at) => (
      <span key={at} className="waiting" />
    ))}
  </div>
);
