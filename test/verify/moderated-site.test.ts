/** `atoll verify` against a site whose records follow a workflow: what decides there is no finding. */
import { mkdtemp, rm, writeFile, cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Atoll, startAtoll } from '../../src/cli/entries/atoll.ts';
import { root } from '../support/atoll.ts';
import { editorial } from '../support/invented-sites.ts';
import { findingsIn, lineOf, verified } from './verified.ts';

const bundles = {
  ...{ node: ['islandora_object'], media: ['audio', 'file', 'image', 'video'], taxonomy_term: ['person'] },
};
/** Those that say whether a record is published, and those that see what is not. */
const only = ['sees.*', 'sequence.*', 'create.*', 'permission.field.*', 'permission.node.get.*', 'upload.*'];
let folder: string;
let atoll: Atoll;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-moderated-'));
  await cp(join(root, 'data/site'), folder, { recursive: true });
  await writeFile(join(folder, 'living.yml'), JSON.stringify({ workflows: { editorial: { ...editorial, bundles } } }));
  atoll = await startAtoll({ site: folder });
});
afterAll(async () => {
  await atoll.close();
  await rm(folder, { recursive: true });
});

describe('A run against a site whose records follow a workflow', () => {
  it('makes them published, judges drafts as such, and skips what transitions decide', async () => {
    const result = await verified(atoll.url, { site: folder, only });
    expect(findingsIn(result).map(lineOf)).toEqual([]);
    expect(result.counts.passed).toBeGreaterThan(100);
    expect(result.removal?.left).toEqual([]);
  }, 300_000);
});
