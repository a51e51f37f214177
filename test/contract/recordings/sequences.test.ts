/** The recorded groups of the second lab, each as one sequence: every answer is equal to the recorded one, or explained. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { documentedDifferences, explain, readExplanations } from './second-lab/explanations.ts';
import { groups } from './second-lab/groups.ts';
import { numbersTable, writeNumbers, writtenNumbers, type Numbers } from './second-lab/numbers.ts';
import { openLab, type Lab } from './second-lab/sequence.ts';
import { show } from './second-lab/show.ts';

const explanations = readExplanations();
const used = new Set<string>();
const numbers: Numbers[] = [];
const wanted = groups.filter((group) => group.includes(process.env['GROUP'] ?? ''));

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

describe.each(wanted)('The recorded group %s', (group) => {
  it('is answered as it was, or differs as the table of explanations says', async () => {
    const { compared, leftOut } = await lab.run(group);
    const judged = compared.map((one) => ({ ...one, ...explain(one, explanations) }));
    for (const one of judged) for (const pattern of one.used) used.add(pattern);
    const unexplained = judged.filter(({ open }) => open.length > 0);
    const equal = compared.filter(({ differences }) => differences.length === 0).length;
    const explained = compared.length - equal - unexplained.length;
    numbers.push({ group, equal, explained, unexplained: unexplained.length, leftOut });
    show(group, judged);
    expect(unexplained.map(({ exchange, open }) => `${exchange.number} ${exchange.label}: ${open[0]}`)).toEqual([]);
  }, 300_000);
});

describe('Every accepted write of the recordings', () => {
  it('stores each member as it was sent, or advises of it', () => {
    expect(lab.untold).toEqual([]);
  });
});

describe('The table of explanations', () => {
  it('names rows of docs/use/differences.md only', () => {
    expect(explanations.map(({ row }) => row.leans).filter((row) => !documentedDifferences().includes(row))).toEqual(
      [],
    );
  });

  it('has no row and no pattern that no exchange needs', () => {
    const all = explanations.flatMap(({ row, number }) => row.differs.map((pattern) => `${number} ${pattern}`));
    expect(wanted.length < groups.length ? [] : all.filter((pattern) => !used.has(pattern))).toEqual([]);
  });
});

describe('The numbers in docs/use/differences.md', () => {
  // `REPLAY_NUMBERS=write` writes them anew.
  it('are those of this run', () => {
    if (wanted.length < groups.length) return;
    if (process.env['REPLAY_NUMBERS'] === 'write') writeNumbers(numbersTable(numbers));
    expect(writtenNumbers()).toBe(numbersTable(numbers));
  });
});
