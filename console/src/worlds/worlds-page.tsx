/** The page "Worlds": copies of the repository or of its documents, kept states, time, and what has changed. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { repositoryQuery } from '../api/queries.ts';
import { useSearchValues } from '../ui/search.ts';
import { Tabs } from '../ui/tabs.tsx';
import { PageHead } from '../ui/text.tsx';
import { ClockPanel } from './clock-panel.tsx';
import { DifferencesPanel } from './differences-panel.tsx';
import { SnapshotsPanel } from './snapshots-panel.tsx';
import './worlds.css';
import { WorldsPanel } from './worlds-panel.tsx';

export const WorldsPage = (): ReactElement => {
  const { data } = useQuery(repositoryQuery);
  const [{ tab = 'worlds' }, change] = useSearchValues<{ readonly tab: string }>();
  return (
    <div className="stack">
      <PageHead title="Worlds">
        {data?.hasRepository === false
          ? 'A world serves your documents with records, faults, traffic and a clock of its own.'
          : 'A world is a copy of the repository with its own records, bytes, sessions, faults and clock.'}{' '}
        What you do in one leaves the others alone.
      </PageHead>
      <Tabs
        label="Parts of this page"
        selected={tab}
        onSelect={(key) => change({ tab: key })}
        tabs={[
          { key: 'worlds', label: 'Worlds', content: <WorldsPanel /> },
          { key: 'differences', label: 'Differences', content: <DifferencesPanel /> },
          { key: 'snapshots', label: 'Snapshots', content: <SnapshotsPanel /> },
          { key: 'clock', label: 'Clock', content: <ClockPanel /> },
        ]}
      />
    </div>
  );
};
