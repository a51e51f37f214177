/** Changes the account that asks, and tells the outcome. */
import { actAs, type Acting } from '../api/acting.ts';
import { contentHasChanged } from '../api/queries.ts';
import { wordsOf } from '../api/refusal.ts';
import { say } from './toast.tsx';

/** `undefined` is a visitor. A refusal is shown in the server's words; then the console asks as a visitor. */
export const changeAccount = async (next: Acting): Promise<void> => {
  try {
    await actAs(next);
    say(next === undefined ? 'You are signed out.' : `Signed in as ${next.name}, with a ${next.scheme}.`);
  } catch (error) {
    say(wordsOf(error));
  }
  await contentHasChanged();
};
