/** The guard against silent breaks: `atoll diff` of the document against the last release's, and the entries of the changelog. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readContract } from '../../support/site-sources.ts';
import { documentChanges } from '../../document-diff/document-changes.ts';
import { root } from '../../support/atoll.ts';
import { unwritten } from './changelog.ts';
import { readReleased } from './released.ts';

const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');
const released = await readReleased();

describe('The document against the last release', () => {
  it('breaks nothing for clients that the changelog does not name under Breaking', async () => {
    const changes = documentChanges(released, await readContract(join(root, 'openapi.yaml')));
    expect(changes.length).toBeGreaterThan(0);
    const breaking = changes.filter(({ kind }) => kind === 'breaking');
    expect(unwritten(textOf('CHANGELOG.md'), breaking)).toEqual([]);
  });

  it('was kept whole', () => {
    const size = (part: unknown): number => Object.keys(part as object).length; // both are maps
    expect(size(released.paths)).toBeGreaterThan(20);
    expect(size(released.components['schemas'])).toBeGreaterThan(50);
  });
});

describe('A released document that Git does not have', () => {
  it('fails, and says what to do', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atoll-released-'));
    await writeFile(join(folder, 'released.json'), JSON.stringify({ version: '0.0.1', blob: '0'.repeat(40) }));
    await expect(readReleased(folder)).rejects.toThrow(/openapi\.yaml of 0\.0\.1, 0{40}, .*git fetch --unshallow/);
    await rm(folder, { recursive: true });
  });
});

describe('The changelog', () => {
  const breaks = [{ subject: 'getNode', place: '', change: 'is gone' }];
  const log = (entries: string): string =>
    `# Changelog\n\n## Unreleased (0.2.0)\n\n${entries}\n## 0.1.0\n\n### Breaking\n\n- \`getNode\` is new\n`;

  it.each([
    ['has no entry', log('- Something else, `getNode`\n'), ['getNode: is gone']],
    ['has an entry under another heading', log('### Added\n\n- `getNode`\n'), ['getNode: is gone']],
    ['names something else', log('### Breaking\n\n- `getNodes` is gone\n'), ['getNode: is gone']],
    ['names it', log('### Breaking\n\n- `getNode` is gone, use `getMedia`\n\n### Added\n'), []],
    ['names it last', '## Unreleased\n\n### Breaking\n\n- `getNode` is gone', []],
    ['has nothing unreleased', '## 0.1.0\n\n### Breaking\n\n- `getNode` is gone\n', ['getNode: is gone']],
  ])('%s', (_, text, missing) => {
    expect(unwritten(text, breaks)).toEqual(missing);
  });
});
