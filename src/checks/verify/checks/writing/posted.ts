/** Makes one record of each kind by a POST, for all the rules that only look at it and at the answer. */
import type { Answer } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { createBody, createdIn, inJson, type RecordKind, type Written } from './record-kinds.ts';

export type Posted = Written & { readonly answer: Answer };

export const createdLabel = ({ workspace }: CheckContext): string => `${workspace.label} created`;

export const posted = (context: CheckContext, kind: RecordKind): Promise<Posted> =>
  context.once(`posted ${kind.word}`, async (own) => {
    const json = await createBody(own, kind, { [kind.labelField]: [{ value: createdLabel(own) }] });
    const answer = await own.ask({ method: 'POST', path: inJson(kind.collection), as: own.maker(), json });
    return { ...createdIn(kind, answer), answer };
  });

type Run = (context: CheckContext, kind: RecordKind) => Promise<void>;

/** The steps of a rule that looks. */
export const looking =
  (look: (seen: Posted, context: CheckContext, kind: RecordKind) => void | Promise<void>): Run =>
  async (context, kind) =>
    look(await posted(context, kind), context, kind);
