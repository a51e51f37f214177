/** The page of one entity: its fields, media and bytes, members, links, and what the wire has. */
import { Link, useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { pathInWorld } from '../api/address.ts';
import { useActing } from '../api/acting.ts';
import { useAnswer, type EntitySummary } from '../api/queries.ts';
import { useSearchValues } from '../ui/search.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { PageHead } from '../ui/text.tsx';
import { Tabs, type Tab } from '../ui/tabs.tsx';
import { entityTypes, isEntityType, type EntityKey } from './entity-address.ts';
import { FieldsTab } from './fields-tab.tsx';
import { FileTab } from './file-tab.tsx';
import { LinksTab } from './links-tab.tsx';
import { MediaTab } from './media-tab.tsx';
import { MembersTab } from './members-tab.tsx';
import { fieldsOf } from './representation.ts';
import { NodeMediaTab } from './node-media-tab.tsx';
import './object.css';
import { ObjectHead } from './object-head.tsx';
import { useSummary } from './summaries.ts';
import { RawHttpTab } from './raw-http-tab.tsx';

export const ObjectPage = (): ReactElement => {
  const { type = '', id = '' } = useParams({ strict: false });
  return isEntityType(type) && /^\d{1,15}$/.test(id) ? (
    <Known key={`${type} ${id}`} type={type} id={Number(id)} />
  ) : (
    <Absent what={`${type} ${id}`} />
  );
};

const Known = ({ type, id }: EntityKey): ReactElement => {
  const found = useSummary({ type, id });
  return (
    <Loaded query={found} what="the object">
      {([entity]) =>
        entity === undefined ? <Absent what={`${entityTypes[type]} ${id}`} /> : <Present entity={entity} />
      }
    </Loaded>
  );
};

const Absent = ({ what }: { readonly what: string }): ReactElement => (
  <div className="stack">
    <PageHead title="Not there" />
    <Empty title={`This world has no “${what}”.`}>
      <p>It was deleted, or the world was reset, or the address is of another world.</p>
      <Link to="/repository">Look through the repository</Link>
    </Empty>
  </div>
);

type Values = Readonly<Record<'tab' | 'cursor' | 'media' | 'as' | 'form', string | undefined>>;

/** What a tab shows is of that tab alone. */
const ofOneTab = { cursor: undefined, media: undefined, as: undefined, form: undefined } as const;

/** The representation is asked for as the account that asks; the summary above it comes from the control interface. */
const Present = ({ entity }: { readonly entity: EntitySummary }): ReactElement => {
  const [values, change] = useSearchValues<Values>();
  const path = pathInWorld(entity.url) ?? entity.url;
  const answer = useAnswer(useActing(), path);
  const parts: readonly (Tab | undefined)[] = [
    {
      key: 'fields',
      label: 'Fields',
      content: (
        <Loaded query={answer} what="the fields">
          {(data) => <FieldsTab entity={entity} answer={data} />}
        </Loaded>
      ),
    },
    bytesTab(entity, path),
    entity.type === 'node' ? { key: 'members', label: 'Members', content: <MembersTab id={entity.id} /> } : undefined,
    {
      key: 'links',
      label: 'Links',
      content: (
        <Loaded query={answer} what="the links">
          {(data) => <LinksTab entity={entity} answer={data} path={path} />}
        </Loaded>
      ),
    },
    { key: 'wire', label: 'Raw HTTP', content: <RawHttpTab path={path} /> },
  ];
  const tabs = parts.flatMap((tab) => tab ?? []);
  const selected = tabs.find(({ key }) => key === values.tab)?.key ?? 'fields';
  return (
    <div className="stack">
      <ObjectHead entity={entity} fields={answer.data && fieldsOf(answer.data)} />
      <Tabs
        label="What to see of it"
        tabs={tabs}
        selected={selected}
        onSelect={(tab) => change({ ...ofOneTab, tab: tab === 'fields' ? undefined : tab })}
      />
    </div>
  );
};

const bytesTab = (entity: EntitySummary, path: string): Tab | undefined => {
  const { type, id } = entity;
  if (type === 'node') return { key: 'media', label: 'Media', content: <NodeMediaTab id={id} /> };
  if (type === 'media')
    return { key: 'media', label: 'Bytes', content: <MediaTab path={path} bundle={entity.bundle} /> };
  if (type === 'file') return { key: 'media', label: 'Bytes', content: <FileTab id={id} /> };
  return undefined;
};
