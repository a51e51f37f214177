/** Signs in the accounts of a run, and learns the secrets that this brings. */
import type { Redaction } from '../../exchange/redaction/redaction.ts';
import type { Sender } from '../../exchange/send.ts';
import { createSignIns, exchangeOver, SignInRefusal, type SignIns } from '../../exchange/session.ts';
import { CheckFailure, CheckSkip } from './answer.ts';

/** Throws a `CheckSkip` for an account without what the provider needs, a `CheckFailure` when the target refuses it. */
export const createCredentials = (sender: Sender, redaction: Redaction): SignIns => {
  const exchange = exchangeOver(sender.baseUrl, async (request) => {
    const answered = await sender.send(request);
    redaction.learn(answered);
    return answered.reply;
  });
  const signIns = createSignIns(exchange);
  return {
    ...signIns,
    linesFor: (account, by, method) =>
      signIns.linesFor(account, by, method).catch((error: unknown) => {
        if (!(error instanceof SignInRefusal)) throw error;
        // A site without the module that issues tokens has no such path.
        const isUnknown = error.status === undefined || (by === 'bearer' && error.status === 404);
        throw isUnknown ? new CheckSkip(error.message) : new CheckFailure(error.message);
      }),
  };
};
