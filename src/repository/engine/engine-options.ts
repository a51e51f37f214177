/** Defines what the engine is built from, and the type of a request whose operation is matched. */
import type { Awaitable } from '../../basics/awaitable.ts';
import type { Records } from '../model/reading.ts';
import type { Operation } from '../document/operation.ts';
import type { World } from '../world.ts';
import type { PathMatch } from '../../openapi/openapi-parts.ts';
import type { PlainRequest } from '../../openapi/openapi-host.ts';
import type { Exchange, OutgoingReply } from './exchange.ts';
import type { Backend } from './document-backend.ts';
import type { FinishOptions } from './finish.ts';
import type { AnyHandler, mocked } from './handler.ts';
import type { ReplyCache } from './reply-cache.ts';

/** Changes a reply on its way out: adds links, opens the bytes of a file. It reads as a handler does. */
export type ResponseMiddleware = (
  reply: OutgoingReply,
  exchange: Exchange,
  world: World,
  records: Records,
) => Awaitable<OutgoingReply>;

/** Answers a browser with a page. Undefined where the path has none. The path is that of a record, not its alias. */
export type AnswerPage = (request: PlainRequest, world: World) => Promise<OutgoingReply | undefined>;

export type EngineOptions = FinishOptions & {
  /** False where no record redirects a path or gives it an alias: the control interface answers without the records. */
  readonly followsRecords?: boolean | undefined;
  /** The longest time for a JSON body to arrive whole, in milliseconds; 30 s by default. */
  readonly jsonMs?: number | undefined;
  /** The ids of the operations that refuse a JSON body that violates its schema with 422, whatever the site's leniency. */
  readonly strict?: ReadonlySet<string> | undefined;
  readonly handlers: Readonly<Record<string, AnyHandler | typeof mocked>>;
  /** Whether a POST may name another method in `X-HTTP-Method-Override`. Default: false. */
  readonly methodOverride?: boolean | undefined;
  readonly middleware: readonly ResponseMiddleware[];
  /** The reply cache of each world. Without it no reply is cached. */
  readonly replyCache?: ((world: World) => ReplyCache) | undefined;
  /** Whether answers say in `Atoll-Advice` which values are not stored as they were sent. */
  readonly adviceHeader?: boolean | undefined;
  /** The pages for browsers at the addresses of records. Without it everybody gets the answers of the document. */
  readonly pages?: AnswerPage | undefined;
};

type Query = Pick<URLSearchParams, 'get'>;

export type MatchedRequest = {
  readonly request: PlainRequest;
  readonly query: Query;
  /** The value of `_format`, as sent. */
  readonly formatName: string | undefined;
  /** Absolute, without the query. */
  readonly url: string;
  readonly match: PathMatch<Operation>;
  readonly operation: Operation;
  /** Its parameters, which are read when they are first asked for. */
  readonly read: () => ReturnType<Backend['readParameters']>;
};
