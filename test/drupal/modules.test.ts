/** What an import makes of settings: of modules that show more of files and media, and of accounts. */
import { describe, expect, it } from '@jest/globals';
import { initialRecords } from '../../src/repository/repository-sites.ts';
import { imported, smallSite } from './imported.ts';

describe('An import', () => {
  it('the checksums of files are fields, one for each algorithm that is on; older versions write texts', async () => {
    const fieldsWith = async (settings: Readonly<Record<string, unknown>>) => {
      const module = { node: 0, media: 0, taxonomy: 0, islandora: 0, filehash: 0 };
      const objects = { ...smallSite, 'core.extension': { module }, 'filehash.settings': settings };
      const { site } = await imported(objects);
      return [...(site.model.bundle('file', 'file')?.fields.keys() ?? [])].filter((name) => /sha1|md5/.test(name));
    };
    expect(await fieldsWith({ algorithms: { md5: false, sha1: true }, original: true })).toEqual([
      'sha1',
      'original_sha1',
    ]);
    expect(await fieldsWith({ algos: { md5: 'md5', sha1: '0' } })).toEqual(['md5']);
  });

  it('the icons of media lie where they are said to, or else in the default scheme', async () => {
    const schemeWith = async (base: string) =>
      (await imported({ ...smallSite, 'media.settings': { icon_base_uri: base } })).site;
    const site = await schemeWith('public://media-icons/generic');
    expect(site.iconScheme).toBe('public');
    const other = await schemeWith('nowhere://icons');
    expect(other.iconScheme).toBe(other.defaultScheme);
  });

  it('accounts have the time zone of the site', async () => {
    const { site } = await imported({ ...smallSite, 'system.date': { timezone: { default: 'America/Chicago' } } });
    const zones = initialRecords(site).flatMap(({ fields }) => fields['timezone'] ?? []);
    expect([site.timezone, zones[0]]).toEqual(['America/Chicago', { value: 'America/Chicago' }]);
  });
});
