/** A front-end team's document, with the 35 requests whose right answers were decided before anything was run. */
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { documentFile, judgeAll } from '../system/team-document/judge.mjs';
import { askOf } from './support/ask.ts';

/** A mock remembers nothing, so that what was sent does not come back. */
const poor = ['create'];

it('The requests of a team are answered rightly', async () => {
  const ask = askOf(parse(readFileSync(documentFile, 'utf8')) as Record<string, unknown>);
  const judged = await judgeAll(async ({ method, path, headers, body }) => {
    const answer = await ask(path, { method, headers, ...(body === null ? {} : { body }) });
    const lower = Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    return { status: answer.status, headers: Object.fromEntries(lower) as Record<string, string>, text: answer.text };
  });
  expect(judged).toHaveLength(35);
  expect(judged.filter(({ name, wrong }) => wrong.length > 0 && !poor.includes(name))).toEqual([]);
});
