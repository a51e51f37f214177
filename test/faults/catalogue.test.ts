/** Every fault of the catalogue, met by a client over a real socket; and a client that finds it out when a fault does nothing. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { checkedWorld } from '../../src/cli/verify/fault-check.ts';
import { verifyFault, verifyFaults, type ForkWorld } from '../../src/cli/verify/fault-verification.ts';
import { faultCatalogue } from '../../src/faults/catalogue.ts';
import { root } from '../support/atoll.ts';
import { startServer, type TestServer } from '../support/server.ts';

jest.setTimeout(30_000);

const names = faultCatalogue.map(({ name }) => name);

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const fork: ForkWorld = async () => {
  const { name, url } = await server.worlds.fork({});
  return {
    url,
    drop: async () => {
      await server.worlds.drop(name);
    },
  };
};

describe('a client that meets a fault of the catalogue', () => {
  it.each(names)('sees that %s does what its page says', async (name) => {
    expect(await verifyFault(fork, name)).toEqual({ fault: name, failure: undefined });
  });

  it.each(names)('sees it when %s does nothing', async (name) => {
    const idle = (url: string) => ({ ...checkedWorld(url), add: async () => undefined });
    const { failure } = await verifyFault(fork, name, idle);
    expect(failure).toMatch(/: got (no answer|\d{3} and \d+ bytes)/);
  });

  it('takes a fault that nobody checks for a failure', async () => {
    expect(await verifyFault(fork, 'unchecked')).toEqual({ fault: 'unchecked', failure: 'It has no check.' });
  });

  it('meets those that are named, and refuses names that there are not', async () => {
    await expect(verifyFaults(fork, ['latency', 'nope'], () => undefined)).rejects.toThrow('no fault "nope"');
    const told: string[] = [];
    await verifyFaults(fork, ['status', 'unexpected-error'], ({ fault }) => told.push(fault));
    expect(told).toEqual(['status', 'unexpected-error']);
  });

  it('leaves no world behind', async () => {
    expect((await server.worlds.list()).map(({ name }) => name)).toEqual(['main']);
  });
});

describe('the pages of the catalogue', () => {
  it('are one for each fault, each listed in the guide', async () => {
    const pages = await readdir(join(root, 'docs/use/faults'));
    expect(pages.sort()).toEqual(names.map((name) => `${name}.md`).sort());
    const guide = await readFile(join(root, 'docs/use/faults.md'), 'utf8');
    expect(names.filter((name) => !guide.includes(`[\`${name}\`](faults/${name}.md)`))).toEqual([]);
  });

  it.each(faultCatalogue)('name the source and every parameter of $name', async ({ name, source, parameters }) => {
    const page = await readFile(join(root, `docs/use/faults/${name}.md`), 'utf8');
    expect(page).toContain(`# \`${name}\``);
    expect(page.replaceAll('\n', ' ')).toContain(source);
    expect(Object.keys(parameters).filter((parameter) => !page.includes(`| \`${parameter}\``))).toEqual([]);
  });
});
