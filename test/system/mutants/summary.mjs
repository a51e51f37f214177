/** What a run of mutants prints. */

const oneLine = (text) => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 97)}…` : line;
};

const changeOf = ({ original, replacement }) => `${oneLine(original)} → ${oneLine(replacement)}`;

const endOf = ({ verdict, seen, related, killer, broken }) => {
  if (verdict === 'survived') return `${seen} of ${related} test files`;
  if (broken !== undefined) return 'the run broke off';
  return `${killer.file}${killer.test === undefined ? '' : `, ${killer.test}`}`;
};

/** One line: what was changed and how it ended. */
export const summaryOf = (mutant) =>
  `${String(mutant.number).padStart(3)} ${(mutant.verdict ?? 'drawn').padEnd(9)} ${mutant.file}:${mutant.line} ` +
  `${changeOf(mutant)}${mutant.verdict === undefined ? '' : ` (${endOf(mutant)}, ${mutant.seconds} s)`}`;

const verdicts = ['killed', 'timed out', 'survived'];

/** For each area how its mutants ended, then the survivors. */
export const tableOf = (mutants, { seed, leftToCompiler }) => {
  const counted = (name, rows) => [
    name,
    rows.length,
    ...verdicts.map((verdict) => rows.filter((each) => each.verdict === verdict).length),
  ];
  const areas = [...new Set(mutants.map(({ area }) => area))];
  const rows = [
    ['area', 'drawn', ...verdicts],
    ...areas.map((name) =>
      counted(
        name,
        mutants.filter(({ area }) => area === name),
      ),
    ),
    counted('all', mutants),
  ];
  const survivors = mutants.filter(({ verdict }) => verdict === 'survived');
  return [
    `Seed ${seed}; ${leftToCompiler} more changes were drawn that the compiler refuses.`,
    ...rows.map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(16) : String(cell).padStart(10))).join('')),
    ...(survivors.length === 0 ? [] : ['', 'Survivors:', ...survivors.map(summaryOf)]),
  ].join('\n');
};
