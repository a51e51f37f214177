/** `atoll serve --drupal-config` and `atoll exec --drupal-config`, as programs. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { runHere } from '../support/command.ts';
import { signingKeyFile, startProgram } from '../support/program.ts';
import { send } from '../support/server.ts';
import { until } from '../support/until.ts';
import { ledgerField } from '../drupal/imported.ts';
import { inFolder, writeObjects } from '../drupal/written-folder.ts';

jest.setTimeout(60_000);

const nodesOverRest = {
  'rest.resource.entity.node': {
    granularity: 'resource',
    configuration: { methods: ['GET'], formats: ['json'], authentication: ['basic_auth'] },
  },
};

describe('serve --drupal-config', () => {
  it('serves the site from memory, and reads it anew when a file changes', async () => {
    await inFolder(async (folder) => {
      await writeObjects(folder, { ...ledgerField('field_note', 'string'), ...resources });
      const server = await startProgram(['--drupal-config', folder, '--memory', '--fixture', 'empty']);
      try {
        const members = async (): Promise<string> =>
          (await send(server, 'GET', '/openapi.json', { as: null })).body.toString();
        expect(await members()).toContain('field_note');
        await until(() => server.log().includes('imported 2 fields'), 'the import');
        const file = join(folder, 'field.field.node.ledger.field_note.yml');
        await writeFile(file, (await readFile(file, 'utf8')).replace('label: field_note', 'label: A remark'));
        await until(() => server.log().includes('read again'), 'a reload');
        const answer = await send(server, 'POST', '/node?_format=json', {
          json: {
            type: [{ target_id: 'ledger' }],
            title: [{ value: 'One' }],
            field_note: [{ value: 'x'.repeat(300) }],
          },
        });
        expect([answer.status, answer.message()]).toEqual([422, expect.stringContaining('A remark')]);
      } finally {
        await server.stop();
      }
    });
  });
});

const accepted = { supported_formats: ['json'], supported_auth: ['basic_auth', 'jwt_auth', 'cookie'] };
const resources = {
  'rest.resource.entity.node': {
    ...{ id: 'entity.node', granularity: 'method' },
    configuration: { GET: accepted, POST: accepted },
  },
};

describe('exec --drupal-config', () => {
  it('runs the command beside a server of the imported site, with content made for it', async () => {
    await inFolder(async (folder) => {
      await writeObjects(folder, { ...ledgerField('field_shelf', 'string'), ...nodesOverRest });
      const ask = `fetch(process.env.ATOLL_URL + '/node/1?_format=json').then(async (answer) => {
        process.exit((await answer.json()).field_shelf === undefined ? 9 : 0);
      })`;
      const command = [
        'exec',
        '--jwt-key',
        signingKeyFile,
        '--drupal-config',
        folder,
        '--',
        process.execPath,
        '-e',
        ask,
      ];
      expect(await runHere(command)).toMatchObject({ code: 0, error: '' });
    });
  });
});
