/** Checks that a PATCH of a field that nobody may change is refused, and names the field. */
import { expectRefusal, expectSame } from '../../answer.ts';
import { type Check, referenceRule } from '../../check.ts';
import { changesNothing, patchRefused, sharedGuard } from './guarded.ts';
import type { RecordKind } from './record-kinds.ts';
import { kindChecks } from './writing-check.ts';

type Protection = readonly [field: string, value: string | number, reason: string];

const early = '2001-02-03T04:05:06+00:00';
const otherUuid = '5b0f4ac5-7d0f-4b39-8e7c-6f2f2b2f4a55';

const protectedFields = ({ idField, type }: RecordKind): readonly Protection[] => [
  [idField, 1_999_999_873, ' The entity ID cannot be changed.'],
  ['uuid', otherUuid, ' The entity UUID cannot be changed.'],
  ['changed', early, ''],
  ...(type === 'node' ? [['revision_timestamp', early, ''] as const] : []),
];

export const protectedFieldChecks = (kind: RecordKind): readonly Check[] => [
  ...kindChecks(
    'patch',
    kind,
    protectedFields(kind).map(([field, value, reason]) => ({
      ...referenceRule(`protected.${field}`, 'a real site'),
      rule: `Nobody may change "${field}": 403 with a message that names it.`,
      run: async (context) => {
        const message = expectRefusal(await patchRefused(context, kind, { [field]: [{ value }] }), 403);
        expectSame(message, `Access denied on updating field '${field}'.${reason}`, 'The message');
      },
    })),
    [kind.operations.update],
  ),
  changesNothing(`patch.${kind.word}.protected`, sharedGuard(kind)),
];
