/** docs/use/coding-agents.md: the configurations have the form of their clients, the tools are those that exist, and the task goes as printed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createGuides } from '../../src/server/server.ts';
import { loadTools } from '../../src/mcp/all-tools.ts';
import { callTool } from '../../src/mcp/call-tool.ts';
import { prompts } from '../../src/mcp/prompts.ts';
import { openSession, type OpenedSession } from './session/opened-session.ts';
import { root } from '../support/atoll.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { patternOf } from '../system/guides/guide.ts';

const allTools = await loadTools();
const page = await readFile(join(root, 'docs/use/coding-agents.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text);

type Configured = { readonly type?: string; readonly command: string; readonly args: readonly string[] };

describe('A configuration', () => {
  it('has one server, in the member that the client reads', () => {
    const read = blocks('json').map((text) => JSON.parse(text) as Record<string, Record<string, Configured>>); // compared below
    expect(read.flatMap(Object.keys)).toEqual(['mcpServers', 'servers', 'context_servers', 'mcpServers']);
    for (const servers of read.flatMap((file) => Object.values(file))) {
      expect(Object.keys(servers)).toEqual(['atoll']);
      const { command, args } = servers['atoll'] as Configured;
      expect([`${command} ${args.join(' ')}`]).toEqual([
        expect.stringMatching(/^(npx atoll|node \/\S+\/node_modules\/atoll-server\/dist\/main\.js) mcp$/),
      ]);
    }
    expect(blocks('toml')).toEqual(['[mcp_servers.atoll]\ncommand = "npx"\nargs = ["atoll", "mcp"]\n']);
  });
});

describe('The page', () => {
  it('has a row for each tool, in the order of the list', () => {
    const rows = [...page.matchAll(/^\| `([a-z_]+)` +\| .* \| (.*?) +\|$/gm)];
    expect(rows.map(([, name]) => name)).toEqual(allTools.map(({ name }) => name));
    const unchanging = rows.filter(([, , changes]) => changes?.startsWith('no')).map(([, name]) => name);
    expect(unchanging).toEqual(allTools.filter(({ hints }) => hints.readOnly).map(({ name }) => name));
  });

  it('names every prompt', () => {
    for (const { name } of prompts) expect(page).toContain(`\`${name}\``);
  });
});

describe('The task', () => {
  let server: TestServer;
  let session: OpenedSession;
  beforeAll(async () => {
    server = await startServer();
    session = openSession({
      server: Promise.resolve({ url: server.url, connection: { fetch, headers: {} } }),
      ...{ allowWrites: false, allowRemote: false, environment: {}, version: '0.0.0' },
      locations: { root, site: undefined },
      guides: createGuides(root),
    });
  });
  afterAll(async () => {
    await session.end();
    await server.stop();
  });

  it('goes as printed', async () => {
    const steps = [
      ...blocks('text')
        .join('')
        .matchAll(/^→ (\w+) (.*)\n← (.*)$/gm),
    ];
    expect(steps.length).toBeGreaterThan(7);
    for (const [, name, given = '', shown = ''] of steps) {
      const tool = allTools.find((each) => each.name === name);
      if (tool === undefined) throw new Error(`There is no tool "${String(name)}".`);
      const asked = JSON.parse(given) as Record<string, unknown>; // a call of the page
      const { content } = await callTool(tool, asked, session, new AbortController().signal);
      const answer = (content[0]?.text ?? '').replaceAll(server.url, 'http://localhost:8000');
      expect(answer).toMatch(patternOf(shown));
    }
  });
});
