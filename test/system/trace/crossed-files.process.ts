/** How many files a request crosses: what a reader must hold in mind. The budgets fall, they never rise. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { root } from '../../support/atoll.ts';

/**
 * Files of `src` and `handlers` that one warm request may cross, on disk, by an editor with Basic. The files of the field types count as one: they
 * have the same form, and who follows a request reads that of the field in question. So do those of `src/openapi`: a reader knows what it is asked
 * by a sentence at its door, as with a library.
 */
const budgets = { 'GET kept': 31, 'GET made again': 60, 'POST 201': 77, 'POST 422': 49, 'PUT 201': 79 } as const;

describe('A request', () => {
  it('crosses no more files than its kind may', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'test/system/trace/trace.mjs')], {
      env: { ...process.env, NODE_OPTIONS: '' },
      maxBuffer: 1 << 24,
    });
    const crossed = JSON.parse(stdout) as Record<keyof typeof budgets, readonly string[]>; // what trace.mjs prints
    expect(Object.keys(crossed)).toEqual(Object.keys(budgets));
    for (const [kind, budget] of Object.entries(budgets)) {
      const files = crossed[kind as keyof typeof budgets];
      expect(files).toContain('src/repository/engine/engine.ts');
      const asOne = ['src/repository/fields/types/', 'src/openapi/'].map((folder) =>
        files.filter((file) => file.startsWith(folder)),
      );
      const count = asOne.reduce((sum, { length }) => sum - Math.max(0, length - 1), files.length);
      expect([kind, count <= budget ? 'within its budget' : files]).toEqual([kind, 'within its budget']);
    }
  });
});
