/** The form that makes a world. */
import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent, type ReactElement } from 'react';
import { consoleOf } from '../api/address.ts';
import { control, type ControlSchemas } from '../api/control.ts';
import { queries, repositoryQuery, worldsQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { formValue } from '../ui/form-value.ts';
import { Failure } from '../ui/states.tsx';
import { Field } from '../ui/text.tsx';
import { snapshotsQuery } from './snapshots-query.ts';

const bodyOf = (form: FormData): ControlSchemas['WorldFork'] => {
  const [name, from, minutes] = ['name', 'from', 'minutes'].map((key) => formValue(form, key));
  return {
    ...(name === undefined ? {} : { name }),
    ...(from === undefined ? {} : { from }),
    ...(minutes === undefined ? {} : { ttl: Number(minutes) * 60 }),
  };
};

export const ForkForm = (): ReactElement => {
  const [error, setError] = useState<unknown>();
  const [made, setMade] = useState<ControlSchemas['World']>();
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const body = bodyOf(new FormData(event.currentTarget));
    setError(undefined);
    control.ask('forkWorld', { body }).then((world) => {
      setMade(world);
      void queries.invalidateQueries();
    }, setError);
  };
  return (
    <form className="panel stack" onSubmit={submit} aria-label="Make a world">
      <h2>Make a world</h2>
      <div className="row end">
        <Field label="Name" hint="Leave empty for a random name">
          {(attributes) => (
            <input {...attributes} name="name" pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?" maxLength={63} />
          )}
        </Field>
        <OriginSelect />
        <Field label="Expires after (minutes)" hint="Leave empty to keep it">
          {(attributes) => <input {...attributes} name="minutes" type="number" min="1" max="10080" />}
        </Field>
        <Button type="submit" look="main">
          Make it
        </Button>
      </div>
      {error !== undefined && <Failure error={error} />}
      {made !== undefined && (
        <p className="note good" role="status">
          The world "{made.name}" is there: <code>{made.url}</code>{' '}
          <a href={consoleOf(made.url)} target="_blank" rel="noopener">
            Open it in a tab
          </a>
        </p>
      )}
    </form>
  );
};

/** What the new world is a copy of. */
const OriginSelect = (): ReactElement => {
  const worlds = useQuery(worldsQuery);
  const here = useQuery(repositoryQuery);
  const snapshots = useQuery(snapshotsQuery);
  return (
    <Field label="Copy of" hint="A world as it is now, a snapshot, or a fixture">
      {(attributes) => (
        <select {...attributes} name="from" key={here.data?.world} defaultValue={here.data?.world}>
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
          <optgroup label="Fixtures">
            <option value="">the fixture of the start</option>
            <option>sample</option>
            <option>empty</option>
          </optgroup>
        </select>
      )}
    </Field>
  );
};
