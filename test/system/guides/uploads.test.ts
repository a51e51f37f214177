/** Holds the settings of docs/use/uploading.md to those of the program. `uploads.process.ts` runs its commands. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../support/atoll.ts';
import { startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let guide: string;
beforeAll(async () => {
  server = await startServer();
  guide = await readFile(join(root, 'docs/use/uploading.md'), 'utf8');
});
afterAll(() => server.stop());

it('names the limits that a site has when it says nothing', () => {
  const [, yaml = ''] = /```yaml\n(limits:[\s\S]*?)```/.exec(guide) ?? [];
  const { limits } = parse(yaml) as { limits: { upload_bytes: number; uploads: Record<string, number> } }; // the guide's own block
  const { site } = server.world;
  expect(site.maxUploadBytes).toBe(limits.upload_bytes);
  expect(site.uploads).toEqual({
    idleSeconds: limits.uploads['idle'],
    minBytesPerSecond: limits.uploads['min_bytes_per_second'],
    maxConcurrent: limits.uploads['at_once'],
    freeBytes: limits.uploads['free_bytes'],
  });
});
