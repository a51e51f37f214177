/** The list of worlds, with what can be done to each. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { baseUrl, consoleOf } from '../api/address.ts';
import { control, controlAt, type ControlSchemas } from '../api/control.ts';
import { worldsQuery } from '../api/queries.ts';
import { ConfirmButton } from '../ui/button.tsx';
import { Loaded } from '../ui/states.tsx';
import { Badge, Time } from '../ui/text.tsx';
import { act } from './act.ts';
import { ForkForm } from './fork-form.tsx';
import { LifetimeButton } from './lifetime-button.tsx';
import { originWords } from './origin.ts';

type World = ControlSchemas['World'];

export const WorldsPanel = (): ReactElement => (
  <Loaded query={useQuery(worldsQuery)} what="the worlds">
    {({ worlds }) => (
      <div className="stack">
        <ForkForm />
        <ul className="grid worlds">
          {worlds.map((world) => (
            <WorldCard key={world.name} world={world} />
          ))}
        </ul>
      </div>
    )}
  </Loaded>
);

const WorldCard = ({ world }: { readonly world: World }): ReactElement => {
  const { name, url, from, created, expires, records, snapshots, durability } = world;
  const isThis = new URL(url).pathname.replace(/\/$/, '') === new URL(baseUrl).pathname.replace(/\/$/, '');
  return (
    <li className="panel stack">
      <h2>
        {name} {isThis && <Badge tone="good">this world</Badge>} {durability === 'memory' || <Badge>on disk</Badge>}
      </h2>
      <p>
        <code>{url}</code>
      </p>
      <p>
        Made from {originWords(from)}. {records.toLocaleString()} records, {snapshots} snapshots. Since{' '}
        <Time iso={created} />.{' '}
        {expires === null ? (
          'Does not expire.'
        ) : (
          <>
            Expires at <Time iso={expires} />.
          </>
        )}
      </p>
      <Commands world={world} isThis={isThis} />
    </li>
  );
};

type CommandsProps = { readonly world: World; readonly isThis: boolean };

const Commands = ({ world, isThis }: CommandsProps): ReactElement => {
  const { name, url, from, snapshots, durability } = world;
  return (
    <div className="row">
      {!isThis && (
        <a className="button" href={consoleOf(url)} target="_blank" rel="noopener">
          Open in a tab
        </a>
      )}
      <ConfirmButton
        label="Reset"
        question={`Reset ${name}?`}
        confirm="Reset"
        onConfirm={() => void act(() => controlAt(url).ask('resetWorld'), `${name} is as it was made.`)}
      >
        <p>
          Its records, bytes, ids, sessions and faults become those of {originWords(from)}. Everything added or changed
          since is lost{durability === 'memory' ? '' : ', also on disk'}. Snapshots stay.
        </p>
      </ConfirmButton>
      {name !== 'main' && (
        <>
          <LifetimeButton name={name} />
          <ConfirmButton
            label="Drop"
            question={`Drop ${name}?`}
            confirm="Drop"
            onConfirm={() =>
              void act(() => control.ask('dropWorld', { path: { world_name: name } }), `${name} is gone.`)
            }
          >
            <p>The world and its {snapshots} snapshots are lost. Worlds that were made from it stay.</p>
          </ConfirmButton>
        </>
      )}
    </div>
  );
};
