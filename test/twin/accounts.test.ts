/** The twin of a server whose accounts are others than those of Atoll's site. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTwin, type Twin, type TwinOptions } from '../../src/checks/twin/twin.ts';
import { preparedFile, root } from '../support/atoll.ts';
import { send, startServer, type Answer, type TestServer } from '../support/server.ts';

let target: TestServer;
beforeAll(async () => {
  target = await startServer({
    siteFile: 'accounts.yml',
    changeSite: (yaml) => yaml.replaceAll('editor', 'curator').replace('roles: [curator]', 'roles: [editor]'),
  });
});
afterAll(() => target.stop());

const password = 'editor';
const authorization = `Basic ${btoa(`curator:${password}`)}`;
const curator = { name: 'curator', roles: ['editor'] };

type Given = Pick<TwinOptions, 'accounts' | 'warn'>;

const withTwin = async <T>(given: Given, use: (twin: Twin) => Promise<T>): Promise<T> => {
  const twin = await startTwin({ root, prepared: await preparedFile(), target: target.url, ...given });
  try {
    return await use(twin);
  } finally {
    await twin.stop(0);
  }
};

const make = (at: { readonly url: string }, Authorization: string): Promise<Answer> =>
  send(at, 'POST', '/node?_format=json', {
    as: null,
    headers: { Authorization },
    json: {
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: 'By the curator' }],
      field_model: [{ target_id: 24 }],
    },
  });

/** The differences of one write, by its place and its two values. */
const differencesOf = (given: Partial<Given>, Authorization = authorization): Promise<unknown[]> =>
  withTwin({ warn: () => undefined, ...given }, async (twin) => {
    await make(twin, Authorization);
    const { findings, counts } = await twin.report();
    expect(counts).toMatchObject({ requests: 1, failed: 0 });
    return [
      ...findings.map(({ place, examples: [example] }) => [place, example?.target, example?.atoll]),
      ...(counts.skipped === 0 ? [] : ['skipped']),
    ];
  });

describe('The accounts of a twin', () => {
  it('are those of the site, when no others are named', async () => {
    expect(await differencesOf({})).toEqual([['/status', '201', '403']]);
  });

  it('are also those of the server with their roles', async () => {
    expect(await differencesOf({ accounts: [{ ...curator, password }] })).toEqual([]);
  });

  it('have other roles than in the site, when the file says so', async () => {
    const accounts = [{ ...curator, password, roles: ['viewer'] }];
    expect(await differencesOf({ accounts })).toEqual([['/status', '201', '403']]);
  });

  it('may be known by a token alone', async () => {
    const answer = await send(target, 'GET', '/jwt/token?_format=json', {
      as: null,
      headers: { Authorization: authorization },
    });
    const { token } = answer.json() as unknown as { token: string };
    expect(await differencesOf({ accounts: [{ ...curator, token }] }, `Bearer ${token}`)).toEqual([]);
  });

  it('keep the roles that the site gives to their name, and take the password of the file', async () => {
    const accounts = [{ name: 'admin', password: 'islandora' }];
    expect(await differencesOf({ accounts }, `Basic ${btoa('admin:islandora')}`)).toEqual([]);
  });

  it('are warned of when nobody knows their roles', async () => {
    const warnings: string[] = [];
    await withTwin({ accounts: [{ name: 'curator', password }], warn: (line) => warnings.push(line) }, async () =>
      Promise.resolve(),
    );
    expect(warnings).toEqual([
      'accounts.curator: this site has no such account. Give it its roles, so that Atoll has it, too.',
    ]);
  });

  it('are refused with a role that the site does not have', async () => {
    const accounts = [{ ...curator, password, roles: ['depositor'] }];
    await expect(withTwin({ accounts, warn: () => undefined }, async () => Promise.resolve())).rejects.toThrow(
      /^accounts\.curator\.roles: the site has no role "depositor"\. Choose from: administrator, /,
    );
  });
});
