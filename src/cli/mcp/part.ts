/** The part `mcp` as the command line has it: its command. */
import type { CommandsByName } from '../command-context.ts';

export const loadCommands = async (): Promise<CommandsByName> => ({ mcp: (await import('./mcp.ts')).addMcp });
