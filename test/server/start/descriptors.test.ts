/** How many descriptors the system allows. The program with few of them is in `descriptors.process.ts`. */
import { expect, it } from '@jest/globals';
import { connectionsFor, defaultConnections, descriptorLimit } from '../../../src/server/start/own-listener.ts';

it('has room for two descriptors a connection by default, and at most 10,000 connections', async () => {
  expect([256, 1024, 65_536, Infinity, 10].map(connectionsFor)).toEqual([96, 480, 10_000, 10_000, 1]);
  expect(descriptorLimit('Max processes 1 1\nMax open files            1024                 4096       files\n')).toBe(
    1024,
  );
  expect(descriptorLimit('Max open files            unlimited            unlimited            files\n')).toBe(Infinity);
  expect(descriptorLimit('')).toBe(1024);
  expect(await defaultConnections()).toBeGreaterThan(0);
});
