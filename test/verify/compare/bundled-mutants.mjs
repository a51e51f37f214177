/** The planted bugs and their server for a script: bundled, because Node 20 reads no TypeScript. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleModule } from '../../../scripts/bundle.mjs';

export const root = join(import.meta.dirname, '../../..');
/** Git ignores it. */
export const work = join(root, 'coverage/compare');

/** Resolves with what `planted-bugs.ts` exports. */
export const loadMutants = async () => {
  const outfile = join(work, `mutants-${process.pid}.mjs`);
  await bundleModule(join(root, 'test/verify/compare/planted-bugs.ts'), outfile);
  try {
    return await import(outfile);
  } finally {
    await rm(outfile);
  }
};
