/** The rules that explain differences name rows that the guide has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createExplain } from '../../src/checks/differences/explain.ts';
import { root } from '../support/atoll.ts';
import { deliberateDifferences } from './deliberate-differences.ts';
import { answered, reply, request } from '../twin/exchanges.ts';

const differences = await deliberateDifferences();
const explain = createExplain(differences);

describe('The differences on purpose', () => {
  it('have ids of their own', () => {
    expect(new Set(differences.map(({ id }) => id)).size).toBe(differences.length);
  });

  it('are rows of the page of what Atoll does not have, where they say so', () => {
    const page = readFileSync(join(root, 'docs/use/not-emulated.md'), 'utf8');
    const others = differences.filter((one) => one.page === 'not-emulated');
    expect(others.filter(({ question }) => !page.includes(`\n| ${question} `))).toEqual([]);
  });

  it('have a cause next to the place, or show in the values of one place', () => {
    const open = differences.flatMap(({ id, shows }) =>
      shows
        .filter(({ status, places, ...one }) => {
          const isAny = ([theirs, ours]: readonly unknown[]): boolean => theirs === null && ours === null;
          const causes = Object.keys(one).filter((condition) => condition !== 'method' && condition !== 'path');
          const hasCause = causes.length > 0 || status !== undefined;
          return !hasCause && Object.values(places ?? {}).some(isAny);
        })
        .map(() => id),
    );
    // A server keeps count of its own comments, and of when somebody has logged in.
    expect(open).toEqual(['comments', 'account-times']);
  });

  it('explain 405 for PATCH of a file, and nothing like it elsewhere', () => {
    const difference = { place: '/status', target: 401, atoll: 405 };
    const file = answered(request('PATCH', '/entity/file/1?_format=json'), reply(401), reply(405));
    const node = answered(request('PATCH', '/node/1?_format=json'), reply(401), reply(405));
    expect(explain(file)(difference)?.question).toBe('`PATCH /entity/file/{id}`');
    expect(explain(node)(difference)).toBeUndefined();
  });

  it('do not explain another body where both answer JSON', () => {
    const two = answered(
      request('GET', '/node/1?_format=json'),
      reply(404, { message: 'a' }),
      reply(404, { message: 'b' }),
    );
    expect(explain(two)({ place: '/body/message', target: 'a', atoll: 'b' })).toBeUndefined();
  });
});
