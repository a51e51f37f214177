/** Where things are in the working copy. */
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../../..');

/** The built program. `before-all.mjs` makes it before a run. */
export const programFile = join(root, 'coverage/main.js');
