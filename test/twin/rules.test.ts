/** The rules that explain differences name rows that the guide has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createExplain } from '../../src/contract/differences/explain.ts';
import { matchesPlace, patternOfPlace } from '../../src/contract/compare/json-paths.ts';
import { explanationRules } from '../../src/contract/differences/all-rules.ts';
import { root } from '../support/atoll.ts';
import { answered, reply, request } from './exchanges.ts';

const rowsOf = (page: string): readonly string[] =>
  readFileSync(join(root, 'docs/use', `${page}.md`), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => (line.split(/(?<!\\)\|/)[1] ?? '').trim());

describe('The rules that explain differences', () => {
  it('name rows of the guide only', () => {
    const pages = { differences: rowsOf('differences'), 'not-emulated': rowsOf('not-emulated') };
    expect(explanationRules.filter(({ page, row }) => !pages[page].includes(row)).map(({ row }) => row)).toEqual([]);
  });

  it('each explain some place', () => {
    expect(explanationRules.filter(({ differs }) => differs.length === 0)).toEqual([]);
  });

  it('explain 405 for PATCH of a file, and nothing like it elsewhere', () => {
    const explain = createExplain(explanationRules);
    const difference = { place: '/status', target: 401, atoll: 405 };
    const file = answered(request('PATCH', '/entity/file/1?_format=json'), reply(401), reply(405));
    const node = answered(request('PATCH', '/node/1?_format=json'), reply(401), reply(405));
    expect(explain(file)(difference)?.row).toBe('`PATCH /entity/file/{id}`');
    expect(explain(node)(difference)).toBeUndefined();
  });

  it('do not explain another body where both answer JSON', () => {
    const explain = createExplain(explanationRules);
    const two = answered(
      request('GET', '/node/1?_format=json'),
      reply(404, { message: 'a' }),
      reply(404, { message: 'b' }),
    );
    expect(explain(two)({ place: '/body/message', target: 'a', atoll: 'b' })).toBeUndefined();
  });
});

describe('A pattern of places', () => {
  it('has * for a step and ** for all that follow', () => {
    expect(matchesPlace('/body/*/0', '/body/title/0')).toBe(true);
    expect(matchesPlace('/body/*', '/body/title/0')).toBe(false);
    expect(matchesPlace('/body/**', '/body/title/0')).toBe(true);
    expect(matchesPlace('/headers/Link', '/headers/Allow')).toBe(false);
  });

  it('is made of a place without its indexes', () => {
    expect(patternOfPlace('/body/title/0/value')).toBe('/body/title/*/value');
  });
});
