/** Holds docs/use/not-emulated.md to the code that it is made from. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { root } from '../../support/atoll.ts';

const run = promisify(execFile);

it('is what the code says', async () => {
  const { stderr } = await run(process.execPath, ['scripts/generate-docs.mjs', '--check'], { cwd: root });
  expect(stderr).toBe('');
});

it('has every mark of a guess that a plain search finds', async () => {
  const pattern = String.raw`(//|\*|#).*\bopen: `;
  const places = ['src', 'handlers', 'data/site', 'data/sites', 'openapi.yaml'];
  const { stdout } = await run('grep', ['-rhE', pattern, ...places], { cwd: root });
  const marks = stdout.trim().split('\n');
  const page = await readFile(join(root, 'docs/use/not-emulated.md'), 'utf8');
  expect(marks.length).toBeGreaterThan(5);
  expect(page.match(/^\| `(src|handlers|data|openapi)/gm)).toHaveLength(marks.length);
});
