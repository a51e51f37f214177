/** Joins the checks that write. */
import type { TargetContract } from '../../../target/contract-source.ts';
import type { Check } from '../../check.ts';
import { aftermathChecks } from './aftermath-checks.ts';
import { createChecks } from './create-checks.ts';
import { deleteChecks } from './delete-checks.ts';
import { editPathChecks } from './edit-path-checks.ts';
import { fieldChecks } from './field-checks.ts';
import { oddChecks } from './odd-values.ts';
import { patchChecks } from './patch-checks.ts';
import { requestChecks } from './request-checks.ts';
import { fileSequences } from '../uploads/file-sequences.ts';
import { memberSequences } from './member-sequences.ts';
import { orderChecks } from './order-checks.ts';
import { refusedWrites } from './refused-writes.ts';
import { standardUploadChecks } from '../uploads/standard-upload-checks.ts';
import { replaceChecks } from '../uploads/replace-checks.ts';
import { sourceChecks } from '../uploads/source-checks.ts';
import { uploadChecks } from '../uploads/upload-checks.ts';
import { uploadPlaceChecks } from '../uploads/upload-places.ts';
import { uploadRefusalChecks } from '../uploads/upload-refusals.ts';

export const writingChecks = (contract: TargetContract): readonly Check[] => [
  ...createChecks(contract),
  ...patchChecks(contract),
  ...deleteChecks(contract),
  ...aftermathChecks,
  ...requestChecks(contract),
  ...orderChecks(contract),
  ...fieldChecks(contract),
  ...oddChecks(contract),
  ...uploadChecks(contract),
  ...replaceChecks(contract),
  ...uploadPlaceChecks(contract),
  ...uploadRefusalChecks(contract),
  ...sourceChecks,
  ...standardUploadChecks,
  ...editPathChecks,
  ...refusedWrites(contract),
  ...fileSequences,
  ...memberSequences,
];
