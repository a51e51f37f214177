/** Sends requests that must be refused for one record, and reads once what all of them together have changed: nothing. */
import { type Answer, CheckFailure, CheckSkip } from '../../answer.ts';
import type { AskedRequest, CheckContext } from '../../check.ts';
import { differingFields, type JsonRecord } from '../../record-members.ts';
import { inJson, patchBody, readBack, type RecordKind, sharedWritten } from './record-kinds.ts';
import { contractRule, sources, type Rule } from '../../rule.ts';

/** What requests are refused for. */
export type Guard = {
  /** Unique among the guards of a run. */
  readonly name: string;
  /** In words. */
  readonly what: string;
  readonly operations: readonly string[];
  readonly find: (context: CheckContext) => Promise<{ readonly path: string }>;
  /** What must stay as it is. */
  readonly look: (context: CheckContext, path: string) => Promise<JsonRecord>;
};

type Guarded = { readonly path: string; readonly before: JsonRecord; readonly refused: AskedRequest[] };

export const keyOf = ({ name }: Guard): string => `guard ${name}`;

const guardedOf = (context: CheckContext, guard: Guard): Promise<Guarded> =>
  context.once(keyOf(guard), async (own) => {
    const { path } = await guard.find(own);
    return { path, before: await guard.look(own, path), refused: [] };
  });

export const askRefused = async (
  context: CheckContext,
  guard: Guard,
  request: (path: string) => AskedRequest,
): Promise<Answer> => {
  const { path, refused } = await guardedOf(context, guard);
  const asked = request(path);
  refused.push(asked);
  return context.ask(asked);
};

/** Throws, with the first of the requests that changes it each time. */
const blame = async (context: CheckContext, guard: Guard, { path, refused }: Guarded): Promise<void> => {
  for (const request of refused) {
    const before = await guard.look(context, path);
    const { status } = await context.ask(request);
    const changed = differingFields(before, await guard.look(context, path));
    if (changed.length === 0) continue;
    const sent = JSON.stringify(request.json ?? request.body ?? '').slice(0, 200);
    throw new CheckFailure(
      `${request.method ?? 'GET'} ${request.path} with ${sent} answered ${status} and has changed ${changed.join(', ')}.`,
    );
  }
};

/** It comes behind the rules whose names begin as its own does. */
export const changesNothing = (name: string, guard: Guard): Rule =>
  contractRule(name, sources.errors)(
    `Refused requests change nothing: ${guard.what} is as it was before all of them.`,
    async (context) => {
      const guarded = await guardedOf(context, guard);
      if (guarded.refused.length === 0) throw new CheckSkip('No request was refused.');
      context.again(keyOf(guard));
      const changed = differingFields(guarded.before, await guard.look(context, guarded.path));
      if (changed.length === 0) return;
      await blame(context, guard, guarded);
      throw new CheckFailure(`The refused requests have changed ${changed.join(', ')}.`);
    },
    { also: guard.operations },
  );

const lookAtRecord: Guard['look'] = (context, path) => readBack(context, { path });

/** The record of a kind that all refused requests share. */
export const sharedGuard = (kind: RecordKind): Guard => ({
  name: `${kind.word} ${kind.bundle.id}`,
  what: `the ${kind.word} of ${kind.bundle.id}`,
  operations: [kind.operations.update, kind.operations.read],
  find: (context) => sharedWritten(context, kind),
  look: lookAtRecord,
});

/** A PATCH of that record. */
export const patchRefused = (context: CheckContext, kind: RecordKind, fields: JsonRecord): Promise<Answer> =>
  askRefused(context, sharedGuard(kind), (path) => ({
    ...{ method: 'PATCH', path: inJson(path), as: context.maker(), json: patchBody(kind, fields) },
  }));
