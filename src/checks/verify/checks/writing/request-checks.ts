/** Checks of requests that are refused before anything is read: format, media type, body, bundle. */
import type { TargetContract } from '../../../target/contract-source.ts';
import { expectRefusal, expectThat, shown } from '../../answer.ts';
import type { AskedRequest, Check } from '../../check.ts';
import { dealt } from '../../dealt.ts';
import { askRefused, changesNothing, sharedGuard } from './guarded.ts';
import { createBody, mainKinds, patchBody, type RecordKind } from './record-kinds.ts';
import { leftOut, requestFaults, type RequestFault, type SentFault } from './request-faults.ts';
import { writing } from './writing-check.ts';

const request = (
  path: string,
  { query = '_format=json', ...sent }: SentFault,
): Pick<AskedRequest, 'path'> & SentFault => ({
  path: `${path}?${query}`,
  ...sent,
});

const expectMessage = (message: string, fault: RequestFault, kind: RecordKind): void => {
  const wanted = fault.message?.(kind);
  expectThat(
    wanted === undefined || message.includes(wanted),
    `The message is ${shown(message)}, not ${shown(wanted)}.`,
  );
};

const postCheck = (kind: RecordKind, fault: RequestFault): Check =>
  writing({
    name: `request.post.${kind.word}.${fault.name}`,
    rule: `A POST of a ${kind.word} ${fault.words} is refused with ${fault.status}.`,
    ...{ source: fault.source, severity: fault.severity, operations: [kind.operations.create] },
    run: async (context) => {
      const sent = fault.sent(await createBody(context, kind), kind, context);
      const asked = { method: 'POST', as: context.maker(), ...request(kind.collection, sent) };
      expectMessage(expectRefusal(await context.ask(asked), fault.status), fault, kind);
    },
  });

const patchCheck = (kind: RecordKind, fault: RequestFault): Check =>
  writing({
    name: `request.patch.${kind.word}.${fault.name}`,
    rule: `A PATCH of a ${kind.word} ${fault.words} is refused with ${fault.status}.`,
    ...{ source: fault.source, severity: fault.severity, operations: [kind.operations.update] },
    run: async (context) => {
      const body = patchBody(kind, { [kind.labelField]: [{ value: `${context.workspace.label} must not be` }] });
      const sent = fault.sent(body, kind, context);
      const answer = await askRefused(context, sharedGuard(kind), (path) => ({
        ...{ method: 'PATCH', as: context.maker(), ...request(path, sent) },
      }));
      expectMessage(expectRefusal(answer, fault.status), fault, kind);
    },
  });

const patchFaults = requestFaults.filter(({ isOfPost }) => isOfPost !== true);

export const requestChecks = (contract: TargetContract): readonly Check[] =>
  mainKinds(contract).flatMap((kind, at, kinds) => [
    ...[...dealt(requestFaults, at, kinds.length), ...leftOut(kind)].map((fault) => postCheck(kind, fault)),
    ...dealt(patchFaults, at, kinds.length).map((fault) => patchCheck(kind, fault)),
    changesNothing(`request.patch.${kind.word}`, sharedGuard(kind)),
  ]);
