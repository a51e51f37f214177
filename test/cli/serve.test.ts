/**
 * The built program, started once, with some of its commands: the one file of `npm test` that starts it. What it prints, keeps
 * and how it ends is in `serve.process.ts`.
 */

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { parse } from 'yaml';
import { run, type RunningProgram, startProgram } from '../support/program.ts';

jest.setTimeout(30_000);

describe('a server in memory', () => {
  let program: RunningProgram;
  beforeAll(async () => {
    program = await startProgram(['--memory', '--check-replies', 'fail']);
  });
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
  });

  it('listens on both loopback families, on the port that it names', async () => {
    const { port, hostname } = new URL(program.url);
    expect(hostname).toBe('localhost');
    const hosts = [`http://127.0.0.1:${port}`, `http://[::1]:${port}`, program.url];
    const answers = await Promise.all(hosts.map((host) => fetch(`${host}/node/1?_format=json`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    // Links always come from the configured address, not from the one asked.
    for (const { headers } of answers) expect(headers.get('link')).toContain(`<${program.url}/node/1`);
  });

  it('serves its document as JSON and as YAML, the same one', async () => {
    const [asJson, asYaml] = await Promise.all(
      ['json', 'yaml'].map(async (kind) => {
        const response = await fetch(`${program.url}/openapi.${kind}`);
        expect([response.status, response.headers.get('content-type')]).toEqual([200, `application/${kind}`]);
        return response.text();
      }),
    );
    const document = JSON.parse(asJson ?? '') as { openapi: string; servers: unknown }; // compared below
    expect(document.openapi).toMatch(/^3\.1/);
    expect(JSON.stringify(document.servers)).toContain(program.url);
    expect(parse(asYaml ?? '')).toEqual(document);
  });

  it('leads a browser to the console, which is a page whether it is built or not', async () => {
    const headers = { Accept: 'text/html' };
    const led = await fetch(`${program.url}/`, { headers, redirect: 'manual' });
    expect([led.status, led.headers.get('location')]).toEqual([302, '/_atoll/']);
    const page = await fetch(`${program.url}/`, { headers });
    expect([page.url, page.headers.get('content-type')]).toEqual([
      `${program.url}/_atoll/`,
      'text/html; charset=UTF-8',
    ]);
    expect([200, 503]).toContain(page.status);
    expect((await fetch(`${program.url}/`, { method: 'HEAD' })).status).toBe(200);
  });

  type Page = { total: number; page: number; pages: number; entities: { id: number; title: string; type: string }[] };
  const list = async (query: string): Promise<Page> => {
    const response = await fetch(`${program.url}/_atoll/entities?${query}`);
    expect(response.status).toBe(200);
    return (await response.json()) as Page; // checked against its document by the engine
  };

  it('lists what is stored, 50 to a page, by type and bundle', async () => {
    const nodes = await list('type=node');
    expect([nodes.total, nodes.pages, nodes.entities.length]).toEqual([30, 1, 30]);
    const [first, second] = [await list('type=file&page=0'), await list('type=file&page=1')];
    expect([first.total, first.pages, first.entities.length, second.entities.length]).toEqual([66, 2, 50, 16]);
    expect(second.entities[0]?.id).toBe(51);
    expect((await list('type=file&page=9')).entities).toEqual([]);
    const videos = await list('type=media&bundle=video');
    expect(videos.total).toBe(4);
    for (const query of ['type=nonsense', 'page=-1', 'page=x']) {
      expect([query, (await fetch(`${program.url}/_atoll/entities?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('is listed by `atoll ls`, and gives a token to `atoll token`', async () => {
    const [plain, lined, token] = await Promise.all([
      run(['ls', 'node', '--url', program.url]),
      run(['ls', 'file', '--url', program.url, '--json']),
      run(['token', 'editor', '--url', program.url]),
    ]);
    expect([plain.code, lined.code, token.code]).toEqual([0, 0, 0]);
    expect(plain.out).toMatch(/^ +1 {2}islandora_object {2}Collection {2}Saltmarsh Quay Local History Archive$/m);
    expect(plain.out).toMatch(/^ +11 .*\(unpublished\)/m);
    const rows = lined.out.trim().split('\n');
    expect(rows).toHaveLength(66);
    expect(JSON.parse(rows[65] ?? '')).toMatchObject({ type: 'file', id: 66 });
    const headers = { Authorization: `Bearer ${token.out.trim()}` };
    expect((await fetch(`${program.url}/media/1?_format=json`, { headers })).status).toBe(200);
    const wrong = await run(['token', 'editor', '--url', program.url, '--password', 'wrong']);
    expect([wrong.code, wrong.out]).toEqual([2, '']);
  });
});
