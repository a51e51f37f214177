/** Counts the calls of scrypt, so that a test need not measure how long they take. */
import { createHook } from 'node:async_hooks';

/** The number of scrypt calls (RFC 7914) that begin in this process while the work goes on. */
export const scryptCallsIn = async (work: () => Promise<unknown>): Promise<number> => {
  let calls = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'SCRYPTREQUEST') calls += 1;
    },
  });
  hook.enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return calls;
};
