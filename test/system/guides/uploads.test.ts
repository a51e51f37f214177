/** Runs the commands of docs/use/uploading.md as they are printed, and holds its settings to the program's. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../support/atoll.ts';
import { walkGuide } from './guide.ts';
import { startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let guide: string;
beforeAll(async () => {
  server = await startServer();
  guide = await readFile(join(root, 'docs/use/uploading.md'), 'utf8');
});
afterAll(() => server.stop());

it('has commands that answer what the guide says', async () => {
  const parts = await walkGuide('docs/use/uploading.md', server.url);
  expect(parts).toHaveLength(5);
  expect(parts[0]).toMatch(/HTTP\/1\.1 201 Created[\s\S]*Location: http:\/\/\S+\/media\/\d+/);
  expect(parts[1]?.trim()).toBe('Sixty-one letters to the harbour master.');
  expect(parts[2]?.trim()).toBe('204\nSixty-two letters.');
  expect(parts[3]).toMatch(/must not contain path traversal segments[\s\S]*Invalid file extension/);
  expect(parts[4]?.trim()).toBe('Sixty-two 206\n304');
});

it('names the limits that a site has when it says nothing', () => {
  const [, yaml = ''] = /```yaml\n(limits:[\s\S]*?)```/.exec(guide) ?? [];
  const { limits } = parse(yaml) as { limits: { upload_bytes: number; uploads: Record<string, number> } }; // the guide's own block
  const { site } = server.world;
  expect(site.maxUploadBytes).toBe(limits.upload_bytes);
  expect(site.uploads).toEqual({
    idleSeconds: limits.uploads['idle'],
    minBytesPerSecond: limits.uploads['min_bytes_per_second'],
    atOnce: limits.uploads['at_once'],
    freeBytes: limits.uploads['free_bytes'],
  });
});
