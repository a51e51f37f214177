/** Signs in the accounts of a run, and learns the secrets that this brings. */
import type { Redaction } from '../../exchange/exchange.ts';
import { type Sender, createSignIns, SignInRefusal, type SignIns } from '../../exchange/exchange-target.ts';
import { CheckFailure, CheckSkip } from './answer.ts';

/** Throws a `CheckSkip` for an account without what the provider needs, a `CheckFailure` when the target refuses it. */
export const createCredentials = (sender: Sender, redaction: Redaction): SignIns => {
  const signIns = createSignIns({
    baseUrl: sender.baseUrl,
    ask: async (request) => {
      const answered = await sender.send(request);
      redaction.learn(answered);
      return answered.reply;
    },
  });
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
