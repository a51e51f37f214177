/** `atoll site import`, and what `atoll serve --drupal-config` refuses. What is served is in `site-import.process.ts`. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import type { ImportReport } from '../../src/openapi/openapi-host.ts';
import { startAtoll } from '../../src/cli/entries/atoll.ts';
import { runHere } from '../support/command.ts';
import { basic } from '../support/requests.ts';
import { until } from '../support/until.ts';
import { builtInSite } from '../drupal/built-in-site.ts';
import { exportedSite } from '../drupal/exported-site.ts';
import { ledgerField, smallSite } from '../drupal/imported.ts';
import { inFolder, writeObjects } from '../drupal/written-folder.ts';

jest.setTimeout(60_000);

describe('site import', () => {
  it('writes a site that can be served, prints the report and writes it as JSON', async () => {
    await inFolder(async (folder) => {
      const [config, out, file] = [join(folder, 'config'), join(folder, 'site'), join(folder, 'report.json')];
      await writeObjects(config, ledgerField('field_odd', 'glosses'));
      const ended = await runHere(['site', 'import', config, '--out', out, '--report', file]);
      expect(ended).toMatchObject({ code: 0, error: '' });
      expect(ended.out).toContain('## Not judged\n\n- a field of type glosses');
      const report = JSON.parse(await readFile(file, 'utf8')) as ImportReport; // it was written just now
      expect(report.taken).toMatchObject({ 'content types': 1, 'media types': 1, vocabularies: 1 });
      expect(
        (await runHere(['fixture', 'expand', join(folder, 'none.yml'), '--to', folder, '--site', out])).error,
      ).toContain('none.yml');
    });
  });

  it('with --strict ends with 2 when anything is lost, and with 0 when nothing is', async () => {
    await inFolder(async (folder) => {
      await writeObjects(join(folder, 'lossy'), ledgerField('field_odd', 'glosses'));
      await writeObjects(join(folder, 'whole'), exportedSite(await builtInSite()));
      const strict = async (name: string) =>
        (await runHere(['site', 'import', join(folder, name), '--out', join(folder, `${name}-site`), '--strict'])).code;
      expect([await strict('lossy'), await strict('whole')]).toEqual([2, 0]);
    });
  });

  it('that is refused writes nothing, and the report all the same', async () => {
    await inFolder(async (folder) => {
      const [config, out, file] = [join(folder, 'config'), join(folder, 'site'), join(folder, 'report.md')];
      const uuid = '11111111-2222-4333-8444-555555555501';
      const importTo = () => runHere(['site', 'import', config, '--out', out, '--report', file]);
      const twice = {
        ...ledgerField('field_odd', 'glosses'),
        'node.type.chart': { type: 'chart', name: 'Chart', uuid },
      };
      await writeObjects(config, twice);
      const first = await importTo();
      expect([first.code, first.error]).toEqual([2, expect.stringContaining(uuid)]);
      expect(first.out).toContain('a field of type glosses');
      expect(await readFile(file, 'utf8')).toContain('a field of type glosses');
      expect(await readdir(folder)).not.toContain('site');
      // A good site stays as it is, too.
      await writeObjects(config, { 'node.type.chart': { type: 'chart', name: 'Chart' } });
      expect((await importTo()).code).toBe(0);
      const written = () => readFile(join(out, 'bundles/node.chart.yml'), 'utf8');
      const before = await written();
      await writeObjects(config, { 'node.type.chart': { type: 'chart', name: 'Map', uuid } });
      expect((await importTo()).code).toBe(2);
      expect(await written()).toBe(before);
    });
  });

  it('into the same folder says what changed for clients, and which stored records no longer fit', async () => {
    await inFolder(async (folder) => {
      const [config, out, data] = [join(folder, 'config'), join(folder, 'site'), join(folder, 'data')];
      const note = { 'node.type.note': { type: 'note', name: 'Note' } };
      const shelf = (required: boolean) => ledgerField('field_shelf', 'string', { instance: { required } });
      await writeObjects(config, { ...shelf(false), ...note });
      const importTo = (...more: string[]) => runHere(['site', 'import', config, '--out', out, ...more]);
      expect((await importTo()).out).not.toContain('Since the last import');
      const atoll = await startAtoll({ site: out, data, fixture: 'sample:4' });
      await atoll.close();
      expect((await importTo('--data', data)).out).toContain('Nothing changed.\n\nAll stored records fit.');
      await rm(join(config, 'node.type.note.yml'));
      await writeObjects(config, shelf(true));
      const { out: said } = await importTo('--data', data);
      expect(said).toContain('NodeLedgerCreate: .field_shelf is demanded now');
      expect(said).toMatch(/^ {2}node:\d+: the site has no node bundle "note"\.$/m);
      // Every start says the same, and no request on such a record fails.
      for (const start of ['the first', 'the second']) {
        const messages: unknown[] = [];
        const later = await startAtoll({ site: out, data, onError: (message) => messages.push(message) });
        await until(() => messages.length === 2, `the messages of ${start} start`);
        const [gone, values] = messages.map(String).sort((a) => (a.includes('bundle') ? -1 : 1));
        expect(gone).toMatch(
          /^The site has no node bundle "note", and \d stored records have it: node:(\d+).* DELETE removes them\./,
        );
        expect(values).toMatch(
          /^The site would refuse values of \d stored records.* field_shelf: This value should not be null\./,
        );
        const [, id = ''] = /node:(\d+)/.exec(gone ?? '') ?? [];
        expect(
          (await later.fetch(`${later.url}/node/${id}?_format=json`, { headers: basic('admin').headers })).status,
        ).toBe(404);
        await later.close();
      }
    });
  });

  it('keeps accounts as they are, and refuses those with a role that is gone before it writes', async () => {
    await inFolder(async (folder) => {
      const [config, out] = [join(folder, 'config'), join(folder, 'site')];
      await writeObjects(config, smallSite);
      const importTo = () => runHere(['site', 'import', config, '--out', out]);
      expect((await importTo()).code).toBe(0);
      const accounts = await readFile(join(out, 'accounts.yml'), 'utf8');
      await writeFile(join(out, 'accounts.yml'), accounts.replace(/roles: \[ ?administrator ?\]/, 'roles: [gone]'));
      await writeObjects(config, { 'node.type.ledger': { type: 'ledger', name: 'Other' } });
      const { code, error } = await importTo();
      expect([code, error]).toEqual([2, expect.stringContaining('there is no role "gone"')]);
      expect(await readFile(join(out, 'bundles/node.ledger.yml'), 'utf8')).toContain('Ledger');
    });
  });

  it.each([
    { fault: 'a folder that does not exist', args: ['gone', '--out', 'site'], says: 'gone: cannot be read' },
    {
      fault: 'a table that does not exist',
      args: ['config', '--terms', 'gone.csv', '--out', 'site'],
      says: 'gone.csv',
    },
    { fault: 'no target', args: ['config'], says: "required option '--out <dir>'" },
    { fault: 'a target with other files', args: ['config', '--out', 'config'], says: 'holds other files' },
  ])('refuses $fault: exit 2, one line', async ({ args, says }) => {
    await inFolder(async (folder) => {
      await writeObjects(join(folder, 'config'), smallSite);
      const { code, error } = await runHere([
        ...['site', 'import'],
        ...args.map((arg) => (arg.startsWith('--') ? arg : join(folder, arg))),
      ]);
      expect(code).toBe(2);
      expect(error).toContain(says);
      expect(error.trim().split('\n')).toHaveLength(1);
    });
  });
});

describe('serve --drupal-config', () => {
  it.each([
    [['--drupal-config', 'x', '--site', 'y'], '--drupal-config makes the site, so --site has no use'],
    [['--also', 'x'], '--also goes with --drupal-config'],
    [['--terms', 'x'], '--terms goes with --drupal-config'],
  ])('refuses %j', async (args, says) => {
    const { code, error } = await runHere(['serve', '--memory', ...args]);
    expect([code, error]).toEqual([2, expect.stringContaining(says)]);
  });
});
