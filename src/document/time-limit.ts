/** Limits the time that a pattern of the document or a JSONPath of an overlay may take, without another thread. */
import { createContext, Script } from 'node:vm';
import { systemCode } from '../site/regular-file.ts';

/** How long a pattern that can be slow may look at one text, in milliseconds. */
export const patternMs = 50;

/** The error code of work that was ended. */
const timedOutCode = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

// Node can end a script after a time, with all that the script calls.
const context = createContext({});
const script = new Script('work()');

/** The result of the work, or `late()` when it takes longer than `ms`. The work must change nothing and not wait. */
export const withinTime = <T>(ms: number, work: () => T, late: () => T): T => {
  context['work'] = work;
  try {
    return script.runInContext(context, { timeout: ms }) as T; // what `work` returns
  } catch (error) {
    if (systemCode(error) === timedOutCode) return late();
    throw error;
  }
};
