/** Vitest, jsdom and MSW: one server a file, and a world of its own for every test. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { startAtoll } from 'atoll-server';
import { inOwnWorld } from 'atoll-server/msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, expect, test } from 'vitest';
import { ObjectCard } from './object-card.tsx';
import { createRepository } from './repository.ts';

const atoll = await startAtoll({ port: false });
const server = setupServer();
server.listen();
afterEach(cleanup);
afterAll(async () => {
  server.close();
  await atoll.close();
});

// The address is the same in every test. Who answers is not.
const show = (id: number) => render(<ObjectCard id={id} repository={createRepository(atoll.url)} />);
const patient = { timeout: 30_000 };
const heading = (name: string) => screen.findByRole('heading', { name }, patient);

test(
  'a title is changed',
  inOwnWorld(server, atoll, async (world) => {
    show(1);
    await heading('Saltmarsh Quay Local History Archive');
    fireEvent.change(screen.getByLabelText('New title'), { target: { value: 'Renamed' } });
    fireEvent.click(screen.getByText('Rename'));
    await heading('Renamed');
    const { count } = await world.countTraffic({ operation: 'updateNode', status: '200' });
    expect(count).toBe(1);
  }),
);

test(
  'the next test knows nothing of it',
  inOwnWorld(server, atoll, async () => {
    show(1);
    await heading('Saltmarsh Quay Local History Archive');
  }),
);

test(
  'maintenance is told, and the next attempt works',
  inOwnWorld(server, atoll, async (world) => {
    await world.faults.add({ fault: 'maintenance-page', count: 1 });
    show(1);
    const alert = await screen.findByRole('alert', {}, patient);
    expect(alert.textContent).toContain('The repository is being maintained.');
    fireEvent.click(screen.getByText('Try again'));
    await heading('Saltmarsh Quay Local History Archive');
  }),
);

test(
  'a lost connection is told',
  inOwnWorld(server, atoll, async (world) => {
    await world.faults.add({ fault: 'connection-reset' });
    show(1);
    const alert = await screen.findByRole('alert', {}, patient);
    expect(alert.textContent).toContain('The repository cannot be reached.');
  }),
);

test(
  'an object that is not there',
  inOwnWorld(
    server,
    atoll,
    async () => {
      show(1);
      const alert = await screen.findByRole('alert', {}, patient);
      expect(alert.textContent).toContain('There is no such object.');
    },
    { from: 'empty' },
  ),
);
