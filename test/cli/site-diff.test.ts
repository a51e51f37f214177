/** `atoll site diff`: its page, its JSON and its exit codes. */
import { join } from 'node:path';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { root } from '../support/atoll.ts';
import { runHere } from '../support/command.ts';
import { withDirectory } from '../support/program.ts';

const changedSite = async (folder: string, from: string, to: string): Promise<string> => {
  await cp(join(root, 'data/site'), join(folder, 'site'), { recursive: true });
  const file = join(folder, 'site/bundles/node.islandora_object.yml');
  await writeFile(file, (await readFile(file, 'utf8')).replace(from, to));
  return join(folder, 'site');
};

it('ends with 0 when nothing or nothing harmful changed', () =>
  withDirectory(async (folder) => {
    const site = await changedSite(folder, 'label: PID', 'label: Old PID');
    expect(await runHere(['site', 'diff', site, site])).toMatchObject({
      code: 0,
      out: 'Nothing changed.\n',
    });
    const { code, out } = await runHere(['site', 'diff', 'default', site]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /field_pid: has the label "Old PID" instead of "PID"\n.*\n\n1 change: 0 breaking, 0 unknown, 1 harmless\n$/,
    );
  }));

it('ends with 1 and prints JSON when a change breaks clients', () =>
  withDirectory(async (folder) => {
    const site = await changedSite(folder, 'label: PID, type: string', 'label: PID, type: link');
    const { code, out } = await runHere(['site', 'diff', 'default', site, '--json']);
    expect(code).toBe(1);
    const { breaking, changes } = JSON.parse(out) as { breaking: number; changes: Record<string, unknown>[] };
    expect(breaking).toBe(4);
    expect(changes).toContainEqual(
      expect.objectContaining({
        ...{ kind: 'breaking', subject: 'NodeIslandoraObjectRecord', place: '.field_pid[].value', change: 'is gone' },
        breaks: ['client'],
      }),
    );
  }));

it('ends with 2 for a folder that is no site, and for a missing one', async () => {
  expect(await runHere(['site', 'diff', 'default', join(root, 'docs')])).toMatchObject({ code: 2, out: '' });
  expect(await runHere(['site', 'diff', 'default'])).toMatchObject({ code: 2, out: '' });
});
