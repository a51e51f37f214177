/** `atoll mcp`: tools for coding agents, over standard input and output. `mcp/` has the tools. */
import { given } from '../../basics/json.ts';
import { Option, type Command } from 'commander';
import { isLoopbackUrl } from '../../basics/formats/loopback.ts';
import type { InProcessOptions } from '../entries/in-process-atoll.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { createGuides, port, readVersion } from '../../server/server.ts';
import type { JoinedServer } from '../../mcp/mcp.ts';
import type { CommandContext, Rim } from '../command-context.ts';
import { errorLine } from '../error-line.ts';
import { exitCodeOf, exitCodes } from '../exit-codes.ts';
import { parserOf } from '../options/option-parsers.ts';
import { refuseContradictions } from '../options/start-options.ts';
import { readServerUrl } from '../remote/server-connection.ts';
import { addDrupalOptions, importSourceOf, type DrupalOptions } from '../options/drupal-options.ts';
import { repeated } from '../../basics/options/option-kinds.ts';

type McpOptions = DrupalOptions & {
  readonly url?: string;
  readonly controlToken?: string;
  readonly allowWrites?: boolean;
  readonly allowRemote?: boolean;
  readonly port?: number;
  readonly site?: string;
  readonly fixture?: string;
  readonly seed?: string;
  readonly overlay?: readonly string[];
};

export const addMcp = (program: Command, context: CommandContext): void => {
  const command = program
    .command('mcp')
    .description('Serve coding agents by the Model Context Protocol, over standard input and output.')
    .addOption(
      new Option('--url <url>', 'join this running server (default: start one in memory)').argParser(readServerUrl),
    )
    .addOption(new Option('--control-token <token>', 'the token of its control interface').env('ATOLL_CONTROL_TOKEN'))
    .option('--allow-writes', 'let agents change the main world, and write files (default: only worlds of their own)')
    .option('--allow-remote', 'let agents ask servers on other machines, by --url and by tools')
    .option('--port <number>', 'the port of the server that is started (default: any free one)', parserOf(port))
    .option('--site <name|dir>', 'its site: starter-site, or a directory (default: the built-in site)')
    .option('--fixture <name|path>', 'its first content, as for serve')
    .option('--seed <text>', 'a seed: the same requests give the same uuids')
    .option('--overlay <file>', 'an OpenAPI Overlay over its document; may be repeated', parserOf(repeated('<file>')));
  addDrupalOptions(command).action((options: McpOptions) => {
    refuseContradictions(command);
    return serveAgents(options, context);
  });
};

/** Resolves when standard input has ended, or at a signal, with everything stopped. */
const serveAgents = async (options: McpOptions, context: CommandContext): Promise<void> => {
  refuseUseless(options);
  const opening = openServer(options, context);
  // The server starts while the protocol is loaded. A failure is reported below.
  opening.catch(() => undefined);
  // Loaded here, so that no other command reads the SDK or the library.
  const { createAgentServer } = await import('../../mcp/mcp.ts');
  const { root, prepared, environment } = context;
  const agents = createAgentServer({
    server: opening.then(({ joined }) => joined),
    ...{ allowWrites: options.allowWrites ?? false, allowRemote: options.allowRemote ?? false, environment },
    locations: {
      root,
      prepared,
      site: options.site,
      drupalConfig: importSourceOf(options, context.rim),
      overlays: options.overlay,
    },
    guides: createGuides(root),
    version: await readVersion(root),
    input: context.input(),
    write: context.print,
    onError: (error) => context.warn(`atoll mcp: ${error.message}`),
  });
  context.onStop(
    () => agents.close(),
    () => context.exit(1),
  );
  await agents.connect();
  const code = await Promise.race([agents.ended.then(() => exitCodes.ok), failureOf(opening, context)]);
  await agents.end().catch(() => undefined);
  await opening.then(({ stop }) => stop()).catch(() => undefined);
  // A client may leave standard input open after a signal or a failure.
  context.exit(code);
};

/** Resolves with the exit code when the server cannot be started. Else never. */
const failureOf = (opening: Promise<OpenServer>, context: CommandContext): Promise<number> =>
  new Promise((resolve) => {
    opening.catch((error: unknown) => {
      context.warn(`atoll: ${errorLine(error)}`);
      resolve(exitCodeOf(error));
    });
  });

/** Throws `ConfigurationError` for options that have no use with others, and for a server that must be allowed first. */
const refuseUseless = (options: McpOptions): void => {
  const { url, allowRemote } = options;
  if (url === undefined) return;
  const useless = (['port', 'fixture', 'seed', 'overlay'] as const).find((name) => options[name] !== undefined);
  if (useless !== undefined) {
    throw new ConfigurationError(
      `--${useless} is for a server that is started here. Leave it out, or leave out --url.`,
    );
  }
  if (allowRemote !== true && !isLoopbackUrl(url)) {
    throw new ConfigurationError(`${url} is not on this machine. Add --allow-remote if agents may work there.`);
  }
};

type OpenServer = { readonly joined: JoinedServer; readonly stop: () => Promise<void> };

const openServer = async (options: McpOptions, context: CommandContext): Promise<OpenServer> => {
  const { url, controlToken } = options;
  if (url !== undefined) {
    const { controlHeader } = await import('../../client/client-control.ts');
    const connection = { fetch: globalThis.fetch, headers: controlHeader(controlToken) };
    return { joined: { url, connection }, stop: async () => undefined };
  }
  const { startInProcess } = await import('../entries/in-process-atoll.ts');
  const atoll = await startInProcess(
    {
      ...serverOptions(options, context.rim),
      onError: (error) => context.warn(`atoll mcp: ${error instanceof Error ? error.message : String(error)}`),
    },
    context.rim,
  );
  context.warn(`atoll mcp: serving ${atoll.url} in memory`);
  return { joined: { url: atoll.url, connection: { fetch: atoll.fetch, headers: {} } }, stop: () => atoll.close() };
};

/** The options that the server takes, as far as they are there. */
const serverOptions = ({ port, site, fixture, seed, overlay, ...options }: McpOptions, rim: Rim): InProcessOptions =>
  given({ port, site, fixture, seed, overlays: overlay, drupalConfig: importSourceOf(options, rim) });
