/** Defines what an application tells the engine of those who ask. */
import type { Awaitable } from '../basics/awaitable.ts';
import type { EngineRequest } from './exchange.ts';
import type { HandlerRequest } from './handler.ts';
import type { Operation } from './document/operation.ts';

export type Callers<World> = {
  /** The names of its security schemes in the document. */
  readonly schemes: ReadonlySet<string>;
  /** The realm in challenges. */
  readonly realm: string;
  /** Who asks, and which of the schemes the request has met. */
  readonly identify: (
    request: EngineRequest,
    world: World,
  ) => Awaitable<{ readonly identity: unknown; readonly met: ReadonlySet<string> }>;
  /** What an error of its handlers means: a refusal for want of rights may be a 401. */
  readonly errorOf: (error: unknown, operation: Operation, identity: unknown) => unknown;
  /** What its handlers are given in place of a request of any document. */
  readonly requestOf: (asked: HandlerRequest, request: EngineRequest, world: World) => HandlerRequest;
};
