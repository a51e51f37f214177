/** Makes a test of each case of a site's expected answers, and of each row of its access tables. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll, type TestOptions } from '../support/atoll.ts';
import { createDialogue } from './dialogue.ts';
import {
  readAnswers,
  type AccessTable,
  type AnswersFile,
  type Sequence,
  type Step,
  type Variants,
} from './read-answers.ts';

type Dialogue = ReturnType<typeof createDialogue>;

/** Tests the cases of a folder against an Atoll in this process. */
export const testAnswers = (site: string, options: () => Promise<TestOptions>): void => {
  const dialogue = dialogueWith(options);
  for (const file of readAnswers(site)) {
    describe(`${file.name}: ${file.subject}`, () => {
      for (const one of file.cases) testCase(dialogue, file, one);
    });
  }
};

/** Tests its access tables, which ask most. */
export const testAccessTables = (site: string, options: () => Promise<TestOptions>): void => {
  const dialogue = dialogueWith(options);
  for (const { name, subject, access } of readAnswers(site)) {
    if (access !== undefined) describe(`${name}: ${subject}`, () => testAccess(dialogue, access));
  }
};

const dialogueWith = (options: () => Promise<TestOptions>): (() => Dialogue) => {
  let dialogue: Dialogue;
  beforeAll(async () => {
    const atoll: TestAtoll = await createTestAtoll(await options());
    dialogue = createDialogue(atoll);
  });
  return () => dialogue;
};

const testCase = (dialogue: () => Dialogue, { given }: AnswersFile, one: Sequence | Variants): void => {
  const who: Step = {
    ...(one.as === undefined ? {} : { as: one.as }),
    ...(one.by === undefined ? {} : { by: one.by }),
  };
  if ('steps' in one) {
    it(`${one.shows} [${one.source}]`, async () => {
      await dialogue().begin(given);
      for (const step of one.steps) await dialogue().take({ ...who, ...step });
    });
    return;
  }
  describe(`${one.shows} [${one.source}]`, () => {
    it.each(one.each.map((row) => [nameOf(row), { ...who, ...one.of, ...row }] as const))('%s', async (_name, step) => {
      await dialogue().beginUnlessFresh(given);
      await dialogue().take(step);
    });
  });
};

const nameOf = ({ shows, ask, json, text, as }: Step): string =>
  shows ?? ask ?? `${as ?? ''} ${text ?? JSON.stringify(json)}`.trim().slice(0, 100);

const testAccess = (dialogue: () => Dialogue, table: AccessTable): void => {
  describe(`${table.shows} [${table.source}]`, () => {
    it.each(Object.keys(table.resources))('%s: a row for each method and state', (name) => {
      const { states, rows } = table.resources[name] ?? { states: {}, rows: {} };
      const cells = Object.keys(rows).flatMap((row) => cellsOf(row, states).map(({ cell }) => cell));
      const wanted = methods.flatMap((method) => Object.keys(states).map((state) => `${method} ${state}`));
      expect(cells.sort()).toEqual(wanted.sort());
      for (const statuses of Object.values(rows)) expect(statuses).toHaveLength(table.accounts.length);
    });
    for (const [name, resource] of Object.entries(table.resources)) {
      it.each(Object.keys(resource.rows))(`${name}: %s`, async (row) => {
        for (const { method, state } of cellsOf(row, resource.states)) {
          for (const [at, account] of table.accounts.entries()) {
            const status = resource.rows[row]?.[at] ?? 0;
            await dialogue().beginUnlessFresh(table.given);
            await dialogue().take(stepOf(table, name, { method, state, account, status }));
          }
        }
      });
    }
  });
};

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];

/** `any` is every state of the resource. */
const cellsOf = (row: string, states: Readonly<Record<string, string>>) => {
  const [method = '', words = ''] = row.split(/ (.*)/s);
  const named = words === 'any' ? Object.keys(states) : words.split(', ');
  return named.map((state) => ({ method, state, cell: `${method} ${state}` }));
};

type Cell = { readonly method: string; readonly state: string; readonly account: string; readonly status: number };

const stepOf = (table: AccessTable, name: string, cell: Cell): Step => {
  const { method, state, account, status } = cell;
  const resource = table.resources[name];
  const path = resource?.states[state] ?? '';
  const allow = { allow: resource?.allow ?? '' };
  // Where Basic is accepted, and nowhere else, nobody is 401.
  const challenge = { 'www-authenticate': status === 401 ? 'Basic realm="Contract Site"' : null, link: null };
  const headers = status < 400 ? {} : status === 405 ? { ...challenge, ...allow } : challenge;
  const asked: Step = { ...resource?.sends[method], ask: `${method} ${path}`, as: account, by: 'bearer', status };
  if (method === 'HEAD') return { ...asked, headers };
  if (method === 'OPTIONS') return { ...asked, content: '', headers: allow };
  const message =
    status === 405
      ? `No route found for "${method} http://localhost:8000${path.split('?')[0] ?? ''}": Method Not Allowed (Allow: ${allow.allow})`
      : messageOf(table, name, cell);
  return { ...asked, headers, ...(message === undefined ? {} : { message }) };
};

const messageOf = (table: AccessTable, name: string, { method, state, account, status }: Cell): string | undefined => {
  const resource = table.resources[name];
  if (status === 401) return table['401'];
  if (status === 404) return resource?.['404']?.replaceAll('METHOD', method);
  if (status !== 403) return undefined;
  const texts = resource?.['403'] ?? {};
  return [`${method} ${state} ${account}`, `${method} ${state}`, method].flatMap((key) => texts[key] ?? [])[0];
};
