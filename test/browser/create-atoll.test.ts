/** What `createAtoll` takes and refuses, how time and chance are given, and that nothing is left when it is closed. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { BrowserAtoll, BrowserOptions } from '../../src/browser/create-atoll.ts';
import { basicCredentials } from '../../src/basics/formats/basic-credentials.ts';
import { builtEngine, type BuiltEngine } from './support/built-engine.ts';

// A loaded machine takes long to build the engine and to hash passwords.
jest.setTimeout(120_000);

const baseUrl = 'https://example.org/repository';
const admin = { authorization: basicCredentials('admin', 'islandora') };
const json = { ...admin, 'content-type': 'application/json' };

let built: BuiltEngine;
beforeAll(async () => {
  built = await builtEngine();
});

const opened: BrowserAtoll[] = [];
afterAll(async () => {
  for (const atoll of opened) await atoll.close();
});
const make = async (options: Partial<BrowserOptions> = {}): Promise<BrowserAtoll> => {
  const atoll = await built.createAtoll({ site: built.site, baseUrl, ...options });
  opened.push(atoll);
  return atoll;
};

const added = async (atoll: BrowserAtoll): Promise<{ uuid: string; created: string }> => {
  const response = await atoll.fetch(`${atoll.url}/node?_format=json`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: 'x' }],
      field_model: [{ target_id: 23 }],
    }),
  });
  const node = (await response.json()) as { uuid: [{ value: string }]; created: [{ value: string }] }; // contract: Node
  return { uuid: node.uuid[0].value, created: node.created[0].value };
};

describe('createAtoll', () => {
  it('serves below the path of its address, and nothing of another host', async () => {
    const { fetch } = await make();
    expect((await fetch(`${baseUrl}/node/1?_format=json`)).status).toBe(200);
    expect((await fetch('https://example.org/node/1?_format=json')).headers.get('link')).toContain(baseUrl);
    await expect(fetch('https://example.com/node/1')).rejects.toThrow('is not served here');
    await expect(fetch('http://localhost/node/1')).rejects.toThrow(TypeError);
  });

  it('has the accounts of the site, and their passwords', async () => {
    const atoll = await make();
    expect(atoll.accounts.map(({ name }) => name)).toContain('admin');
    await expect(atoll.token('nobody')).rejects.toThrow('nobody');
  });

  it('begins with the fixture that is named', async () => {
    const empty = await make({ fixture: 'empty' });
    const starter = await make({ site: built.starterSite });
    expect((await empty.fetch(`${baseUrl}/node/1?_format=json`)).status).toBe(404);
    expect((await starter.health()).status).toBe('ok');
  });

  it('refuses a fixture that the site has not, and says which it has', async () => {
    await expect(make({ fixture: 'none' })).rejects.toThrow(/has no fixture "none"\. It has: .*empty/);
  });

  it('refuses a site that another version has prepared', async () => {
    const site = { ...built.site, version: '0.0.1' };
    await expect(make({ site })).rejects.toThrow(/was prepared by atoll-server 0\.0\.1.*Prepare it again/);
  });

  it('gives the same uuids for the same seed, others for another, and new ones without', async () => {
    const uuids: string[] = [];
    for (const seed of ['a', 'a', 'b', undefined, undefined]) uuids.push((await added(await make({ seed }))).uuid);
    expect(uuids[0]).toBe(uuids[1]);
    expect(new Set(uuids).size).toBe(4);
  });

  it('tells the time of the given clock', async () => {
    const atoll = await make({ clock: { now: () => Date.parse('2020-02-29T12:00:00Z') } });
    expect((await added(atoll)).created).toBe('2020-02-29T12:00:00+00:00');
  });

  it('tells the listener what was answered', async () => {
    const seen: unknown[] = [];
    const { fetch } = await make({ onEvent: (event) => seen.push(event) });
    await fetch(`${baseUrl}/node/1?_format=json`);
    expect(seen).toContainEqual(expect.objectContaining({ kind: 'answered', operation: 'getNode', status: 200 }));
  });

  it('remembers no traffic when it is told so', async () => {
    const atoll = await make({ traffic: 0 });
    await atoll.fetch(`${baseUrl}/node/1?_format=json`);
    expect((await atoll.countTraffic()).count).toBe(0);
  });
});

describe('A process with createAtoll', () => {
  const run = promisify(execFile);

  // A timer, a stream of events or a world with a time to live would hold it.
  it('ends by itself after close', async () => {
    const [engine, site] = ['browser.js', 'default-site.js'].map(
      (name) => pathToFileURL(join(built.folder, name)).href,
    );
    const program = `
      const [{ createAtoll }, { site }] = await Promise.all([import('${engine}'), import('${site}')]);
      const atoll = await createAtoll({ site, baseUrl: 'http://localhost' });
      await atoll.world({ name: 'w', ttl: 3600 });
      const stream = await atoll.fetch('http://localhost/_atoll/traffic/stream', { headers: ${JSON.stringify(admin)} });
      await atoll.token('admin');
      await atoll.close();
      console.log(stream.status, (await stream.text()).length > 0);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { timeout: 100_000 });
    expect(stdout.trim()).toMatch(/^200 (true|false)$/);
  });
});
