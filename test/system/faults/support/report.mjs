/** What every fault script says at its end, and how it is called: `--short`, `--control`, `--seed=n`. */

const args = process.argv.slice(2);
export const isShort = args.includes('--short');
/** The promise is broken on purpose: the script has to notice. */
export const isControl = args.includes('--control');

/** The value of `--name=value`, undefined without it. */
export const optionOf = (name) => args.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);

/** What a script chooses by chance, it chooses by this: `--seed=n`. */
export const seed = optionOf('seed') ?? '1';

/** Rounds in the long and in the short form; a control needs a few only. */
export const roundsOf = (long, short) => (isControl ? Math.min(3, short + 2) : isShort ? short : long);

const counted = { rounds: 0, acknowledged: 0, losses: [] };

export const round = () => (counted.rounds += 1);
export const acknowledged = (number) => (counted.acknowledged += number);
export const loss = (text) => counted.losses.push(text);

/** The numbers of the rounds. A control that has lost something has shown all that it can, so it has no further round. */
export function* roundNumbers(long, short) {
  const isDecided = () => isControl && counted.losses.length > 0;
  for (let number = 0; number < roundsOf(long, short) && !isDecided(); number += 1) yield number;
}

/** Counts a loss unless the condition holds. */
export const expect = (condition, text) => {
  if (!condition) loss(text);
};

/** Ends the process: 0 when nothing was lost or, for a control, when something was. */
export const finish = () => {
  const { rounds, acknowledged: writes, losses } = counted;
  for (const text of losses.slice(0, 20)) process.stdout.write(`  loss: ${text}\n`);
  const name = process.argv[1].split('/').pop();
  const form = isControl ? ' (control: losses are expected)' : '';
  process.stdout.write(
    `${name}${form}: ${rounds} rounds, ${writes} acknowledged writes, ${losses.length} losses, seed ${seed}\n`,
  );
  const isGood = writes > 0 && rounds > 0 && (isControl ? losses.length > 0 : losses.length === 0);
  process.exit(isGood ? 0 : 1);
};

/** Ends a control that has lost something: the rest of it would show nothing more. */
export const endDecided = () => {
  if (isControl && counted.losses.length > 0) finish();
};

/** Ends the process with the reason why it cannot be run here. */
export const impossible = (reason) => {
  process.stderr.write(`${process.argv[1].split('/').pop()}: CANNOT RUN: ${reason}\n`);
  process.exit(1);
};

export const requireRoot = (what) => {
  if (process.getuid?.() !== 0) impossible(`${what} needs root; run it as root.`);
};
