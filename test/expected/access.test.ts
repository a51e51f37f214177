/** Who may do what on the default site, as the access tables of `default/*.yml` say, and that they say it of every path. */
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readContract } from '../support/site-sources.ts';
import { root } from '../support/atoll.ts';
import { testAccessTables } from './answers.ts';
import { readAnswers } from './read-answers.ts';

testAccessTables('default', async () => ({}));

it('who may do what is said of every path of openapi.yaml', async () => {
  const { paths } = await readContract(join(root, 'openapi.yaml'));
  const tables = readAnswers('default').flatMap(({ access }) => Object.values(access?.resources ?? {}));
  const covered = new Set(tables.map(({ route }) => route));
  expect(Object.keys(paths).filter((path) => !covered.has(path))).toEqual([]);
});
