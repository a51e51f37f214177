/** What an import says of a site besides its fields: bundles, modules, tables for download, a REST interface without records. */
import { describe, expect, it } from '@jest/globals';
import { losesSomething, reportText } from '../../src/sites/drupal/report.ts';
import { imported, smallSite } from './imported.ts';

describe('The modules of a site', () => {
  const having = (...names: string[]) =>
    imported({
      ...smallSite,
      'core.extension': { module: { node: 0, ...Object.fromEntries(names.map((name) => [name, 0])) } },
    });

  it('are named where they change answers and are not emulated, or emulated in part', async () => {
    const { places } = await having('group', 'node_title_length', 'content_translation', 'views_ui');
    expect(places('not emulated: it decides by record')).toEqual(['core.extension: group']);
    expect(places('not emulated: titles')).toEqual(['core.extension: node_title_length']);
    expect(places('emulated in part')).toEqual(['core.extension: content_translation']);
  });

  it('are named when nobody here knows them, and then something may be lost', async () => {
    const { report, places } = await having('gull_custom');
    expect(places('does not know')).toEqual(['core.extension: gull_custom']);
    expect(losesSomething(report)).toBe(true);
  });

  it('are counted where their work is done here, and left out where they change no answer', async () => {
    const { report } = await having('basic_auth', 'jwt', 'admin_toolbar');
    expect(report.taken['modules that change answers']).toBe(2);
    expect(losesSomething(report)).toBe(false);
  });
});

describe('A table that a view serves for download', () => {
  it('is named', async () => {
    const display = { display_plugin: 'data_export', display_options: { path: 'admin/media/csv' } };
    const { places } = await imported({ ...smallSite, 'views.view.media': { display: { csv: display } } });
    expect(places('a table to download')).toEqual(['views.view.media.csv: /admin/media/csv']);
  });
});

describe('A site that enables no record over REST', () => {
  it('says so before everything else, and what would enable them', async () => {
    const { report } = await imported(smallSite);
    expect(reportText(report)).toMatch(
      /^This site enables no record over REST: its 3 bundles .*--enable node,media,term/,
    );
  });

  it('serves those that are named', async () => {
    const { site, report } = await imported(smallSite, { enable: ['node', 'term'] });
    expect([...site.resources.keys()].sort()).toEqual(['node', 'taxonomy_term']);
    expect(report.headline).toBeUndefined();
  });

  it('refuses to enable what is not there', async () => {
    await expect(imported(smallSite, { enable: ['nodes'] })).rejects.toThrow(
      '--enable nodes: there are no such records. Name some of node, media, term, file, user, with commas.',
    );
  });
});

describe('A media type that is switched off', () => {
  it('stays: the real site lists all bundles, whatever their status', async () => {
    const { site } = await imported({
      ...smallSite,
      'media.type.scan': { ...smallSite['media.type.scan'], status: false },
    });
    expect(site.model.bundle('media', 'scan')?.fields.has('field_scan')).toBe(true);
  });
});
