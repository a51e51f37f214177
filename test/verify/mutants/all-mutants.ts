/** The table of all planted bugs. `npm run test:suite -- verify` holds `atoll verify` to it. */
import { accessMutants } from './access-mutants.ts';
import { contentMutants } from './content-mutants.ts';
import { errorMutants } from './error-mutants.ts';
import { formatMutants } from './format-mutants.ts';
import { inputMutants } from './input-mutants.ts';
import { linkMutants } from './link-mutants.ts';
import type { Mutant } from './mutant.ts';
import { patchMutants } from './patch-mutants.ts';
import { permissionMutants } from './permission-mutants.ts';
import { recordMutants } from './record-mutants.ts';
import { statusMutants } from './status-mutants.ts';
import { uploadMutants } from './upload-mutants.ts';
import { writeMutants } from './write-mutants.ts';

export const mutants: readonly Mutant[] = [
  ...statusMutants,
  ...errorMutants,
  ...recordMutants,
  ...linkMutants,
  ...accessMutants,
  ...permissionMutants,
  ...patchMutants,
  ...writeMutants,
  ...inputMutants,
  ...uploadMutants,
  ...contentMutants,
  ...formatMutants,
];
