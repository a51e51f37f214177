/** Every fault of the catalogue, met by a client over a real socket; and a client that finds it out when a fault does nothing. */
import { repositoryFaults } from '../../src/application/faults/repository-faults.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { faultCatalogue } from '../../src/server/server.ts';
import { root } from '../support/atoll.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { checkedWorld, type CheckedWorld } from './checks/fault-check.ts';
import { serviceChecks } from './checks/fault-checks-service.ts';
import { transportChecks } from './checks/fault-checks-transport.ts';

jest.setTimeout(30_000);

const catalogue = faultCatalogue(repositoryFaults);
const names = catalogue.map(({ name }) => name);

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const checks = { ...serviceChecks, ...transportChecks };

/** Checks the fault in a world of its own. Tests pass another `openWorld` to see the check fail. */
const check = async (fault: string, openWorld: (url: string) => CheckedWorld = checkedWorld): Promise<void> => {
  const world = await server.worlds.fork({});
  try {
    await checks[fault]?.(openWorld(world.url));
  } finally {
    await server.worlds.drop(world.name);
  }
};

describe('a client that meets a fault of the catalogue', () => {
  it('knows each', () => {
    expect(Object.keys(checks).sort()).toEqual([...names].sort());
  });

  it.each(names)('sees that %s does what its page says', async (name) => {
    await expect(check(name)).resolves.toBeUndefined();
  });

  it.each(names)('sees it when %s does nothing', async (name) => {
    const idle = (url: string) => ({ ...checkedWorld(url), add: async () => undefined });
    await expect(check(name, idle)).rejects.toThrow(/: got (no answer|\d{3} and \d+ bytes)/);
  });

  it('leaves no world behind', async () => {
    expect((await server.worlds.list()).map(({ name }) => name)).toEqual(['main']);
  });
});

describe('the page of the catalogue', () => {
  it('has a section for each fault, and no other', async () => {
    const page = await readFile(join(root, 'docs/use/faults.md'), 'utf8');
    expect([...page.matchAll(/^### `(.*)`$/gm)].map(([, name]) => name).sort()).toEqual([...names].sort());
  });

  it.each(catalogue)('names the source and every parameter of $name', async ({ name, source, parameters }) => {
    const page = await readFile(join(root, 'docs/use/faults.md'), 'utf8');
    const [, section = ''] = new RegExp(`^### \`${name}\`$([^]*?)(?=^#|(?![^]))`, 'm').exec(page) ?? [];
    expect(section.replaceAll('\n', ' ')).toContain(source);
    expect(Object.keys(parameters).filter((parameter) => !section.includes(`\n- \`${parameter}\``))).toEqual([]);
  });
});
