/** Checks that a PATCH of a field that nobody may change is refused, and names the field. */
import { expectRefusal, expectThat, shown } from '../../answer.ts';
import { type Check, type CheckContext, referenceRule } from '../../check.ts';
import { changesNothing, patchRefused, sharedGuard } from './guarded.ts';
import type { RecordKind } from './record-kinds.ts';
import { writing } from './writing-check.ts';

type Protection = {
  readonly field: string;
  readonly value: (context: CheckContext) => unknown;
  readonly reason: string;
};

const protectedFields = (kind: RecordKind): readonly Protection[] => [
  { field: kind.idField, value: ({ subjects }) => subjects.absentId, reason: ' The entity ID cannot be changed.' },
  { field: 'uuid', value: () => crypto.randomUUID(), reason: ' The entity UUID cannot be changed.' },
  { field: 'changed', value: () => '2001-02-03T04:05:06+00:00', reason: '' },
  ...(kind.type === 'node'
    ? [{ field: 'revision_timestamp', value: () => '2001-02-03T04:05:06+00:00', reason: '' }]
    : []),
];

const protection = (kind: RecordKind, { field, value, reason }: Protection): Check =>
  writing({
    ...referenceRule(`patch.${kind.word}.protected.${field}`, 'a real site'),
    rule: `${kind.word}: Nobody may change "${field}": 403 with a message that names it.`,
    operations: [kind.operations.update],
    run: async (context) => {
      const answer = await patchRefused(context, kind, { [field]: [{ value: value(context) }] });
      const message = expectRefusal(answer, 403);
      const wanted = `Access denied on updating field '${field}'.${reason}`;
      expectThat(message === wanted, `The message is ${shown(message)}, not ${shown(wanted)}.`);
    },
  });

export const protectedFieldChecks = (kind: RecordKind): readonly Check[] => [
  ...protectedFields(kind).map((one) => protection(kind, one)),
  changesNothing(`patch.${kind.word}.protected`, sharedGuard(kind)),
];
