/** The 224 recorded exchanges again: each answer is equal to the recorded one, or the difference is justified. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { differencesOf } from './compare.ts';
import { partsOf, readDifferences } from './differences.ts';
import { exchanges, observedFiles } from './exchanges.ts';
import { startReplay, type Replay } from './replay.ts';
import { given } from './states.ts';

const justified = readDifferences();
const recordings = observedFiles.map((file) => ({ file, recorded: exchanges(`observed-${file}`) }));
const counts = { equal: 0, justified: 0 };

describe.each(recordings)('$file, replayed', ({ file, recorded }) => {
  let replay: Replay;
  beforeAll(async () => {
    replay = await startReplay(recorded, given[file]);
  });
  afterAll(() => replay.close());

  const numbered = recorded.map((exchange, at) => ({ number: at + 1, label: exchange.label.trim(), exchange }));
  it.each(numbered)('$number $label is answered as it was, or differs as the table says', async (one) => {
    const answer = await replay.send(one.number);
    const differences = differencesOf(one.exchange, answer, replay.translation);
    const row = justified.find((entry) => entry.file === file && entry.number === one.number);
    if (row === undefined) {
      expect(differences).toEqual([]);
      counts.equal += 1;
    } else {
      expect(row.label).toBe(one.label);
      // Nothing else may differ, and a row that is not needed any more has to go.
      expect(partsOf(differences, answer.status)).toEqual(row.parts);
      counts.justified += 1;
    }
  });
});

describe('the table of differences', () => {
  it('names an existing exchange once, what differs, and the decision that justifies it', () => {
    const keys = justified.map(({ file, number }) => `${file} ${number}`);
    expect(new Set(keys).size).toBe(keys.length);
    const known = recordings.flatMap(({ file, recorded }) => recorded.map((_, at) => `${file} ${at + 1}`));
    expect(keys.filter((key) => !known.includes(key))).toEqual([]);
    expect(justified.filter(({ differs, because }) => differs === '' || because === '')).toEqual([]);
  });

  it('and the equal exchanges make 224 together', () => {
    process.stdout.write(`\nReplay: ${counts.equal} equal, ${counts.justified} justified.\n`);
    expect(counts.equal + counts.justified).toBe(224);
  });
});
