/** Holds the figure of docs/use/limits.md for worlds in a database to that of the program. The others: `test/system/guides/limits.test.ts`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { teamWorldLimit } from '../../src/team/registry.ts';
import { root } from '../support/atoll.ts';

it('The page says how many worlds a database may have', async () => {
  const page = await readFile(join(root, 'docs/use/limits.md'), 'utf8');
  const row = page.split('\n').find((line) => line.startsWith('| the same in a database '));
  expect(row?.split('|')[2]?.trim()).toBe(teamWorldLimit.toLocaleString('en'));
});
