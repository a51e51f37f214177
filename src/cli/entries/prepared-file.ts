/** Names the file of the prepared sources, which the build puts next to the program. Tests have theirs: `test/support/shared-modules/typescript.mjs`. */
import { fileURLToPath } from 'node:url';

export const prepared = fileURLToPath(new URL('./prepared.json', import.meta.url));
