/** Data directories as programs of the past have left them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { runHere } from '../support/command.ts';
import { change, copyOf, expectAnswers, keptSite, notes, withAtoll } from './kept.ts';

jest.setTimeout(120_000);

const serveOptions = async (format: number) => (format === 1 ? {} : { site: await keptSite() });

describe.each([1, 2] as const)('A data directory of format %i', (format) => {
  it('is whole', async () => {
    const data = await copyOf(`data-${format}`);
    const { site } = await serveOptions(format);
    const checked = await runHere(['check', '--data', data, ...(site === undefined ? [] : ['--site', site])]);
    expect(checked).toEqual({ code: 0, error: '', out: `${data} is whole: no faults, 0 notes.\n` });
  });

  it('gives the reviewed answers, takes a write, and gives them again after a restart', async () => {
    const options = { data: await copyOf(`data-${format}`), ...(await serveOptions(format)) };
    await withAtoll(options, ({ fetch }) => expectAnswers(fetch, `format-${format}`));
    // A program that knows only the older format would lose what is written from now on.
    expect(await readFile(join(options.data, 'atoll.json'), 'utf8')).toContain('"format":3,');
    await withAtoll(options, ({ fetch }) => expectAnswers(fetch, `format-${format}`, 'reads'));
  });
});

describe('A data directory of format 3', () => {
  it('is whole', async () => {
    const data = await copyOf('data-3');
    const checked = await runHere(['check', '--data', data]);
    expect(checked).toEqual({ code: 0, error: '', out: `${data} is whole: no faults, 0 notes.\n` });
  });

  it('gives the reviewed records of its collections, counts on, and has them after a restart', async () => {
    const options = { data: await copyOf('data-3'), ...notes };
    await withAtoll(options, ({ fetch }) => expectAnswers(fetch, 'format-3'));
    await withAtoll(options, async ({ fetch }) => {
      await expectAnswers(fetch, 'format-3', 'reads');
      const headers = { 'Content-Type': 'application/json' };
      const made = await fetch('/notes', { method: 'POST', headers, body: '{}' });
      expect(await made.json()).toEqual({ id: '41' });
    });
  });
});

describe('A data directory of a newer format', () => {
  it.each([['serve'], ['check']])('is refused by %s with 4 and one sentence', async (command) => {
    const data = await copyOf('data-2');
    await change(join(data, 'atoll.json'), '"format":2', '"format":4');
    const { code, out, error } = await runHere([
      command,
      '--data',
      data,
      ...(command === 'serve' ? ['--port', '0'] : []),
    ]);
    expect([code, out]).toEqual([4, '']);
    expect(error).toMatch(/^atoll: .*atoll\.json.*format 4 is not known; this program reads formats 1 to 3.*\n$/);
  });
});

describe('Named control tokens of format 1', () => {
  it('are listed, with their right', async () => {
    const data = await copyOf('data-2');
    await withAtoll({ data, site: await keptSite() }, async ({ fetch }) => {
      const answer = await fetch('/_atoll/tokens');
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        { tokens: [{ name: 'ci', right: 'worlds', prefix: 'ci-', expires: null, lastUsed: null }] },
      ]);
    });
  });

  it('of a newer format are refused with 2 and one sentence', async () => {
    const data = await copyOf('data-2');
    await change(join(data, 'control-tokens.json'), '"format": 1', '"format": 2');
    const { code, error } = await runHere(['serve', '--data', data, '--port', '0', '--site', await keptSite()]);
    expect(code).toBe(2);
    expect(error).toContain('control-tokens.json: format 2 is not known to this version. Use a newer Atoll.');
  });
});
