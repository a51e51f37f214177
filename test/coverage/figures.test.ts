/** Counts of several runs, added up and made into percentages; no server is asked. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  coverageCells,
  coverageMetrics,
  coverageFigures,
  mergeCoverage,
  missedGoals,
  type CoverageRecord,
  scopedCoverage,
  unmatchedItems,
} from '../../src/contract/contract-coverage.ts';
import { coverageRecord, type OfferedOperation } from '../../src/contract/coverage/coverage-figures.ts';
import { coverageFormats, coverageReport } from '../../src/server/server.ts';

const offered: OfferedOperation[] = [
  {
    operation: 'getNode',
    method: 'GET',
    path: '/node/{node_id}',
    answers: { 200: ['application/json', 'application/ld+json'], 404: ['application/json'] },
    identities: ['anonymous', 'authenticated', 'editor'],
    relations: ['related', 'tag'],
    isExtra: false,
  },
  {
    operation: 'deleteNode',
    method: 'DELETE',
    path: '/node/{node_id}',
    answers: { 204: [], 403: ['application/json'] },
    identities: ['anonymous', 'authenticated', 'editor'],
    relations: [],
    isExtra: false,
  },
];

const answer = fc.record({
  operation: fc.constantFrom('getNode', 'deleteNode'),
  status: fc.constantFrom(200, 204, 403, 404),
  mediaType: fc.constantFrom('application/json', 'application/ld+json', null),
  identities: fc.constantFrom(['anonymous'], ['authenticated'], ['authenticated', 'editor']),
  count: fc.integer({ min: 1, max: 9 }),
});
const relation = fc.record({
  operation: fc.constant('getNode'),
  relation: fc.constantFrom('related', 'tag'),
  seen: fc.integer({ min: 0, max: 9 }),
  followed: fc.integer({ min: 0, max: 9 }),
});
const record: fc.Arbitrary<CoverageRecord> = fc
  .record({ answers: fc.array(answer), relations: fc.array(relation) })
  .map((counts) => mergeCoverage([coverageRecord(offered, counts)]));

describe('Records of several runs', () => {
  it('add up to the same in whatever order and grouping', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), fc.nat(4), (records, at) => {
        const whole = mergeCoverage(records);
        expect(mergeCoverage([...records].reverse())).toEqual(whole);
        expect(
          mergeCoverage(
            [mergeCoverage(records.slice(0, at)), mergeCoverage(records.slice(at))].filter(
              ({ offered: all }) => all.length > 0,
            ),
          ),
        ).toEqual(whole);
      }),
      { numRuns: 100 },
    );
  });

  it('together meet what any of them meets, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records) => {
        for (const metric of coverageMetrics) {
          const met = (one: CoverageRecord): string[] =>
            coverageCells(one, metric).flatMap(({ operation, name, count }) =>
              count > 0 ? [`${operation} ${name}`] : [],
            );
          expect(new Set(met(mergeCoverage(records)))).toEqual(new Set(records.flatMap(met)));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('keep the operations that only one of them offers', () => {
    const [first, second] = offered;
    if (first === undefined || second === undefined) throw new Error('There are two.');
    const empty = { answers: [], relations: [] };
    const both = mergeCoverage([
      coverageRecord([first], empty),
      coverageRecord([{ ...first, relations: ['up'] }, second], empty),
    ]);
    expect(both.offered.map(({ operation, relations }) => [operation, relations])).toEqual([
      ['getNode', ['related', 'tag', 'up']],
      ['deleteNode', []],
    ]);
  });
});

describe('A percentage', () => {
  it('is rounded down, so that only all of it is 100', () => {
    const many = Array.from(
      { length: 300 },
      (_item, index) => ({ ...offered[0], operation: `op${index}` }) as OfferedOperation,
    );
    const answers = many
      .slice(1)
      .map(({ operation }) => ({ operation, status: 200, mediaType: null, identities: [], count: 1 }));
    const almost = coverageRecord(many, { answers, relations: [] });
    expect(coverageFigures(almost)[0]).toEqual({ metric: 'operations', met: 299, of: 300, percent: 99 });
    expect(missedGoals(almost, { operations: 100 })).toEqual([
      expect.objectContaining({
        wanted: 100,
        uncovered: [{ operation: 'op0', name: 'GET /node/{node_id}', count: 0 }],
      }),
    ]);
    expect(missedGoals(almost, { operations: 99.6 })).toEqual([]);
  });

  it('of nothing that is offered is 100, and no goal for it is missed', () => {
    const nothing = coverageRecord([], { answers: [], relations: [] });
    expect(coverageFigures(nothing).map(({ percent }) => percent)).toEqual(coverageMetrics.map(() => 100));
    expect(missedGoals(nothing, { operations: 100 })).toEqual([]);
  });
});

describe('A report', () => {
  it('of any record has every cell, in every format', () => {
    fc.assert(
      fc.property(record, (one) => {
        const [table, html, junit, json, markdown] = coverageFormats.map((format) => coverageReport(one, format));
        for (const { operation, answers } of offered) {
          for (const status of Object.keys(answers)) {
            const [cell] = coverageCells(one, 'statuses').filter(
              (each) => each.operation === operation && each.name === status,
            );
            const isMet = (cell?.count ?? 0) > 0;
            expect(table).toMatch(new RegExp(`${operation} .*${isMet ? ` ${status}` : `\\(${status}\\)`}`));
          }
          const [used] = coverageCells(one, 'operations').filter((each) => each.operation === operation);
          const place = `<testcase classname="operations.${operation}" name="${used?.name}"`;
          expect(junit?.includes(`${place}/>`)).toBe((used?.count ?? 0) > 0);
          expect(junit?.split(place)).toHaveLength(2);
          expect(html).toContain(`>${operation}<small>`);
          expect(markdown).toMatch(/^\| operations \| \d+ of \d+ \| \d+ % \| {2}\|$/m);
          expect(junit).not.toContain('<failure');
        }
        expect(mergeCoverage([JSON.parse(json ?? '') as CoverageRecord])).toEqual(mergeCoverage([one]));
      }),
      { numRuns: 30 },
    );
  });

  it('escapes what stands in names', () => {
    const strange: OfferedOperation = {
      operation: '<b>&"',
      method: 'GET',
      path: '/<x>',
      answers: {},
      identities: [],
      relations: [],
      isExtra: false,
    };
    const one = coverageRecord([strange], { answers: [], relations: [] });
    for (const format of ['html', 'junit'] as const) {
      expect(coverageReport(one, format)).not.toContain('<b>&"');
      expect(coverageReport(one, format)).toContain('&lt;b&gt;&amp;');
    }
  });
});

describe('A report in JUnit', () => {
  const counts = { answers: [], relations: [] };

  it('fails for a goal that is missed and for a violation, and has one case for each operation', () => {
    const violation = {
      ...{ operation: 'createNode', request: 'POST /node 422', rule: 'type' },
      ...{ message: 'request /: <x>', world: 'adds-an-object' },
    };
    const judged = { goals: { operations: 50, statuses: 0 }, violations: [violation, violation] };
    const junit = coverageReport(coverageRecord(offered, counts), 'junit', judged);
    expect(junit.match(/<failure/g)).toHaveLength(2);
    expect(junit).toMatch(
      /classname="goals.operations" name="50 %">\n +<failure type="goal" message="0 of \d+ are met/,
    );
    expect(junit).toContain('<testcase classname="goals.statuses" name="0 %"/>');
    expect(junit).toContain('<failure type="type" message="request /: &lt;x&gt; (world adds-an-object)"/>');
    expect(junit).toMatch(/<testsuite name="operations" tests="(\d+)" failures="0" skipped="\1">/);
    expect(junit.match(/<testcase classname="operations\./g)).toHaveLength(offered.length);
    const markdown = coverageReport(coverageRecord(offered, counts), 'markdown', judged);
    expect(markdown).toContain('50 %, missed');
    expect(markdown).toContain('request /: \\<x\\> (type)');
  });
});

describe('A scope', () => {
  const document: OfferedOperation[] = [
    {
      operation: 'getNode',
      method: 'GET',
      path: '/node/{id}',
      answers: { 200: [], 404: [], 503: [] },
      identities: [],
      relations: ['up'],
      isExtra: false,
    },
    {
      operation: 'headNode',
      method: 'HEAD',
      path: '/node/{id}',
      answers: { 200: [] },
      identities: [],
      relations: [],
      isExtra: true,
    },
    {
      operation: 'getTerm',
      method: 'GET',
      path: '/term/{id}',
      answers: { 200: [] },
      identities: [],
      relations: [],
      isExtra: false,
    },
  ];
  const all = coverageRecord(document, {
    answers: [{ operation: 'getNode', status: 503, mediaType: null, identities: [], count: 1 }],
    relations: [{ operation: 'getNode', relation: 'up', seen: 1, followed: 0 }],
  });
  const statuses = (only: string[], ignore: string[], everything = false): string[] =>
    coverageCells(scopedCoverage(all, { only, ignore, everything }), 'statuses').map(
      ({ operation, name }) => `${operation} ${name}`,
    );

  it.each([
    [[], ['head', '5xx'], ['getNode 200', 'getNode 404', 'getTerm 200']],
    [[], ['5xx'], ['getNode 200', 'getNode 404', 'getTerm 200']],
    [['/node/*'], ['404'], ['getNode 200', 'getNode 503']],
    [['getTerm', 'HEAD'], [], ['headNode 200', 'getTerm 200']],
    [['get*', '2xx'], [], ['getNode 200', 'getTerm 200']],
  ])('of %j without %j has exactly these cells', (only, ignore, cells) => {
    expect(statuses(only, ignore)).toEqual(cells);
  });

  it('has HEAD and what is beyond the contract where it is asked for everything', () => {
    expect(statuses(['/node/*'], ['404'], true)).toEqual(['getNode 200', 'getNode 503', 'headNode 200']);
  });

  it('counts nothing that is outside of it, and names items that match nothing', () => {
    const scoped = scopedCoverage(all, { only: [], ignore: ['5xx', 'getTerm'], everything: true });
    expect(coverageCells(scoped, 'operations').map(({ count }) => count)).toEqual([0, 0]);
    expect(scopedCoverage(all, { only: ['getTerm'], ignore: [], everything: false }).relations).toEqual([]);
    expect(unmatchedItems(all, { only: ['getNod', '4xx'], ignore: ['/nodes/*', 'head'] })).toEqual([
      'getNod',
      '/nodes/*',
    ]);
  });
});
