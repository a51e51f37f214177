/** One record that was added, changed or removed, with the values of its fields before and now. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { control, type ControlSchemas } from '../api/control.ts';
import { Button } from '../ui/button.tsx';
import { Cell, Row, RowHead, Table } from '../ui/table.tsx';
import { Badge, Time, type Tone } from '../ui/text.tsx';
import { act } from './act.ts';
import { memberDifferences } from './member-differences.ts';

type Difference = ControlSchemas['Difference'];
type FieldDifference = NonNullable<Difference['fields']>[number];

const tones: Readonly<Record<Difference['change'], Tone>> = { added: 'good', changed: 'warn', removed: 'bad' };

/** `from` names what the world is compared with. From another world, which may change, nothing is put back. */
export type PutBackFrom = Pick<ControlSchemas['PutBack'], 'from'> | undefined;

type DifferenceEntryProps = { readonly entry: Difference; readonly putBackFrom: PutBackFrom };

export const DifferenceEntry = ({ entry, putBackFrom }: DifferenceEntryProps): ReactElement => {
  const { type, id, change } = entry;
  const which = nameOf(entry);
  const putBack = (field?: string): void => {
    const done = field === undefined ? `${which} is as it was.` : `${field} of ${which} is as it was.`;
    void act(
      () => control.ask('putBack', { body: { type, id, ...(field !== undefined && { field }), ...putBackFrom } }),
      done,
    );
  };
  return (
    <li className="panel stack">
      <div className="page-head">
        <h2>
          <Badge tone={tones[change]}>{change}</Badge> <RecordLink entry={entry} />
        </h2>
        {putBackFrom !== undefined && (
          <Button aria-label={`Put back ${fullNameOf(entry)}`} onClick={() => putBack()}>
            {change === 'added' ? 'Delete it' : 'Put back'}
          </Button>
        )}
      </div>
      {isOfCollection(entry) ? (
        <Members entry={entry} />
      ) : (
        <FieldTable entry={entry} onPutBack={putBackFrom === undefined ? undefined : putBack} />
      )}
    </li>
  );
};

const isOfCollection = ({ type }: Difference): boolean => type === 'collection_record';

/** A record of a collection is known by its id there. */
const nameOf = (entry: Difference): string =>
  isOfCollection(entry) ? `${entry.bundle} ${entry.title}` : `${entry.type} ${entry.id}`;

const fullNameOf = (entry: Difference): string =>
  isOfCollection(entry) ? nameOf(entry) : `${nameOf(entry)}: ${entry.title}`;

const RecordLink = ({ entry }: { readonly entry: Difference }): ReactElement => {
  const { type, id, title, bundle, change } = entry;
  const isRemoved = change === 'removed';
  if (isOfCollection(entry)) {
    const name = <bdi>{nameOf(entry)}</bdi>;
    return (
      <>
        {isRemoved ? (
          name
        ) : (
          <Link to="/collections/record" search={{ collection: bundle, id: title }}>
            {name}
          </Link>
        )}{' '}
        <span className="soft">record of a collection</span>
      </>
    );
  }
  const shown = (
    <>
      {nameOf(entry)}: <bdi>{title}</bdi>
    </>
  );
  return (
    <>
      {isRemoved ? (
        shown
      ) : (
        <Link to="/entities/$type/$id" params={{ type, id: String(id) }}>
          {shown}
        </Link>
      )}{' '}
      <span className="soft">{bundle}</span>
    </>
  );
};

const Members = ({ entry }: { readonly entry: Difference }): ReactElement | null =>
  entry.fields === undefined ? null : (
    <Table label={`Members of ${nameOf(entry)}`} heads={['Member', 'Before', 'Now']}>
      {entry.fields.flatMap(memberDifferences).map((field) => (
        <FieldRow key={field.name} field={field} onPutBack={undefined} />
      ))}
    </Table>
  );

type FieldTableProps = { readonly entry: Difference; readonly onPutBack: ((field: string) => void) | undefined };

const FieldTable = ({ entry, onPutBack }: FieldTableProps): ReactElement | null => {
  const { fields = [] } = entry;
  if (fields.length === 0) return null;
  const heads = ['Field', 'Before', 'Now', ...(onPutBack === undefined ? [] : ['Undo'])];
  return (
    <Table label={`Fields of ${fullNameOf(entry)}`} heads={heads}>
      {fields.map((field) => (
        <FieldRow key={field.name} field={field} onPutBack={onPutBack && (() => onPutBack(field.name))} />
      ))}
    </Table>
  );
};

const FieldRow = ({
  field: { name, label = name, before, after, secret },
  onPutBack,
}: {
  readonly field: FieldDifference;
  readonly onPutBack: (() => void) | undefined;
}): ReactElement => (
  <Row>
    <RowHead title={name} dir="auto">
      {label}
    </RowHead>
    <Cell of="Before" className="before">
      {secret === true ? 'not shown' : <Items name={name} items={before} />}
    </Cell>
    <Cell of="Now" className="after">
      {secret === true ? 'not shown' : <Items name={name} items={after} />}
    </Cell>
    {onPutBack !== undefined && (
      <Cell of="Undo">
        <Button aria-label={`Put back ${label}`} onClick={onPutBack}>
          Put back
        </Button>
      </Cell>
    )}
  </Row>
);

/** An item with one property is shown by its value, any other as JSON. */
const wordsOf = (item: unknown): string => {
  const values: readonly unknown[] = typeof item === 'object' && item !== null ? Object.values(item) : [item];
  const [only] = values;
  return values.length === 1 && typeof only === 'string' ? only : JSON.stringify(values.length === 1 ? only : item);
};

/** These fields hold moments as seconds since 1970. */
const moments = /^(?:created|changed|revision_timestamp|revision_created)(?: |$)/;

const momentOf = (name: string, item: unknown): ReactElement | undefined => {
  const { value } = Object(item) as { readonly value?: unknown }; // any JSON
  if (!moments.test(name) || typeof value !== 'number') return undefined;
  return <Time iso={new Date(value * 1000).toISOString()} />;
};

type ItemsProps = { readonly name: string; readonly items: readonly unknown[] };

const Items = ({ name, items }: ItemsProps): ReactElement =>
  items.length === 0 ? (
    <span className="soft">empty</span>
  ) : (
    <>
      {items.map((item, index) => (
        <div key={index} className="mono" dir="auto">
          {momentOf(name, item) ?? wordsOf(item)}
        </div>
      ))}
    </>
  );
