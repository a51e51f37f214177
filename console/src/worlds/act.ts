/** Runs a command of the control interface, tells its outcome, and asks everything again that it may have changed. */
import { queries } from '../api/queries.ts';
import { wordsOf } from '../api/refusal.ts';
import { say } from '../ui/toast.tsx';

/** `done` is said after a success. Returns whether it succeeded; a refusal is said in the server's words. */
export const act = async (work: () => Promise<unknown>, done: string): Promise<boolean> => {
  try {
    await work();
    say(done);
    return true;
  } catch (error) {
    say(wordsOf(error));
    return false;
  } finally {
    await queries.invalidateQueries();
  }
};
