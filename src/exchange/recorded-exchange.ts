/** A request with its reply, as a world remembers it and as the document judges it. */
import type {
  HostedOperation,
  HeaderValues,
  PlainRequest,
  TransmissionFault,
  RequestObservations,
} from '../openapi/openapi-host.ts';

/** The header by which the pages and tools of Atoll mark their own requests. Its value is the name of who asks. */
export const ownRequestHeader = 'Atoll-Page';

/** The same header as a key of `PlainRequest.headers`. */
const ownRequestHeaderKey = 'atoll-page';

/** Whether a page or a tool of Atoll has sent a request, which traffic and coverage leave out. */
export const isOwnRequest = ({ headers }: Pick<PlainRequest, 'headers'>): boolean =>
  headers[ownRequestHeaderKey] !== undefined;

/** The size of a body. `text` is kept only for JSON and plain text up to `keptTextBytes`. */
export type RecordedBody = { readonly bytes: number; readonly text: string | undefined };

/** A request with its reply. It only refers to objects that exist anyway; `traffic-entry.ts` formats them on demand. */
export type RecordedExchange = Pick<PlainRequest, 'method' | 'path' | 'query' | 'headers'> & {
  /** Counted from 1 in each world. 0 where a database has not yet given one. */
  readonly id: number;
  readonly world: string;
  readonly baseUrl: string;
  /** By the world's clock, in milliseconds since 1970. */
  readonly at: number;
  /** Real milliseconds until the reply was ready. */
  readonly durationMs: number;
  readonly requestBody: RecordedBody;
  readonly observations: RequestObservations;
  /** The operation that the request is for, even if it was refused earlier. */
  readonly operation: HostedOperation | undefined;
  readonly status: number;
  readonly replyHeaders: HeaderValues;
  readonly replyBody: RecordedBody;
  /** True when the reply comes from the reply cache, which returns the same object each time. */
  readonly isReused: boolean;
  readonly transmissionFault: TransmissionFault | undefined;
  /** True when nobody has checked the reply: it is not the server's own, or too long. */
  readonly isUnchecked?: boolean | undefined;
};
