/** `atoll exec` with a document of one's own: the gates, the verdicts, and the report of a build server. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { runHere } from '../support/command.ts';
import { withDirectory } from '../support/program.ts';

const document = `openapi: 3.1.0
info: { title: Books, version: "1" }
paths:
  /books:
    get:
      parameters: [{ name: page, in: query, schema: { type: integer } }]
      responses:
        200: { description: ok, content: { application/json: { schema: { type: object, required: [id] } } } }
        4XX: { description: no }
`;

const client = (...paths: string[]): string[] => [
  process.execPath,
  '-e',
  `(async () => { for (const path of ${JSON.stringify(paths)}) await (await fetch(process.env.ATOLL_URL + path)).text(); })().catch(() => process.exit(99));`,
];

const exec = async (folder: string, args: readonly string[], paths: string[]) => {
  await writeFile(join(folder, 'api.yaml'), document);
  return runHere(['exec', '--document', join(folder, 'api.yaml'), ...args, '--', ...client(...paths)]);
};

it('ends with 0 where the goals are reached, and with 6 and what is missing where not', () =>
  withDirectory(async (folder) => {
    expect(await exec(folder, ['--min', 'statuses=100'], ['/books', '/books?page=x'])).toMatchObject({ code: 0 });
    const missed = await exec(folder, ['--min', 'statuses=100'], ['/books']);
    expect([missed.code, missed.error]).toEqual([6, expect.stringMatching(/statuses: 1 of 2 .*getBooks +4XX/s)]);
  }));

it('ends with 8 for a broken request, and writes it as JUnit', () =>
  withDirectory(async (folder) => {
    const { code, error } = await exec(
      folder,
      ['--fail-on', 'violations', '--report', 'junit', '--report-dir', folder],
      ['/books?page=x'],
    );
    expect([code, error]).toEqual([
      8,
      expect.stringMatching(/GET \/books\?page=x 400: request \/query\/page: must be integer \(type\)/),
    ]);
    const report = await readFile(join(folder, 'coverage.junit.xml'), 'utf8');
    expect(report).toMatch(/getBooks[\s\S]*\/query\/page/);
  }));
