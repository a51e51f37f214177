/** The twin against recorded sessions of a real site: what is equal, what the guide explains, and what is left. */
import { describe, expect, it } from '@jest/globals';
import { groups, type Group } from '../contract/recordings/second-lab/groups.ts';
import { compareLab } from './lab/second-lab.ts';

/** The others take half a minute: `TWIN_GROUPS=all npm test -- twin/second-lab`. */
const quick: readonly Group[] = ['caches-on', 'standard-file-upload'];

/** Operation and place of what nobody has explained, for the sessions of every run. */
const left: Readonly<Partial<Record<Group, readonly string[]>>> = {
  // A file that the site refused had already taken a name there.
  'standard-file-upload': [
    'uploadFile /body/filename/*/value',
    'uploadFile /body/uri/*/url',
    'uploadFile /body/uri/*/value',
  ],
};

/** In how many requests of the other sessions something is new; docs/use/twin.md says why. */
const leftRequests: Readonly<Partial<Record<Group, number>>> = {
  'auth-and-sessions': 26,
  'deletes-dangling-links': 2,
  'media-and-file': 1,
};

describe.each(process.env['TWIN_GROUPS'] === 'all' ? groups : quick)('The recorded session %s', (group) => {
  it('differs as the rules say, apart from what is listed here', async () => {
    const { report } = await compareLab(group);
    process.stdout.write(`${group} ${JSON.stringify(report.counts)}\n`);
    const isNew = report.findings.filter((one) => one.class === 'new');
    const places = isNew.map(({ operation, place }) => `${operation} ${place}`).sort();
    const most = leftRequests[group];
    if (most === undefined) expect(places).toEqual(left[group] ?? []);
    else expect(report.counts.new).toBeLessThanOrEqual(most);
    expect(report.counts.failed).toBe(0);
  }, 120_000);
});
