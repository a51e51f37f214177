/** The door of the tools for coding agents. */

/**
 * Makes a server of the Model Context Protocol for one agent, over an input and a function that writes lines. Its tools work with a
 * running Atoll, in worlds of their own or where the options allow it in the main world.
 */
export { createAgentServer } from './agent-server.ts';
/** The Atoll that the agent works with: its address, and how requests reach it. */
export type { JoinedServer } from './session/session.ts';
