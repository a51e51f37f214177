/** The starter site is walked, and one that was imported. `npm test` walks the default site (`sites.test.ts`). */
import { expect } from '@jest/globals';
import { wholeSite } from '../drupal/whole-site.ts';
import { startImport } from '../drupal/written-folder.ts';
import { startServer } from '../support/server.ts';
import { describeCrawl, sizesOf } from './walk.suite.ts';

const warnings: string[] = [];

describeCrawl('the starter site with its sample', {
  start: () =>
    startServer({ site: 'starter-site', fixture: 'sample', traffic: 0, warn: (text) => void warnings.push(text) }),
  visitors: ['anonymous', 'plain', 'editor', 'admin'],
  also: (result, { answers }) => {
    expect(warnings).toEqual([]);
    expect(sizesOf(result).every((size) => size > 30)).toBe(true);
    expect(answers).toContain('getTerm 200');
  },
});

describeCrawl('an imported site with fields of every type', {
  start: () => startImport(wholeSite),
  visitors: ['anonymous', 'admin'],
  also: (result) => expect(sizesOf(result).every((size) => size > 25)).toBe(true),
});
