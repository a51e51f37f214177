/** `docs/inside/node-versions.md` names the versions that are pinned and tested. Run under each of them by `npm run test:suite -- nodes`. */
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/atoll.ts';

type Manifest = Record<
  'devDependencies' | 'dependencies' | 'overrides' | 'engines',
  Record<string, string> | undefined
>;
const manifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest; // ours

const page = readFileSync(join(root, 'docs/inside/node-versions.md'), 'utf8');
const rows = [...page.matchAll(/^\| `([^`]+)`(?: \(in `([^`]+)`\))? +\| ([^|]+?) +\|/gm)];

describe('The page on versions of Node', () => {
  it('names packages at the versions at which they are pinned', () => {
    expect(rows.length).toBeGreaterThanOrEqual(7);
    for (const [, name = '', folder = '.', version] of rows) {
      const { dependencies, devDependencies, overrides } = manifest(
        folder === 'examples/' ? 'examples/vitest' : folder,
      );
      expect([name, { ...dependencies, ...devDependencies, ...overrides }[name]]).toEqual([name, version]);
    }
  });

  it('names the lines on which the tests are run, the lowest of them the floor', () => {
    const runner = readFileSync(join(root, 'test/system/nodes/run.mjs'), 'utf8');
    const lines = [...runner.matchAll(/'(\d+)\.\d+\.\d+'/g)].map(([, line]) => line);
    expect(page).toContain(`the newest of ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`);
    expect(manifest('.').engines?.['node']).toBe('>=20.20');
    expect(lines).toContain(process.versions.node.split('.')[0]);
  });
});
