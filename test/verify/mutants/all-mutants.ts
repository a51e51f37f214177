/** The table of all planted bugs. `npm run test:suite -- verify` holds `atoll verify` to it. */
import { answerMutants } from './answer-mutants.ts';
import type { Mutant } from './mutant.ts';
import { readMutants } from './read-mutants.ts';
import { writeMutants } from './write-mutants.ts';

export const mutants: readonly Mutant[] = [...answerMutants, ...readMutants, ...writeMutants];
