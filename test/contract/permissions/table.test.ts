/** Every cell of the access table, as a request. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readContract } from '../../../src/server/sources/read-document.ts';
import { createTestAtoll, root, type TestAtoll } from '../../support/atoll.ts';
import { authorizationOf, prepare, resources, sendings } from './access-setting.ts';
import { accessTable, identities, type IdentityName } from './access-table.ts';
import { contentModelTable } from './content-model-table.ts';

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'] as const;

type Row = {
  readonly resource: string;
  readonly method: string;
  readonly states: readonly string[];
  readonly statuses: readonly number[];
};

const rows: readonly Row[] = [accessTable, contentModelTable]
  .join('\n')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [resource = '', method = '', named = '', ...statuses] = line.split(/(?: {2,}|(?<=\d) +)/);
    const states = named === 'any' ? Object.keys(resources[resource]?.states ?? {}) : named.split(',');
    return { resource, method, states, statuses: statuses.map(Number) };
  });

const cellsOf = (states: readonly string[], row: Row): string[] =>
  states.map((state) => `${row.resource} ${row.method} ${state}`);

describe('the access table', () => {
  it('has one row for every resource, method and state, with a status for every identity', () => {
    const cells = rows.flatMap((row) => cellsOf(row.states, row));
    const wanted = Object.entries(resources).flatMap(([resource, { states }]) =>
      methods.flatMap((method) => Object.keys(states).map((state) => `${resource} ${method} ${state}`)),
    );
    expect([...cells].sort()).toEqual([...wanted].sort());
    for (const row of rows) expect({ ...row, statuses: row.statuses.length }).toEqual({ ...row, statuses: 7 });
    for (const row of rows) expect(row.statuses.every((status) => status >= 200 && status < 500)).toBe(true);
  });

  it('has rows for every path of openapi.yaml', async () => {
    const document = await readContract(join(root, 'openapi.yaml'));
    const covered = new Set(Object.values(resources).map(({ route }) => route));
    expect(Object.keys(document.paths).filter((path) => !covered.has(path))).toEqual([]);
  });
});

let atoll: TestAtoll;
const authorizations = new Map<IdentityName, Record<string, string>>();

const start = async (): Promise<void> => prepare(await atoll.reset());

beforeAll(async () => {
  atoll = await createTestAtoll();
  for (const name of identities) authorizations.set(name, await authorizationOf(atoll.world(), name));
  await start();
});

const statusOf = async (row: Row, state: string, identity: IdentityName): Promise<number> => {
  const { headers, body } = sendings[`${row.resource} ${row.method}`] ?? { headers: {} };
  const path = resources[row.resource]?.states[state] ?? '';
  const response = await atoll
    .send(row.method, path)
    .set({ ...headers, ...authorizations.get(identity) })
    .send(body);
  // A write that came through changes what the next cell finds.
  if (response.status < 300 && ['POST', 'PATCH', 'PUT', 'DELETE'].includes(row.method)) await start();
  return response.status;
};

describe.each(Object.keys(resources))('access to %s', (resource) => {
  it.each(
    rows
      .filter((row) => row.resource === resource)
      .flatMap((row) => row.states.map((state) => ({ ...row, state, line: row.statuses.join(' ') }))),
  )('$method, $state: $line', async ({ state, ...row }) => {
    const found: number[] = [];
    for (const identity of identities) found.push(await statusOf(row, state, identity));
    expect(found).toEqual(row.statuses);
  });
});
