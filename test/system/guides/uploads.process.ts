/** Runs the commands of docs/use/uploading.md as they are printed. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { walkGuide } from './guide.ts';
import { startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
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
