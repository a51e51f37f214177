/** One record that was added, changed or removed, with the values of its fields before and now. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ControlSchemas } from '../api/control.ts';
import { Badge, Time, type Tone } from '../ui/text.tsx';

type Difference = ControlSchemas['Difference'];
type FieldDifference = NonNullable<Difference['fields']>[number];

const tones: Readonly<Record<Difference['change'], Tone>> = { added: 'good', changed: 'warn', removed: 'bad' };

export const DifferenceEntry = ({ entry }: { readonly entry: Difference }): ReactElement => {
  const { type, id, title, bundle, change, fields = [] } = entry;
  const name = `${type} ${id}: ${title}`;
  return (
    <li className="panel">
      <h2>
        <Badge tone={tones[change]}>{change}</Badge>{' '}
        {change === 'removed' ? (
          name
        ) : (
          <Link to="/entities/$type/$id" params={{ type, id: String(id) }}>
            {name}
          </Link>
        )}{' '}
        <span className="soft">{bundle}</span>
      </h2>
      {fields.length > 0 && (
        <div className="scroll" tabIndex={0} role="region" aria-label={`Fields of ${name}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Before</th>
                <th scope="col">Now</th>
              </tr>
            </thead>
            <tbody>
              {fields.map((field) => (
                <FieldRow key={field.name} field={field} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </li>
  );
};

const FieldRow = ({
  field: { name, label = name, before, after, secret },
}: {
  readonly field: FieldDifference;
}): ReactElement => (
  <tr>
    <th scope="row" title={name}>
      {label}
    </th>
    <td className="before">{secret === true ? 'not shown' : <Items name={name} items={before} />}</td>
    <td className="after">{secret === true ? 'not shown' : <Items name={name} items={after} />}</td>
  </tr>
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
        <div key={index} className="mono">
          {momentOf(name, item) ?? wordsOf(item)}
        </div>
      ))}
    </>
  );
