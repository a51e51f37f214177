/** The snapshots of this world: saved states under names. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SubmitEvent, ReactElement } from 'react';
import { control } from '../api/control.ts';
import { Button, ConfirmButton } from '../ui/button.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Field, Time } from '../ui/text.tsx';
import { act } from './act.ts';
import { snapshotsQuery } from './snapshots-query.ts';

const at = (name: string) => ({ path: { snapshot_name: name } });

export const SnapshotsPanel = (): ReactElement => {
  const snapshots = useQuery(snapshotsQuery);
  const save = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = new FormData(form).get('name');
    if (typeof name !== 'string') return;
    void act(() => control.ask('saveSnapshot', at(name)), `"${name}" is saved.`).then((isDone) => {
      if (isDone) form.reset();
    });
  };
  return (
    <div className="stack">
      <p>A snapshot keeps the state of this world in memory. It ends with the world and with the server.</p>
      <form className="row end panel" onSubmit={save}>
        <Field label="Name" hint="A snapshot of the same name is replaced">
          {(attributes) => (
            <input {...attributes} name="name" required pattern="[A-Za-z0-9][A-Za-z0-9._\-]*" maxLength={100} />
          )}
        </Field>
        <Button type="submit" look="main">
          Save snapshot
        </Button>
      </form>
      <Loaded query={snapshots} what="the snapshots">
        {({ snapshots: saved }) =>
          saved.length === 0 ? (
            <Empty title="This world has no snapshots.">
              <p>Save one before you try something, and load it afterwards.</p>
            </Empty>
          ) : (
            <ul className="grid worlds">
              {saved.map(({ name, saved: time }) => (
                <SnapshotCard key={name} name={name} saved={time} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
};

const SnapshotCard = ({ name, saved }: { readonly name: string; readonly saved: string }): ReactElement => (
  <li className="panel stack">
    <h2>{name}</h2>
    <p>
      Saved at <Time iso={saved} />.{' '}
      <Link to="/worlds" search={{ tab: 'differences', from: name }}>
        What has changed since
      </Link>
    </p>
    <div className="row">
      <ConfirmButton
        label="Load"
        question={`Load "${name}"?`}
        confirm="Load"
        onConfirm={() => void act(() => control.ask('loadSnapshot', at(name)), `The world is as it was in "${name}".`)}
      >
        <p>The world becomes what it was then. Everything added or changed since is lost.</p>
      </ConfirmButton>
      <ConfirmButton
        label="Delete"
        question={`Delete "${name}"?`}
        confirm="Delete"
        onConfirm={() => void act(() => control.ask('deleteSnapshot', at(name)), `"${name}" is deleted.`)}
      >
        <p>The saved state is lost. The world stays as it is now.</p>
      </ConfirmButton>
    </div>
  </li>
);
