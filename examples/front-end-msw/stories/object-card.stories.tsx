/** Stories of one component, each in a world of its own. */
import type { Meta, StoryObj } from '@storybook/react-vite';
import { basic, bodyOf, createClient } from 'atoll-server/client';
import type { AtollWorld, StoryParameters } from 'atoll-server/msw';
import { ObjectCard } from '../src/object-card.tsx';
import { createRepository } from '../src/repository.ts';
import { address } from './address.ts';

const meta: Meta<typeof ObjectCard> = {
  title: 'Object card',
  component: ObjectCard,
  args: { id: 1, repository: createRepository(address) },
};
export default meta;

/** The content, time and faults of a story. */
const inWorld = (atoll: StoryParameters): Story => ({ parameters: { atoll } });
type Story = StoryObj<typeof ObjectCard>;

export const Collection: Story = {};

const renamed = async ({ url, fetch }: AtollWorld): Promise<void> => {
  const client = createClient({ baseUrl: url, fetch, authentication: basic('editor', 'editor') });
  const body = bodyOf('node', { type: 'islandora_object', title: 'A long title, '.repeat(15).trim() });
  await client.PATCH('/node/{node_id}', { params: { path: { node_id: 1 } }, body });
};
export const LongTitle: Story = inWorld({ prepare: renamed });

export const EmptyRepository: Story = inWorld({ from: 'empty' });

export const Maintenance: Story = inWorld({ faults: [{ fault: 'maintenance-page' }] });

export const MaintenanceOnce: Story = inWorld({ faults: [{ fault: 'maintenance-page', count: 1 }] });

export const ConnectionLost: Story = inWorld({ faults: [{ fault: 'connection-reset' }] });

export const Slow: Story = inWorld({ faults: [{ fault: 'latency', parameters: { ms: 60_000 } }] });
