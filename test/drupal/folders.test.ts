/** Which files of which folders are read, and that nothing of the others is kept. */
import { mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { importSource } from '../../src/sites/sites.ts';
import { readFolders } from '../../src/sites/drupal/folders/read-folders.ts';
import { readEarlierImport, writeSite } from '../../src/sites/drupal/folders/write-site.ts';
import { reportText } from '../../src/sites/drupal/report.ts';
import { loadSite } from '../support/site-sources.ts';
import { siteFolder } from './built-in-site.ts';
import { ledgerField, smallSite } from './imported.ts';
import { inFolder, writeObjects, writeText } from './written-folder.ts';

const secret = 'smtp.internal.example';
const secrets = {
  'smtp.settings': { host: secret, password: 'hunter2' },
  'key.key.broker': { key_provider_settings: { key_value: secret } },
  'search_api.server.solr_internal': { backend_config: { host: secret } },
  [`site_${'x'.repeat(90)}`]: { host: secret },
};

describe('A folder', () => {
  it('is read for a closed list of kinds: of the others nothing is opened, kept or printed but their number', async () => {
    await inFolder(async (folder) => {
      await writeObjects(folder, { ...smallSite, ...secrets, 'islandora.settings': { broker_url: secret } });
      // Whoever opened it would fail.
      await mkdir(join(folder, 's3fs.settings.yml'));
      const files = await readFolders([folder]);
      expect(Object.fromEntries(files.notRead)).toEqual({
        ...{ 'smtp.settings': 1, 'key.key': 1, 'search_api.server': 1, 's3fs.settings': 1, other: 1 },
      });
      expect([...files.objects.keys()].filter((name) => name.includes('smtp'))).toEqual([]);
      const { siteFiles, report } = await importSource({ folders: [folder], terms: [] });
      expect(`${JSON.stringify([...siteFiles])}${reportText(report)}`).not.toContain(secret);
    });
  });

  it('of broken YAML is refused by file and line, without an excerpt', async () => {
    await inFolder(async (folder) => {
      await writeObjects(folder, smallSite);
      await writeFile(join(folder, 'node.type.bad.yml'), `name: ok\nlabel: [${secret}\n`);
      const failure: unknown = await importSource({ folders: [folder], terms: [] }).catch((error: unknown) => error);
      expect(String(failure)).toMatch(/node\.type\.bad\.yml:\d+: is not valid YAML/);
      expect(String(failure)).not.toContain(secret);
    });
  });

  it('without bundles, such as that of a module, makes a site that can be loaded', async () => {
    await inFolder(async (folder) => {
      const [config, site] = [join(folder, 'config'), join(folder, 'site')];
      await writeObjects(config, { 'user.role.clerk': { id: 'clerk', label: 'Clerk', permissions: [] } });
      const imported = await importSource({ folders: [config], terms: [] });
      await writeSite(site, imported, await readEarlierImport(site), join(siteFolder, 'icons'));
      expect([...(await loadSite(site)).roles.keys()]).toContain('clerk');
    });
  });

  it('may hold bytes and objects of PHP in places that nobody reads', async () => {
    await inFolder(async (folder) => {
      await writeObjects(folder, smallSite);
      await writeFile(join(folder, 'node.type.odd.yml'), 'name: Odd\nhelp: !!binary aGVsbG8=\nbox: !php/object "x"\n');
      const { siteFiles } = await importSource({ folders: [folder], terms: [] });
      expect(siteFiles.get('bundles/node.odd.yml')).toMatchObject({ label: 'Odd' });
    });
  });

  it('that holds no configuration, or does not exist, is refused with a remedy', async () => {
    await inFolder(async (folder) => {
      await writeObjects(folder, secrets);
      await expect(readFolders([folder])).rejects.toThrow(/holds no configuration .* `drush config:export`/);
      await expect(readFolders([join(folder, 'gone')])).rejects.toThrow(/gone: cannot be read: there is no such file/);
    });
  });
});

describe('Several folders', () => {
  it('lie over each other: a file of a later one replaces, a patch of config_split changes', async () => {
    await inFolder(async (folder) => {
      await writeObjects(join(folder, 'sync'), {
        ...smallSite,
        'user.role.clerk': { id: 'clerk', label: 'Clerk', permissions: ['access content', 'view media'] },
      });
      await writeObjects(join(folder, 'split'), {
        'node.type.ledger': { type: 'ledger', name: 'Ledger of the split' },
        'config_split.patch.user.role.clerk': {
          adding: { permissions: ['create media'] },
          removing: { permissions: ['view media'] },
        },
      });
      const folders = [join(folder, 'sync'), join(folder, 'split')];
      const { siteFiles } = await importSource({ folders, terms: [] });
      expect(siteFiles.get('bundles/node.ledger.yml')).toMatchObject({ label: 'Ledger of the split' });
      expect(siteFiles.get('roles/clerk.yml')).toMatchObject({ permissions: ['access content', 'create media'] });
    });
  });

  it('have translations: those of the site’s own language apply, others are named', async () => {
    await inFolder(async (folder) => {
      await writeObjects(folder, {
        ...ledgerField('field_note', 'string'),
        'system.site': { name: 'X', default_langcode: 'fr' },
      });
      await writeObjects(join(folder, 'language/fr'), {
        'field.field.node.ledger.field_note': { label: 'Remarque' },
        ...secrets,
      });
      await writeObjects(join(folder, 'language/cs'), { 'node.type.ledger': { name: 'Kniha' } });
      const { siteFiles, report } = await importSource({ folders: [folder], terms: [] });
      expect(siteFiles.get('bundles/node.ledger.yml')).toMatchObject({
        ...{ label: 'Ledger', fields: { field_note: { label: 'Remarque' } } },
      });
      expect(report.partly.filter(({ lost }) => lost).map(({ where }) => where)).toEqual([['language/cs']]);
    });
  });
});

describe('The lock file of the repository', () => {
  const settingsWith = (lock: string | undefined) =>
    inFolder(async (folder) => {
      await writeObjects(join(folder, 'config/sync'), {
        ...smallSite,
        'core.extension': { module: { node: 0, mysql: 0 } },
      });
      if (lock !== undefined) await writeText(join(folder, 'composer.lock'), lock);
      const { siteFiles } = await importSource({ folders: [join(folder, 'config/sync')], terms: [] });
      return siteFiles.get('site.yml');
    });
  const locked = (...packages: readonly (readonly [name: string, version: string])[]) =>
    settingsWith(JSON.stringify({ packages: packages.map(([name, version]) => ({ name, version })) }));

  it('names the versions of the core and of the module of Workbench', async () => {
    const module = 'mjordan/islandora_workbench_integration';
    expect(await locked(['drupal/core', '10.4.1'], [module, 'v1.1.0'])).toMatchObject({
      workbench: { core_version: '10.4.1', integration_module_version: '1.1.0' },
    });
    expect(await locked(['drupal/core', '11.4.4'], [module, 'dev-main'])).toMatchObject({
      ...{ workbench: { core_version: '11.4.4' }, beyond: { session_token_alias: false } },
    });
  });

  it('decides by the version of the core whether there is a second path for tokens of sessions', async () => {
    expect(await locked(['drupal/core', '9.5.11'])).toMatchObject({ beyond: { session_token_alias: true } });
    expect(await settingsWith(undefined)).toMatchObject({ beyond: { session_token_alias: false } });
  });

  it.each([['{'], ['{"packages": 5}'], ['{"packages": [null, {"name": "drupal/core"}]}']])(
    'is passed over when it is %s',
    async (lock) => {
      expect(await settingsWith(lock)).not.toHaveProperty('workbench');
    },
  );
});

describe('A translation of a list', () => {
  const listed = (labels: readonly unknown[]) =>
    inFolder(async (folder) => {
      const written = {
        allowed_values: [
          { value: 'a', label: 'Ay' },
          { value: 'b', label: 'Bee' },
        ],
      };
      await writeObjects(folder, ledgerField('field_kind', 'list_string', { storage: { settings: written } }));
      await writeObjects(join(folder, 'language/en'), {
        'field.storage.node.field_kind': { settings: { allowed_values: labels } },
      });
      const { siteFiles } = await importSource({ folders: [folder], terms: [] });
      return siteFiles.get('bundles/node.ledger.yml');
    });
  const holding = (values: object) => ({ fields: { field_kind: { allowed_values: values } } });

  it('changes the elements in their places, and keeps what it does not name', async () => {
    expect(await listed([{ label: 'Ay!' }, { label: 'Bee!' }])).toMatchObject(holding({ a: 'Ay!', b: 'Bee!' }));
    expect(await listed([{ label: 'Ay!' }])).toMatchObject(holding({ a: 'Ay!', b: 'Bee' }));
  });
});

describe('A table that a migration names', () => {
  const migration = (path: string) => ({
    'migrate_plus.migration.ports': {
      source: { plugin: 'csv', path, header_row_count: 1, ids: ['name'] },
      process: { name: 'name', vid: 'vid' },
      destination: { plugin: 'entity:taxonomy_term' },
    },
  });
  const table = 'name,vid\nSlip,harbours\n';

  it.each([
    ['../assets/ports.csv', 'assets/ports.csv'],
    ['modules/custom/ports/ports.csv', 'web/modules/custom/ports/ports.csv'],
  ])('as %s is found in the repository of the site', async (path, place) => {
    await inFolder(async (folder) => {
      await writeObjects(join(folder, 'config/sync'), { ...smallSite, ...migration(path) });
      await writeText(join(folder, place), table);
      const { siteFiles } = await importSource({ folders: [join(folder, 'config/sync')], terms: [] });
      expect(siteFiles.get('vocabularies/harbours.yml')).toMatchObject({ terms: [{ name: 'Slip' }] });
    });
  });

  it.each(['/etc/hostname', 'file:///etc/hostname', '../../../../../../../../etc/passwd', '../assets/ports.yml'])(
    'as %s is not looked for',
    async (path) => {
      await inFolder(async (folder) => {
        await writeObjects(join(folder, 'config/sync'), { ...smallSite, ...migration(path) });
        await writeText(join(folder, 'assets/ports.yml'), table);
        const { report } = await importSource({ folders: [join(folder, 'config/sync')], terms: [] });
        expect(report.partly.some(({ why }) => why.includes('was not found'))).toBe(true);
      });
    },
  );
});

describe('The folder of an imported site', () => {
  it('is written again: terms keep ids, accounts stay, files that are gone go, nothing else is touched', async () => {
    await inFolder(async (folder) => {
      const [config, out] = [join(folder, 'config'), join(folder, 'site')];
      await writeObjects(config, { ...smallSite, 'node.type.chart': { name: 'Chart' } });
      await writeText(join(folder, 'harbours.csv'), 'name\nSlip\n');
      const source = { folders: [config], terms: [join(folder, 'harbours.csv')] };
      const importAgain = async () => {
        const earlier = await readEarlierImport(out);
        await writeSite(out, await importSource(source, earlier.terms), earlier, join(siteFolder, 'icons'));
        return loadSite(out);
      };
      const first = await importAgain();
      // People give a term the id of their real site, and add a file of their own.
      const vocabulary = await readFile(join(out, 'vocabularies/harbours.yml'), 'utf8');
      await writeFile(join(out, 'vocabularies/harbours.yml'), vocabulary.replace(/"tid":\d+/, '"tid":5'));
      await writeFile(join(out, 'accounts.yml'), 'accounts: []\n');
      await writeFile(join(out, 'NOTES.md'), 'ours');
      await unlink(join(config, 'node.type.chart.yml'));
      const second = await importAgain();
      expect(first.terms[0]?.tid).toBeGreaterThan(99_999);
      expect(second.terms[0]?.tid).toBe(5);
      expect(second.terms[0]?.uuid).toBe(first.terms[0]?.uuid);
      expect(second.accounts).toEqual([]);
      expect(await readdir(join(out, 'bundles'))).toEqual(['media.scan.yml', 'node.ledger.yml']);
      expect(await readFile(join(out, 'NOTES.md'), 'utf8')).toBe('ours');
    });
  });

  it('that holds anything else is not written over', async () => {
    await inFolder(async (folder) => {
      await writeText(join(folder, 'thesis.txt'), 'years of work');
      await expect(readEarlierImport(folder)).rejects.toThrow('holds other files');
    });
  });

  it('with a marker of a newer format is not written over, and one without a format is read', async () => {
    await inFolder(async (folder) => {
      const file = join(folder, 'import.json');
      await writeFile(file, JSON.stringify({ format: 2, files: ['site.yml'] }));
      await expect(readEarlierImport(folder)).rejects.toThrow(
        `${file}: format 2 is not known to this version. Use a newer Atoll.`,
      );
      await writeFile(file, JSON.stringify({ files: ['site.yml'] }));
      expect(await readEarlierImport(folder)).toEqual({ files: ['site.yml'], terms: [] });
    });
  });

  it('is written the same for the same configuration', async () => {
    await inFolder(async (folder) => {
      await writeObjects(join(folder, 'config'), smallSite);
      const imported = await importSource({ folders: [join(folder, 'config')], terms: [] });
      const nothing = { files: [], terms: [] };
      for (const name of ['a', 'b']) await writeSite(join(folder, name), imported, nothing, join(siteFolder, 'icons'));
      const texts = await Promise.all(
        ['a', 'b'].map((name) => readFile(join(folder, name, 'bundles/node.ledger.yml'), 'utf8')),
      );
      expect(texts[0]).toBe(texts[1]);
      expect(texts[0]).toMatch(/^# The content type Ledger: its fields and what they mean in RDF\.\n/);
    });
  });
});
