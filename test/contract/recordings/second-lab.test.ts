/** The recorded sessions of the second lab through the twin: every answer is equal to the recorded one, or a row explains it. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Judged } from '../../twin/twin-of.ts';
import type { TestAtoll } from '../../support/atoll.ts';
import { someOf } from '../../support/long-run.ts';
import { groups, type Group } from './second-lab/groups.ts';
import { compareLab, openLab, type Compared } from './second-lab/lab.ts';
import { numbersTable, writeNumbers, writtenNumbers, type Numbers } from './second-lab/numbers.ts';

const numbers: Numbers[] = [];
/** One for each accepted write. */
const untold: (readonly string[])[] = [];
const writes = process.env['REPLAY_NUMBERS'] === 'write';
const named = process.env['GROUP'] ?? (writes ? '' : undefined);
// `npm test` asks all of them in `expected/recordings.test.ts`, without the twin.
const wanted = named === undefined ? someOf(groups) : groups.filter((group) => group.includes(named));

/** How an exchange went. */
const classOf = (differences: readonly Judged[] | undefined): 'leftOut' | 'equal' | 'explained' | 'unexplained' => {
  if (differences === undefined) return 'leftOut';
  if (differences.length === 0) return 'equal';
  return differences.every((one) => one.class === 'explained') ? 'explained' : 'unexplained';
};

/** What follows from something before it, or from how it was recorded: number of the exchange and place. */
const consequences: Readonly<Partial<Record<Group, readonly string[]>>> = {
  // The title has a line break, at which the line ended.
  'deletes-dangling-links': ['312 /headers/Link'],
  // The real site kept the backslashes in a name of 29, and Atoll called that file a_3.png.
  'standard-file-upload': [44, 49].flatMap((number) =>
    ['filename/0/value', 'uri/0/value', 'uri/0/url'].map((place) => `${number} /body/${place}`),
  ),
};

const newIn = ({ recorded: { number, label, request }, differences = [] }: Compared): readonly string[] =>
  differences
    .filter((one) => one.class === 'new')
    .map(
      ({ place, target, atoll, detail }) =>
        `${number} ${place} ${label}: ${request.method} ${request.path} ${JSON.stringify({ target, atoll, detail })}`,
    );

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await openLab();
});

describe.each(wanted)('The recorded group %s', (group) => {
  it('is answered as it was, or differs as data/differences.yml says', async () => {
    const all = await compareLab(atoll, group);
    const compared = all.filter(({ recorded }) => !recorded.prepares);
    const counts = { equal: 0, explained: 0, unexplained: 0, leftOut: 0 };
    for (const { differences } of compared) counts[classOf(differences)] += 1;
    numbers.push({ group, ...counts });
    untold.push(...all.flatMap((one) => (one.untold === undefined ? [] : [one.untold])));
    const isKnown = (line: string): boolean => !!consequences[group]?.some((known) => line.startsWith(`${known} `));
    const lines = compared.flatMap(newIn);
    expect(lines.filter((line) => !isKnown(line))).toEqual([]);
    expect(lines.filter(isKnown)).toHaveLength(consequences[group]?.length ?? 0);
  }, 120_000);
});

describe('Every accepted write of the recordings', () => {
  it('stores each member as it was sent, or advises of it', () => {
    expect(untold.flat()).toEqual([]);
    if (wanted.length === groups.length) expect(untold).toHaveLength(695);
  });
});

describe('The numbers in docs/use/differences.md', () => {
  // `REPLAY_NUMBERS=write` writes them.
  it('are those of this run', () => {
    if (wanted.length < groups.length) return;
    if (writes) writeNumbers(numbersTable(numbers));
    expect(writtenNumbers()).toBe(numbersTable(numbers));
  });
});
