/** The packaged starter site answers as today's real one: `starter-site/*.yml`. */
import { join } from 'node:path';
import { loadSite } from '../support/site-sources.ts';
import { root } from '../support/atoll.ts';
import { testAnswers } from './answers.ts';

testAnswers('starter-site', async () => {
  const site = await loadSite(join(root, 'data/sites/starter-site'));
  return { fixture: 'empty', site: () => site };
});
