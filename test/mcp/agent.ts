/** An agent for tests: the client of the SDK, connected to the tools of one session in this process. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Atoll } from '../../src/cli/entries/atoll.ts';
import { createGuides } from '../../src/server/server.ts';
import type { Fetch } from '../../src/exchange/exchange-worlds.ts';
import { createMcpServer } from '../../src/mcp/mcp-server.ts';
import { openSession, type OpeningSession } from './session/opened-session.ts';
import { preparedFile, root } from '../support/atoll.ts';

export type Answer = Readonly<Record<string, unknown>>;

export type Agent = {
  readonly client: Client;
  /** The structured answer of a tool. Throws when the tool answers an error. */
  ask(tool: string, given?: Answer): Promise<Answer>;
  /** The text of an error. Throws when the tool answers no error. */
  refused(tool: string, given?: Answer): Promise<string>;
  /** Ends the session as a client does that leaves. */
  leave(): Promise<void>;
};

/** `fetch` stands between the tools and the server. `url` is that of a world. */
export type AgentOptions = Partial<Omit<OpeningSession, 'server'>> & { readonly fetch?: Fetch; readonly url?: string };

export const connectAgent = async (
  atoll: Atoll,
  { fetch = atoll.fetch, url = atoll.url, ...options }: AgentOptions = {},
): Promise<Agent> => {
  const session = openSession({
    server: Promise.resolve({ url, connection: { fetch, headers: {} } }),
    ...{ allowWrites: false, allowRemote: false, environment: {}, version: '0.0.0', guides: createGuides(root) },
    locations: { root, prepared: await preparedFile(), site: undefined },
    ...options,
  });
  const server = createMcpServer(session);
  const client = new Client({ name: 'a test', version: '1.0.0' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here, patient)]);
  return {
    client,
    ...askingOf(client),
    leave: async () => {
      await client.close();
      await session.end();
    },
  };
};

type Result = {
  readonly isError?: boolean;
  readonly structuredContent?: Answer;
  readonly content: readonly { readonly text: string }[];
};

/** How long the client waits for an answer, in milliseconds: a busy machine is no failure. */
export const patient = { timeout: 600_000 };

/** The schemas of a tool, as an agent that wants them reads them. */
export const schemasOf = async (
  client: Client,
  tool: string,
): Promise<{ inputSchema: object; outputSchema: object }> => {
  const { contents } = await client.readResource({ uri: `atoll://tools/${tool}` }, patient);
  const [content] = contents;
  if (content === undefined || !('text' in content)) throw new Error(`${tool} has no schemas.`);
  return JSON.parse(content.text) as { inputSchema: object; outputSchema: object }; // the caller compiles it
};

const ajv = new Ajv2020({ strict: false });
const checks = new Map<string, ValidateFunction>();

/** Every answer is held to the schema of its tool. */
const answerCheckOf = async (client: Client, tool: string): Promise<ValidateFunction> => {
  const check = checks.get(tool) ?? ajv.compile((await schemasOf(client, tool)).outputSchema);
  checks.set(tool, check);
  return check;
};

/** The two ways to call a tool. */
export const askingOf = (client: Client): Pick<Agent, 'ask' | 'refused'> => {
  const call = async (name: string, given: Answer = {}): Promise<Result> =>
    (await client.callTool({ name, arguments: given }, undefined, patient)) as Result; // MCP: CallToolResult, with the text that every tool sends
  return {
    ask: async (tool, given) => {
      const { isError, structuredContent, content } = await call(tool, given);
      if (isError === true || structuredContent === undefined) throw new Error(`${tool}: ${content[0]?.text ?? ''}`);
      const isAsDescribed = await answerCheckOf(client, tool);
      if (!isAsDescribed(structuredContent)) throw new Error(`${tool}: ${JSON.stringify(isAsDescribed.errors)}`);
      return structuredContent;
    },
    refused: async (tool, given) => {
      const { isError, content } = await call(tool, given);
      if (isError !== true) throw new Error(`${tool} answered: ${content[0]?.text ?? ''}`);
      return content[0]?.text ?? '';
    },
  };
};
