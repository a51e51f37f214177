/** A session of an agent, over a server that the test names. */
import { createSession } from '../../../src/mcp/session/session.ts';

export type OpenedSession = ReturnType<typeof createSession>;
export type OpeningSession = Parameters<typeof createSession>[0];

export const openSession = (options: OpeningSession): OpenedSession => createSession(options);
