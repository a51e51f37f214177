/** The link graph of an entity: what its `Link` headers say, as a diagram, as a list, and as they are. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { parseLinks, readLinkset, type Link } from '../../../src/client/client.ts';
import { baseUrl, pathInWorld } from '../api/address.ts';
import { useActing, type Acting } from '../api/acting.ts';
import { control } from '../api/control.ts';
import { exchange, type PlainAnswer } from '../api/exchange.ts';
import { contentKey, type EntitySummary } from '../api/queries.ts';
import { Empty, Failure } from '../ui/states.tsx';
import { Code } from '../ui/text.tsx';
import { entityAt } from './entity-address.ts';
import { LinkAnchor } from './link-anchor.tsx';
import { LinkGraph } from './link-graph.tsx';
import type { Named } from './link-layout.ts';
import { Refused } from '../ui/refused.tsx';
import { headerOf, jsonOf, linkLines } from './representation.ts';
import { nameKey, useNames } from './summaries.ts';

type LinksTabProps = { readonly entity: EntitySummary; readonly answer: PlainAnswer; readonly path: string };

export const LinksTab = ({ entity, answer, path }: LinksTabProps): ReactElement => {
  const header = headerOf(answer, 'link');
  const shown = parseLinks(header, baseUrl + path);
  const linkset = useLinkset(useActing(), shown);
  const links = linkset.data ?? shown;
  const named = useNamed(links);
  if (answer.status !== 200) return <Refused answer={answer} what="this object, so it shows no links either" />;
  if (links.length === 0) return <Empty title="The response has no Link header." />;
  return (
    <div className="stack">
      <HiddenMedia entity={entity} links={links} />
      {linkset.isError && <Failure error={linkset.error} />}
      {linkset.data !== undefined && (
        <p className="note">
          The header has {shown.length} links; there are too many for it. The linkset that it leads to has all{' '}
          {linkset.data.length}.
        </p>
      )}
      <div className="links-and-headers">
        <section>
          <h2>Diagram</h2>
          <LinkGraph title={entity.title} of={entity} links={named} />
        </section>
        <section>
          <h2>The header</h2>
          <p className="soft">Browsers join the lines of a header. Here each link has a line, as it was sent.</p>
          <Code label="The Link headers" text={linkLines(header ?? '', 'Link')} copyLabel="Copy" />
        </section>
      </div>
      <section>
        <h2>As a list</h2>
        <LinkList links={named} of={entity} />
      </section>
    </div>
  );
};

/** The server links only media that the account may view. A visitor would wonder where they are. */
const HiddenMedia = ({ entity, links }: { readonly entity: EntitySummary; readonly links: readonly Link[] }) => {
  const { data } = useQuery({
    queryKey: ['content', 'media-of', entity.id],
    queryFn: () => control.ask('listEntities', { query: { media_of: String(entity.id) } }),
    enabled: entity.type === 'node',
  });
  const linked = new Set(
    links.map(({ target }) => entityAt(target)).flatMap((key) => (key?.type === 'media' ? key.id : [])),
  );
  const hidden = (data?.total ?? 0) - linked.size;
  if (hidden <= 0) return undefined;
  return (
    <p className="note">
      {hidden === 1 ? '1 media of this object is' : `${hidden} media of this object are`} not linked: the server shows
      links only to what you may view. Sign in as another account, and they appear.
    </p>
  );
};

/** All links, where the header could not hold them (RFC 9264). */
const useLinkset = (acting: Acting, links: readonly Link[]) => {
  const address = links.find(({ rel }) => rel === 'linkset')?.target;
  return useQuery({
    queryKey: contentKey(acting, 'linkset', address),
    queryFn: async () => {
      const path = pathInWorld(address ?? '') ?? '';
      const { status, text } = await exchange(acting, { method: 'GET', path });
      if (status !== 200) throw new Error(`The response of the linkset is ${status}.`);
      return readLinkset(jsonOf(text ?? ''), address);
    },
    enabled: address !== undefined,
  });
};

const useNamed = (links: readonly Link[]): readonly Named[] => {
  const keyed = links.map((link) => ({ link, key: entityAt(link.target) }));
  const names = useNames(keyed.flatMap(({ key }) => key ?? []));
  return keyed.map(({ link, key }) => ({ link, name: key === undefined ? undefined : names.get(nameKey(key))?.title }));
};

const LinkList = ({ links, of }: { readonly links: readonly Named[]; readonly of: EntitySummary }): ReactElement => (
  <ul className="link-list">
    {links.map(({ link, name }, at) => (
      <li key={at}>
        <code>{link.rel}</code>
        <div>
          <LinkAnchor link={link} of={of} className="link-target">
            <bdi>{name ?? link.target}</bdi>
          </LinkAnchor>
          {name !== undefined && <div className="soft">{link.target}</div>}
        </div>
        <span>{[link.title, link.type].filter(Boolean).join(' · ')}</span>
      </li>
    ))}
  </ul>
);
