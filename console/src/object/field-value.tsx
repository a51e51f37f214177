/** Shows one item of a field. Formatted texts are shown as they are stored; HTML in them never runs. */
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import type { ControlSchemas } from '../api/control.ts';
import { Badge, Time } from '../ui/text.tsx';
import { isEntityType, entityTypes } from './entity-address.ts';
import { textIn, type Item } from './representation.ts';
import { nameKey, type Names } from './summaries.ts';

type ModelField = ControlSchemas['ModelField'];
type FieldValueProps = { readonly item: Item; readonly field: ModelField | undefined; readonly names: Names };

export const FieldValue = ({ item, field, names }: FieldValueProps): ReactElement => {
  if ('target_id' in item) return <Reference item={item} field={field} names={names} />;
  const { value } = item;
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>;
  if (typeof item['uri'] === 'string') return <Address item={item} uri={item['uri']} />;
  if (hasParts(field)) return <Parts item={item} names={field?.properties ?? []} />;
  const text = textIn(item, field?.main ?? 'value') ?? textIn(item, 'value');
  if (text === undefined) return <code>{JSON.stringify(item)}</code>;
  if (isTime(item, field)) return <Time iso={text} />;
  if (/^https?:\/\/\S+$/.test(text)) return <Outside address={text}>{text}</Outside>;
  const choice = field?.allowedValues?.find((each) => each.value === text)?.label;
  const format = textIn(item, 'format');
  const summary = textIn(item, 'summary');
  return (
    <>
      <span className="stored-text" dir="auto">
        {choice ?? text}
      </span>
      {choice !== undefined && choice !== text && <span className="soft"> ({text})</span>}
      {format !== undefined && (
        <>
          {' '}
          <Badge>{format}</Badge>
        </>
      )}
      {summary !== undefined && summary !== '' && (
        <div className="soft stored-text">
          Summary: <bdi>{summary}</bdi>
        </div>
      )}
      {textIn(item, 'url') !== undefined && <code className="soft"> {textIn(item, 'url')}</code>}
    </>
  );
};

/** Times come with the format that they are written in. A date without a time of day stays as it is. */
const isTime = ({ format }: Item, field: ModelField | undefined): boolean =>
  typeof format === 'string' && format.includes('H:i') && field?.dateOnly !== true;

/** Whether the members of an item are parts of one value, such as those of a place on the map. */
const hasParts = (field: ModelField | undefined): boolean =>
  field !== undefined && !/^(?:text|string|file|image)/.test(field.type) && valueParts(field.properties).length > 1;

const valueParts = (names: readonly string[]): readonly string[] =>
  names.filter((name) => name !== 'format' && name !== 'processed' && name !== 'summary');

const Parts = ({ item, names }: { readonly item: Item; readonly names: readonly string[] }): ReactElement => (
  <span dir="auto">
    {valueParts(names)
      .flatMap((name) => {
        const value = item[name];
        if (value === null || value === undefined || value === '') return [];
        return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
      })
      .join(' · ')}
  </span>
);

const Reference = ({ item, field, names }: FieldValueProps): ReactElement => {
  const { target_type: type, target_id: id } = item;
  const relation = textIn(item, 'rel_type');
  const label = field?.relations?.find(({ value }) => value === relation)?.label;
  const alt = textIn(item, 'alt');
  return (
    <>
      <Target type={type} id={id} names={names} />
      {relation !== undefined && (
        <span className="soft">
          {' '}
          · {label === undefined ? '' : `${label} `}
          <code>{relation}</code>
        </span>
      )}
      {alt !== undefined && alt !== '' && (
        <span className="soft">
          {' '}
          · alternative text: <bdi>{alt}</bdi>
        </span>
      )}
    </>
  );
};

const Target = ({
  type,
  id,
  names,
}: {
  readonly type: unknown;
  readonly id: unknown;
  readonly names: Names;
}): ReactElement => {
  if (id === null) return <span className="soft">none</span>;
  if (typeof type !== 'string' || !isEntityType(type) || typeof id !== 'number')
    return <code>{typeof id === 'string' ? id : JSON.stringify(id)}</code>;
  const name = names.get(nameKey({ type, id }))?.title;
  return (
    <Link to="/entities/$type/$id" params={{ type, id: String(id) }} dir="auto">
      {name === undefined || name === '' ? `${entityTypes[type]} ${id}` : name}
    </Link>
  );
};

/** A link within the site is written like `internal:/node/1` or `entity:node/1`. */
const Address = ({ item, uri }: { readonly item: Item; readonly uri: string }): ReactElement => {
  const [, type = '', id = ''] = /^(?:entity:|internal:\/)(node|media|user|taxonomy_term)\/(\d+)$/.exec(uri) ?? [];
  const title = textIn(item, 'title');
  const shown = title === undefined || title === '' ? uri : title;
  const link = /^https?:/.test(uri) ? (
    <Outside address={uri}>{shown}</Outside>
  ) : id !== '' ? (
    <Link to="/entities/$type/$id" params={{ type, id }} dir="auto">
      {shown}
    </Link>
  ) : (
    <span dir="auto">{shown}</span>
  );
  return (
    <>
      {link}
      {shown !== uri && <span className="soft"> {uri}</span>}
    </>
  );
};

const Outside = ({ address, children }: { readonly address: string; readonly children: ReactNode }): ReactElement => (
  <a href={address} target="_blank" rel="noreferrer" dir="auto">
    {children}
  </a>
);
