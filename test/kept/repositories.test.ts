/** Exports, archives and fixtures as programs of the past have written them. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { runHere } from '../support/command.ts';
import { basic } from '../support/requests.ts';
import { change, copyOf, expectAnswers, keptSite, newPath, notes, withAtoll } from './kept.ts';

jest.setTimeout(120_000);

describe.each([
  ['An export', 'export-1', (copy: string) => join(copy, 'export.json')],
  ['An archive', 'archive-1.tar', (copy: string) => copy],
] as const)('%s of format 1', (_, sample, head) => {
  it('is imported into a new directory, which gives the reviewed answers', async () => {
    const [site, data] = [await keptSite(), newPath('data')];
    const from = await copyOf(sample);
    expect(await runHere(['import', from, '--data', data, '--site', site])).toEqual({
      ...{ code: 0, error: '' },
      out: `Imported 66 records from ${from} to ${data}.\n`,
    });
    await withAtoll({ data, site }, ({ fetch }) => expectAnswers(fetch, 'format-2'));
  });

  it('of a newer version is refused with 2 and one sentence', async () => {
    const from = await copyOf(sample);
    await change(head(from), '"format": 1', '"format": 3');
    const { code, out, error } = await runHere(['import', from, '--data', newPath('data'), '--site', await keptSite()]);
    expect([code, out]).toEqual([2, '']);
    expect(error).toMatch(/^atoll: .*format 3.* is not known.* Use a newer Atoll\.\n$/);
  });
});

describe.each([
  ['An export', 'export-2'],
  ['An archive', 'archive-2.tar'],
] as const)('%s of format 2', (_, sample) => {
  it('is imported into a new directory, which gives the reviewed records of its collections', async () => {
    const [from, data] = [await copyOf(sample), newPath('data')];
    expect(await runHere(['import', from, '--data', data])).toMatchObject({ code: 0, error: '' });
    await withAtoll({ data, ...notes }, ({ fetch }) => expectAnswers(fetch, 'format-3'));
  });
});

describe('An export of format 1', () => {
  it('is a fixture, from which a deleted record is put back with its id, its revision and its translation', async () => {
    const options = { fixture: await copyOf('export-1'), site: await keptSite() };
    await withAtoll(options, async ({ fetch }) => {
      const { headers } = basic('admin');
      expect((await fetch('/node/2?_format=json', { method: 'DELETE', headers })).status).toBe(204);
      expect((await fetch('/node/2?_format=json')).status).toBe(404);
      const putBack = await fetch('/_atoll/differences/put-back', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"type":"node","id":2}',
      });
      expect(putBack.status).toBe(204);
      await expectAnswers(fetch, 'format-2', 'reads');
    });
  });
});

describe('A short fixture of format 1', () => {
  it('makes the reviewed records', async () => {
    const fixture = join(await copyOf('fixture-1'), 'fixture.yaml');
    await withAtoll({ fixture }, ({ fetch }) => expectAnswers(fetch, 'fixture'));
  });

  it('may say its format; a newer one is refused with 2 and one sentence', async () => {
    const fixture = join(await copyOf('fixture-1'), 'fixture.yaml');
    const text = await readFile(fixture, 'utf8');
    await writeFile(fixture, `format: 1\n${text}`);
    expect(await runHere(['fixture', 'expand', fixture, '--to', newPath('long')])).toMatchObject({
      code: 0,
      error: '',
    });
    // A newer form may have keys that this program does not know.
    await writeFile(fixture, `format: 2\nshelves: []\n${text}`);
    expect(await runHere(['fixture', 'expand', fixture, '--to', newPath('long')])).toEqual({
      ...{ code: 2, out: '' },
      error: `atoll: ${fixture}: format 2 is not known to this version. Use a newer Atoll.\n`,
    });
  });
});
