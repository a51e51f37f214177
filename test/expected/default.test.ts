/** The default site answers as the contract, the recordings and the decisions say: `default/*.yml`. */
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readContract } from '../support/site-sources.ts';
import { root } from '../support/atoll.ts';
import { testAnswers } from './answers.ts';
import { readAnswers } from './read-answers.ts';

testAnswers('default', async () => ({}));

it('who may do what is said of every path of openapi.yaml', async () => {
  const { paths } = await readContract(join(root, 'openapi.yaml'));
  const tables = readAnswers('default').flatMap(({ access }) => Object.values(access?.resources ?? {}));
  const covered = new Set(tables.map(({ route }) => route));
  expect(Object.keys(paths).filter((path) => !covered.has(path))).toEqual([]);
});
