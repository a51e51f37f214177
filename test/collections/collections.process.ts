/** Collections on a disk: what was acknowledged is there after a kill. What the start prints about them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { run, startProgram, type RunningProgram, withDirectory } from '../support/program.ts';
import { kindsOf, withoutTimes } from './support/kinds.ts';
import { answerOf, beginning, copyOf, requestOf, type State, type Step, stepsOf } from './support/model.ts';
import { documentFile, documentText, documentWith } from './support/remembering.ts';
import { carryOut, readAll, send } from './support/run-model.ts';
import type { Place } from './support/steps.ts';

const kinds = Object.values(kindsOf).flat();
const documents = (['library', 'orders', 'weblog'] as const).flatMap((name) => ['--document', documentFile(name)]);

const placeOf = ({ url }: RunningProgram): Place => ({
  url,
  fetch: (input, init) => fetch(typeof input === 'string' ? new URL(input, url) : input, init),
});

const listing = (kind: string, parent: number): Step => ({
  ...{ kind, parent, does: 'list', which: 0, drawn: { text: '', number: 0, id: '', flag: false } },
});

/** Compares every list. */
const checkAll = async (place: Place, state: State): Promise<void> => {
  for (const kind of kinds)
    for (const parent of kind.parent === undefined ? [0] : [0, 1, 2, 3])
      await carryOut(place, state, kinds, listing(kind.name, parent));
};

it('has what was acknowledged after kills in the middle of sequences, and counts on', async () => {
  const drawn = fc.sample(stepsOf(kinds), 240);
  await withDirectory(async (folder) => {
    const args = [...documents, '--data', join(folder, 'data'), '--no-watch'];
    let program = await startProgram(args);
    let state = beginning(kinds);
    try {
      for (const [at, step] of drawn.entries()) {
        const place = placeOf(program);
        await carryOut(place, state, kinds, step);
        if (at % 80 !== 40) continue;
        // The answer of this request is never read: it may be stored or not, and nothing in between.
        const [books] = kindsOf.library;
        if (books === undefined) throw new Error('There are books.');
        const post: Step = {
          ...step,
          kind: 'books',
          does: 'post',
          drawn: { ...step.drawn, text: `At ${at}`, flag: false },
        };
        const lost = copyOf(state);
        const asked = requestOf(lost, books, post);
        answerOf(lost, kinds, books, post).store?.(String((lost.highest.get('books') ?? 0) + 1));
        const sent = send(place, asked).catch(() => undefined);
        program.child.kill('SIGKILL');
        await Promise.all([program.stop(), sent]);
        program = await startProgram(args);
        const { list } = await readAll(placeOf(program), '/books');
        if (list.some(({ title }) => title === `At ${at}`)) state = lost;
        await checkAll(placeOf(program), state);
      }
      await checkAll(placeOf(program), state);
      // A stop in good order, too.
      await program.stop();
      program = await startProgram(args);
      await checkAll(placeOf(program), state);
    } finally {
      await program.stop();
    }
  });
}, 120_000);

it('keeps what was emptied empty, and does not begin again', () =>
  withDirectory(async (folder) => {
    const args = ['--document', documentFile('library'), '--data', join(folder, 'data')];
    const first = await startProgram(args);
    for (const id of [1, 2, 3, 7]) await fetch(`${first.url}/books/${id}`, { method: 'DELETE' });
    await first.stop();
    const second = await startProgram(args);
    const books = await (await fetch(`${second.url}/books`)).json();
    await second.stop();
    expect(books).toEqual([]);
  }));

it('lists at the start and in `check` the records that no longer fit, and serves them as they are', () =>
  withDirectory(async (folder) => {
    const file = join(folder, 'api.yaml');
    const args = ['--document', file, '--data', join(folder, 'data')];
    await writeFile(file, documentText('library'));
    const first = await startProgram(args);
    const headers = { 'Content-Type': 'application/json', 'X-Api-Key': 'k' };
    await fetch(`${first.url}/books`, { method: 'POST', headers, body: '{"title":"Old"}' });
    await first.stop();
    await writeFile(file, documentWith('library', 'required: [id, title]', 'required: [id, title, author]'));
    const printed = await run(['serve', ...args, '--port', '0'], { until: 'Ready' });
    const said = (printed.out + printed.error)
      .split('\n')
      .filter((line) => line.includes('books') && line.includes('8'));
    expect(said).not.toEqual([]);
    const checked = await run(['check', '--data', join(folder, 'data'), '--document', file]);
    const noted = (checked.out + checked.error).split('\n').filter((line) => /books.*\b8\b/.test(line));
    expect([checked.code, noted]).toEqual([0, [expect.any(String)]]);
    const second = await startProgram(args);
    const old = await (await fetch(`${second.url}/books/8`)).json();
    await second.stop();
    expect(old).toMatchObject({ id: 8, title: 'Old' });
  }));

it('has the documents’ records with --memory, and none of another start', async () => {
  const begin = () => startProgram(['--document', documentFile('library'), '--memory']);
  const first = await begin();
  await fetch(`${first.url}/books/1`, { method: 'DELETE' });
  await first.stop();
  const second = await begin();
  const { list } = await readAll(placeOf(second), '/books');
  await second.stop();
  expect(list.map((record) => withoutTimes(record)['id'])).toEqual([1, 2, 3, 7]);
});

it('prints which collections were seen, which parameters do not filter, and why other paths are none', async () => {
  const printed = async (name: 'library' | 'weblog', ...more: string[]): Promise<string> => {
    const args = ['serve', '--document', documentFile(name), '--memory', '--port', '0', ...more];
    const { out, error } = await run(args, { until: 'Ready' });
    return out + error;
  };
  const weblog = await printed('weblog');
  const seen = [
    '/users/{userSlug}',
    '/tags/{tagName}',
    '/settings',
    '/drafts/{draft}',
    '/users/{userSlug}/posts/{slug}',
  ];
  for (const path of seen) expect(weblog).toContain(path);
  const reasons: readonly [string, RegExp][] = [
    ['/visits', /x-atoll-collection|false/],
    ['/reports', /object/],
    ['/events', /\bid\b/],
    ['/twins', /twinKey|twin_key|two|several/],
  ];
  for (const [path, reason] of reasons) {
    const line = weblog.split('\n').find((each) => each.includes(path)) ?? `no line for ${path}`;
    expect([path, line]).toEqual([path, expect.stringMatching(reason)]);
  }
  const library = await printed('library');
  expect(library.split('\n').find((line) => line.includes('books'))).toBeDefined();
  expect(library).toContain('borrowedBefore');
  const stateless = await printed('library', '--stateless');
  expect(stateless).not.toContain('borrowedBefore');
}, 60_000);

it('`atoll exec` remembers as `serve` does, and nothing with --stateless', async () => {
  const script = `(async () => {
    const at = process.env.ATOLL_URL + '/rooms';
    const headers = { 'Content-Type': 'application/json' };
    await fetch(at, { method: 'POST', headers, body: '{"number":77}' });
    const one = await fetch(at + '/77');
    const body = await one.json();
    process.exit(one.headers.get('Atoll-Mocked') === null && body.number === 77 ? 0 : 7);
  })().catch(() => process.exit(99));`;
  const exec = async (...more: string[]) =>
    (await run(['exec', '--document', documentFile('library'), ...more, '--', process.execPath, '-e', script])).code;
  expect([await exec(), await exec('--stateless')]).toEqual([0, 7]);
}, 60_000);
