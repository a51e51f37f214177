/** The guard against silent breaks: `atoll diff` of the document against the last release's, and the entries of the changelog. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { diffDocuments } from '../../../src/document-diff/diff-documents.ts';
import { root } from '../../support/atoll.ts';
import { unwritten } from './changelog.ts';

const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');
const documentOf = (name: string): Record<string, unknown> => parse(textOf(name)) as Record<string, unknown>; // test/document/openapi.test.ts validates it
const released = documentOf('test/contract/breaking/released.openapi.yaml');

describe('The document against the last release', () => {
  it('breaks nothing for clients that the changelog does not name under Breaking', () => {
    const changes = diffDocuments(released, documentOf('openapi.yaml'));
    expect(changes.length).toBeGreaterThan(0);
    const breaking = changes.filter(({ kind }) => kind === 'breaking');
    expect(unwritten(textOf('CHANGELOG.md'), breaking)).toEqual([]);
  });

  it('was kept whole', () => {
    const size = (part: unknown): number => Object.keys(part as object).length; // both are maps
    expect(size(released['paths'])).toBeGreaterThan(20);
    expect(size((released['components'] as Record<string, unknown>)['schemas'])).toBeGreaterThan(50);
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
