/** Serves one agent over two streams: its session, the tools, and the end of both. */
import { createMcpServer } from './mcp-server.ts';
import { createSession, type SessionOptions } from './session/session.ts';
import { createStreamTransport } from './stream-transport.ts';

type AgentServerOptions = SessionOptions & {
  readonly input: AsyncIterable<Uint8Array>;
  /** Gets each message, a line without its end. */
  readonly write: (line: string) => void;
  /** Learns of what went wrong with a message. */
  readonly onError: (error: Error) => void;
};

type AgentServer = {
  /** Begins to read the input. */
  connect(): Promise<void>;
  /** Resolves when the input has ended, or after `close`. */
  readonly ended: Promise<void>;
  close(): void;
  /** Drops the worlds that the agent has made. */
  end(): Promise<void>;
};

/** The server of the protocol for one agent, which works with `server` of the options as soon as that is there. */
export const createAgentServer = ({ input, write, onError, ...options }: AgentServerOptions): AgentServer => {
  const session = createSession(options);
  const server = createMcpServer(session);
  server.onerror = onError;
  const transport = createStreamTransport(input, write);
  return {
    connect: () => server.connect(transport),
    ended: transport.ended,
    close: () => void transport.close(),
    end: () => session.end(),
  };
};
