/** The members of a node. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { BytesImage } from '../ui/bytes-image.tsx';
import { stateOf } from '../ui/entity-state.ts';
import { useSearchValues } from '../ui/search.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { Badge } from '../ui/text.tsx';
import { ListPager } from './list-pager.tsx';
import { useList } from './summaries.ts';

export const MembersTab = ({ id }: { readonly id: number }): ReactElement => {
  const [values, change] = useSearchValues<{ readonly cursor: string | undefined }>();
  const collection = String(id);
  const list = useList({ type: 'node', collection, ...(values.cursor === undefined ? {} : { cursor: values.cursor }) });
  return (
    <Loaded query={list} what="the members">
      {(page) =>
        page.entities.length === 0 ? (
          <Empty title="Nothing is a member of this object." />
        ) : (
          <section className="stack">
            <p className="row">
              <strong>{page.total.toLocaleString('en')}</strong> members, unpublished ones too.
              <Link to="/repository" search={{ collection }}>
                Filter and sort them
              </Link>
            </p>
            <ul className="media-list">
              {page.entities.map((member) => (
                <li key={member.id}>
                  <Link className="member" to="/entities/$type/$id" params={{ type: 'node', id: String(member.id) }}>
                    {member.thumbnail !== undefined && (
                      <BytesImage className="media-picture" address={member.thumbnail} alt="" />
                    )}
                    <span dir="auto">{member.title}</span>
                  </Link>
                  <span className="row soft">
                    {member.model ?? member.bundle}
                    {!member.published && <Badge tone="warn">{stateOf(member)}</Badge>}
                  </span>
                </li>
              ))}
            </ul>
            <ListPager page={page} onCursor={(cursor) => change({ cursor })} />
          </section>
        )
      }
    </Loaded>
  );
};
