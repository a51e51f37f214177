/** Three sites are walked: the default one, the starter site, and one that was imported. The suite `crawl` walks more of them. */
import { expect } from '@jest/globals';
import { type Audit, auditTable } from '../../src/checks/links-audit/audit.ts';
import { wholeSite } from '../drupal/whole-site.ts';
import { startImport } from '../drupal/written-folder.ts';
import { startServer } from '../support/server.ts';
import { describeCrawl } from './walk.suite.ts';

const sizesOf = ({ walks }: Audit): number[] => walks.map(({ pages }) => pages.size);

describeCrawl('the default site with the starter fixture', {
  start: () => startServer({ traffic: 0 }),
  visitors: ['anonymous', 'viewer', 'editor', 'admin'],
  also: (result) => {
    const [anonymous = 0, viewer = 0, editor = 0, admin = 0] = sizesOf(result);
    expect(anonymous).toBeGreaterThan(26);
    expect(viewer).toBeGreaterThan(anonymous + 50);
    expect(editor).toBeGreaterThanOrEqual(viewer);
    expect(admin).toBeGreaterThan(editor);
    expect(auditTable(result)).toMatch(/anonymous: \d+ entities, \d+ links\n.*\n.*\n.*\n0 findings$/);
  },
});

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
