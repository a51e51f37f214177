/** Recordings, counts of coverage, journals of `verify` and accepted differences as programs of the past have written them. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, jest } from '@jest/globals';
import { parse } from 'yaml';
import { serveReplay } from '../../src/checks/checks-recording.ts';
import { runHere } from '../support/command.ts';
import { readAcceptances } from '../twin/accepted-differences.ts';
import { change, copyOf, expectAnswers, keptFolder, newPath, withAtoll } from './kept.ts';

jest.setTimeout(120_000);

const unknown = (file: string, member = 'format'): string =>
  `atoll: ${file}: ${member} 2 is not known to this version. Use a newer Atoll.\n`;

describe('A recording of format 1', () => {
  it('is shown, and answers again', async () => {
    const directory = await copyOf('recording-1');
    const shown = await runHere(['recording', 'show', directory]);
    expect(shown).toMatchObject({ code: 0, error: '' });
    expect(shown.out.replace(/^.*\n/, '')).toBe(
      [
        '     1 200 GET /node/2?_format=json',
        '     2 200 GET /media/1?_format=json',
        '     3 200 GET /sites/default/files/2026-01/quay.png',
        '     4 200 PATCH /node/2?_format=json',
        '     5 404 GET /node/5?_format=json',
        '',
      ].join('\n'),
    );
    const replay = await serveReplay(directory);
    try {
      await expectAnswers((path, init) => fetch(`${replay.url}${path}`, init), 'recording');
    } finally {
      await replay.stop();
    }
  });

  it('of a newer version is refused with 2 and one sentence', async () => {
    const directory = await copyOf('recording-1');
    const file = join(directory, 'recording.json');
    await change(file, '"format": 1', '"format": 2');
    expect(await runHere(['recording', 'show', directory])).toEqual({ code: 2, out: '', error: unknown(file) });
  });
});

describe('Counts of coverage of version 1', () => {
  it('are added up', async () => {
    const file = await copyOf('coverage-1.json');
    const sum = newPath('sum.json');
    expect(await runHere(['coverage', 'merge', file, file, '--output', sum])).toEqual({ code: 0, out: '', error: '' });
    const { answers } = JSON.parse(await readFile(sum, 'utf8')) as {
      answers: { operation: string; status: number; count: number }[];
    }; // as it was written
    const { coverage } = parse(await readFile(join(keptFolder, 'answers.yml'), 'utf8')) as {
      coverage: Record<string, number>;
    }; // a reviewed file
    const counts = answers.map(({ operation, status, count }) => [`${operation} ${status}`, count / 2]);
    expect(Object.fromEntries(counts)).toEqual(coverage);
  });

  it('of a newer version are refused with 2 and one sentence', async () => {
    const file = await copyOf('coverage-1.json');
    await change(file, '"version": 1', '"version": 2');
    expect(await runHere(['coverage', 'merge', file])).toEqual({ code: 2, out: '', error: unknown(file, 'version') });
  });
});

describe('A journal of verify of format 1', () => {
  it('leads to all that a killed run has left, and to nothing else', async () => {
    const data = newPath('data');
    const left = newPath('left.tar');
    await writeFile(left, gunzipSync(await readFile(join(keptFolder, 'verify-journal-1/left.tar.gz'))));
    expect(await runHere(['import', left, '--data', data])).toMatchObject({ code: 0 });
    await withAtoll({ data, port: 0 }, async ({ url }) => {
      const journal = await copyOf('verify-journal-1/journal.jsonl');
      // The server of the test has another port.
      await change(journal, 'http://localhost:45845', url);
      expect(await runHere(['verify', 'clean', '--target', url, '--journal', journal])).toMatchObject({
        code: 0,
        error: '',
      });
      await expectAnswers((path, init) => fetch(`${url}${path}`, init), 'after-clean');
    });
  });

  it('of a newer version is refused with 2 and one sentence', async () => {
    const journal = await copyOf('verify-journal-1/journal.jsonl');
    await change(journal, '{"event":"begun"', '{"event":"begun","format":2');
    const clean = ['verify', 'clean', '--target', 'http://localhost:1', '--journal', journal];
    expect(await runHere(clean)).toEqual({ code: 2, out: '', error: unknown(journal) });
  });
});

describe('Accepted differences of format 1', () => {
  it('are read, also where they say it', async () => {
    const file = await copyOf('accepted-1.yml');
    const accepted = [
      { operation: 'getNode', place: '/body/title/*/value', reason: 'The archive writes titles in capitals.' },
      { operation: '*', place: '/headers/Allow', target: 'GET', reason: 'A proxy takes it away.', until: '2027-01-31' },
    ];
    expect(await readAcceptances(file)).toEqual(accepted);
    await writeFile(file, `format: 1\n${await readFile(file, 'utf8')}`);
    expect(await readAcceptances(file)).toEqual(accepted);
  });

  it('of a newer version are refused with one sentence', async () => {
    const file = await copyOf('accepted-1.yml');
    await writeFile(file, `format: 2\nignored: []\n${await readFile(file, 'utf8')}`);
    await expect(readAcceptances(file)).rejects.toThrow(
      `${file}: format 2 is not known to this version. Use a newer Atoll.`,
    );
  });
});
