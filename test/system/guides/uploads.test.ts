/** Runs the commands of docs/uploading.md as they are printed, and holds its settings to the program's. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { root } from '../../support/atoll.ts';
import { startServer, type TestServer } from '../../content/uploads/server.ts';

const run = promisify(execFile);
let server: TestServer;
let guide: string;
beforeAll(async () => {
  server = await startServer(undefined, { memory: true });
  guide = await readFile(join(root, 'docs/uploading.md'), 'utf8');
});
afterAll(() => server.stop());

it('has commands that answer what the guide says', async () => {
  const blocks = [...guide.matchAll(/<!-- walk -->\n+```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(5);
  const script = blocks.map((block) => `echo; echo "=="\n${block}`).join('\n');
  const folder = await mkdtemp(join(tmpdir(), 'atoll-guide-'));
  const { stdout } = await run(
    'bash',
    ['-euo', 'pipefail', '-c', script.replaceAll('http://localhost:8000', server.url)],
    { cwd: folder },
  );
  await rm(folder, { recursive: true });
  const parts = stdout.split(/^==$/m).slice(1);
  expect(parts[0]).toMatch(/HTTP\/1\.1 201 Created[\s\S]*Location: http:\/\/\S+\/media\/\d+/);
  expect(parts[1]?.trim()).toBe('Sixty-one letters to the harbour master.');
  expect(parts[2]?.trim()).toBe('204\nSixty-two letters.');
  expect(parts[3]).toMatch(/must not contain path traversal segments[\s\S]*Invalid file extension/);
  expect(parts[4]?.trim()).toBe('Sixty-two 206\n304');
});

it('names the limits that a site has when it says nothing', () => {
  const [, yaml = ''] = /```yaml\n(limits:[\s\S]*?)```/.exec(guide) ?? [];
  const { limits } = parse(yaml) as { limits: { upload_bytes: number; uploads: Record<string, number> } }; // the guide's own block
  const { site } = server.started.world;
  expect(site.maxUploadBytes).toBe(limits.upload_bytes);
  expect(site.uploads).toEqual({
    idleSeconds: limits.uploads['idle'],
    minBytesPerSecond: limits.uploads['min_bytes_per_second'],
    atOnce: limits.uploads['at_once'],
    freeBytes: limits.uploads['free_bytes'],
  });
});
