/** Joins the checks of authentication and permissions. */
import type { TargetContract } from '../../../target/contract-source.ts';
import type { Check } from '../../check.ts';
import { basicChecks } from './basic-checks.ts';
import { filePermissionChecks } from './file-permission-checks.ts';
import { keptFieldChecks } from './kept-field-checks.ts';
import { loginChecks } from './login-checks.ts';
import { permissionChecks } from './permission-checks.ts';
import { providerChecks } from './provider-checks.ts';
import { sessionChecks } from './session-checks.ts';
import { tokenChecks } from './token-checks.ts';

export const accessChecks = (contract: TargetContract): readonly Check[] => [
  ...basicChecks(),
  ...tokenChecks(contract.site.accounts.filter(({ active }) => active).map(({ name }) => name)),
  ...sessionChecks(),
  ...loginChecks(),
  ...providerChecks(contract),
  ...permissionChecks(contract),
  ...filePermissionChecks(contract),
  ...keptFieldChecks(contract),
];
