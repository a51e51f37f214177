/** What differs between this world and what it was made from, or another state. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { control, type ControlSchemas } from '../api/control.ts';
import { worldsQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { useSearchValues, type SearchChange } from '../ui/search.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { Field } from '../ui/text.tsx';
import { DifferenceEntry } from './difference-entry.tsx';
import { originWords } from './origin.ts';
import { snapshotsQuery } from './snapshots-query.ts';

type Kind = ControlSchemas['ChangeKind'];
type Differences = ControlSchemas['Differences'];

const kinds: readonly Kind[] = ['added', 'changed', 'removed'];

type Values = { readonly from: string; readonly change: Kind; readonly cursor: string };

export const DifferencesPanel = (): ReactElement => {
  const [values, change] = useSearchValues<Values>();
  const query = {
    ...(values.from === undefined ? {} : { from: values.from }),
    ...(values.change === undefined ? {} : { change: values.change }),
    ...(values.cursor === undefined ? {} : { cursor: values.cursor }),
  };
  const differences = useQuery({
    queryKey: ['content', 'differences', query],
    queryFn: () => control.ask('listDifferences', { query }),
  });
  return (
    <div className="stack">
      <Choices values={values} onChange={(next) => change({ cursor: '', ...next })} />
      <Loaded query={differences} what="the differences">
        {(data) => <Found data={data} values={values} onCursor={(cursor) => change({ cursor })} />}
      </Loaded>
    </div>
  );
};

type ChoicesProps = { readonly values: Partial<Values>; readonly onChange: (next: SearchChange<Values>) => void };

const Choices = ({ values, onChange }: ChoicesProps): ReactElement => {
  const worlds = useQuery(worldsQuery);
  const snapshots = useQuery(snapshotsQuery);
  return (
    <div className="row end">
      <Field label="Compared with">
        {(attributes) => (
          <select
            {...attributes}
            value={values.from ?? ''}
            onChange={(event) => onChange({ from: event.currentTarget.value })}
          >
            <option value="">what this world was made from</option>
            <optgroup label="Worlds">
              {worlds.data?.worlds.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </optgroup>
            <optgroup label="Snapshots">
              {snapshots.data?.snapshots.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </optgroup>
          </select>
        )}
      </Field>
      <Field label="Show">
        {(attributes) => (
          <select
            {...attributes}
            value={values.change ?? ''}
            onChange={(event) => onChange({ change: kinds.find((kind) => kind === event.currentTarget.value) })}
          >
            <option value="">all</option>
            {kinds.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
};

type FoundProps = {
  readonly data: Differences;
  readonly values: Partial<Values>;
  readonly onCursor: (cursor: string) => void;
};

const Found = ({ data, values: { from: named, cursor }, onCursor }: FoundProps): ReactElement => {
  const { from, added, changed, removed, entries, next } = data;
  const putBackFrom = named === undefined ? {} : from.kind === 'world' ? undefined : { from: named };
  if (added + changed + removed === 0) {
    return (
      <Empty title={`Nothing differs from ${originWords(from)}.`}>
        <p>Create, change or delete something, and it appears here.</p>
      </Empty>
    );
  }
  return (
    <>
      <p role="status">
        Compared with {originWords(from)}: <strong>{added}</strong> added, <strong>{changed}</strong> changed,{' '}
        <strong>{removed}</strong> removed.
      </p>
      <ul className="stack worlds">
        {entries.map((entry) => (
          <DifferenceEntry key={`${entry.type} ${entry.id}`} {...{ entry, putBackFrom }} />
        ))}
      </ul>
      <div className="row">
        {cursor !== undefined && <Button onClick={() => onCursor('')}>First page</Button>}
        {next !== undefined && <Button onClick={() => onCursor(next)}>Next page</Button>}
      </div>
    </>
  );
};
