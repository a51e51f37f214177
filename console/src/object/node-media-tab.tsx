/** The media of a node: a list of them, and the bytes of the one that is chosen. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { pathInWorld } from '../api/address.ts';
import type { EntitySummary } from '../api/queries.ts';
import { useSearchValues } from '../ui/search.ts';
import { BytesImage } from '../ui/bytes-image.tsx';
import { Button } from '../ui/button.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Badge } from '../ui/text.tsx';
import { MediaTab } from './media-tab.tsx';
import { bestFirst } from './pictures.ts';
import { ListPager } from './list-pager.tsx';
import { useList } from './summaries.ts';

type Values = { readonly media: string | undefined; readonly cursor: string | undefined };

export const NodeMediaTab = ({ id }: { readonly id: number }): ReactElement => {
  const [values, change] = useSearchValues<Values>();
  const list = useList({
    type: 'media',
    media_of: String(id),
    ...(values.cursor === undefined ? {} : { cursor: values.cursor }),
  });
  return (
    <Loaded query={list} what="the media">
      {(page) => {
        const chosen = page.entities.find((media) => String(media.id) === values.media) ?? bestFirst(page.entities)[0];
        if (chosen === undefined) {
          return (
            <Empty title="No media belongs to this object.">
              <p>Drop a file anywhere on this page to add one, or press “Add media” above.</p>
            </Empty>
          );
        }
        return (
          <div className="media-of-node">
            <section className="stack">
              <h2>{page.total.toLocaleString('en')} media</h2>
              <ul className="media-list">
                {page.entities.map((media) => (
                  <MediaChoice
                    key={media.id}
                    media={media}
                    isChosen={media === chosen}
                    onChoose={() => change({ media: String(media.id) })}
                  />
                ))}
              </ul>
              <ListPager page={page} onCursor={(cursor) => change({ cursor, media: undefined })} />
            </section>
            <Chosen media={chosen} />
          </div>
        );
      }}
    </Loaded>
  );
};

const Chosen = ({ media }: { readonly media: EntitySummary }): ReactElement => (
  <section className="stack">
    <h2 dir="auto">{media.title}</h2>
    <p className="row">
      {media.model !== undefined && <Badge>{media.model}</Badge>}
      <Link to="/entities/$type/$id" params={{ type: 'media', id: String(media.id) }}>
        The page of this media
      </Link>
      <Link to="/entities/$type/$id/edit" params={{ type: 'media', id: String(media.id) }}>
        Edit its fields
      </Link>
    </p>
    <MediaTab path={pathInWorld(media.url) ?? media.url} bundle={media.bundle} />
  </section>
);

type MediaChoiceProps = { readonly media: EntitySummary; readonly isChosen: boolean; readonly onChoose: () => void };

const MediaChoice = ({ media, isChosen, onChoose }: MediaChoiceProps): ReactElement => (
  <li>
    <Button className="media-choice" aria-pressed={isChosen} onClick={onChoose}>
      {media.thumbnail !== undefined && <BytesImage className="media-picture" address={media.thumbnail} alt="" />}
      <span>
        <strong>{media.model ?? media.bundle}</strong>
        <br />
        <span dir="auto">{media.title}</span>
        <br />
        <span className="soft">{media.mime ?? media.bundle}</span>
      </span>
    </Button>
  </li>
);
