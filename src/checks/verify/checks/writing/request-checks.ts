/** Checks of requests that are refused before anything is read: format, media type, body, bundle. */
import type { TargetContract } from '../../../target/contract-source.ts';
import { expectRefusalThatSays } from '../../answer.ts';
import type { Answer } from '../../answer.ts';
import type { AskedRequest, Check, CheckContext } from '../../check.ts';
import { dealt } from '../../dealt.ts';
import { askRefused, changesNothing, sharedGuard } from './guarded.ts';
import { createBody, mainKinds, patchBody, type RecordKind } from './record-kinds.ts';
import { leftOut, messageFor, postFaults, requestFaults, type RequestFault } from './request-faults.ts';
import { writing } from './writing-check.ts';

type Method = 'POST' | 'PATCH';

/** Sends the fault in a body that would be right. A PATCH is one of the record that no refused request may change. */
const send = async (context: CheckContext, kind: RecordKind, method: Method, fault: RequestFault): Promise<Answer> => {
  const label = { [kind.labelField]: [{ value: `${context.workspace.label} must not be` }] };
  const right = method === 'POST' ? await createBody(context, kind) : patchBody(kind, label);
  const { query = '_format=json', ...sent } = fault[4](right, kind, context);
  const request = (path: string): AskedRequest => ({
    ...{ method, path: `${path}?${query}`, as: context.maker(), ...sent },
  });
  return method === 'POST'
    ? context.ask(request(kind.collection))
    : askRefused(context, sharedGuard(kind), (path) => request(path));
};

const faultCheck =
  (kind: RecordKind, method: Method) =>
  (fault: RequestFault): Check => {
    const [name, words, status, head] = fault;
    const { create, update } = kind.operations;
    return writing({
      ...{ ...head, name: `request.${method.toLowerCase()}.${kind.word}.${name}` },
      rule: `A ${method} of a ${kind.word} ${words} is refused with ${status}.`,
      operations: [method === 'POST' ? create : update],
      run: async (context) =>
        expectRefusalThatSays(await send(context, kind, method, fault), status, messageFor(fault, kind)),
    });
  };

export const requestChecks = (contract: TargetContract): readonly Check[] =>
  mainKinds(contract).flatMap((kind, at, kinds) => [
    ...[...dealt([...requestFaults, ...postFaults], at, kinds.length), ...leftOut(kind)].map(faultCheck(kind, 'POST')),
    ...dealt(requestFaults, at, kinds.length).map(faultCheck(kind, 'PATCH')),
    changesNothing(`request.patch.${kind.word}`, sharedGuard(kind)),
  ]);
