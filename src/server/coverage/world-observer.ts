/** Records the traffic and the coverage of each world with an interceptor, the outermost one of the world. */
import type { FollowAddress, FollowedAddress } from '../application.ts';
import {
  hasBody,
  type PlainReply,
  type PlainRequest,
  readToEnd,
  type RequestBody,
  type Interceptor,
  type OperationOf,
  type CreateWorldInterceptors,
  type HostedOperation,
  type HostedWorld,
} from '../../openapi/openapi-host.ts';
import { isOwnRequest, type RecordedExchange } from '../../exchange/exchange.ts';
import type { TrafficLog } from '../traffic/traffic-log.ts';
import {
  createMemoryRecord,
  createMemoryRecords,
  type CreateWorldRecords,
  type WorldRecord,
  type WorldRecords,
} from './world-records.ts';

type RecordedBody = RecordedExchange['requestBody'];

/** The longest text that is kept, in bytes. */
export const keptTextBytes = 16 * 1024;

/** `body` replaces the request's body. `recorded` returns what has passed so far. */
type RequestBodyRecorder = {
  readonly body: RequestBody;
  /** Whether the text of a body of known length is kept. */
  readonly isKept: boolean;
  recorded(): RecordedBody;
};

const noBody: RecordedBody = { bytes: 0, text: undefined };

/** Returns undefined for a request without a body. */
const recordRequestBody = ({ headers, body }: PlainRequest): RequestBodyRecorder | undefined => {
  if (!hasBody(headers)) return undefined;
  const isShort = Number(headers['content-length'] ?? 0) <= keptTextBytes;
  const isText = isShort && textTypes.test(headers['content-type'] ?? '');
  let bytes = 0;
  let pieces: Uint8Array[] = [];
  const record = (piece: Uint8Array): void => {
    bytes += piece.byteLength;
    if (!isText) return;
    if (bytes <= keptTextBytes) pieces.push(piece);
    else pieces = [];
  };
  return {
    body: passThrough(body, record),
    isKept: isText && headers['content-length'] !== undefined,
    recorded: () => ({
      bytes,
      text: isText && bytes > 0 && bytes <= keptTextBytes ? textOf(pieces) : undefined,
    }),
  };
};

const textOf = (pieces: readonly Uint8Array[]): string => {
  const [first = new Uint8Array(), ...others] = pieces;
  const bytes = others.length === 0 ? first : Buffer.concat(pieces);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
};

const textTypes = /^(application\/([\w.-]+\+)?json|text\/plain|application\/x-json)\b/i;

/** Not a generator, for speed: an upload of 1 GiB/s arrives in 16,000 pieces a second. */
const passThrough = (body: RequestBody, record: (piece: Uint8Array) => void): RequestBody => ({
  takeWhole: () => {
    const bytes = body.takeWhole?.();
    if (bytes !== undefined) record(bytes);
    return bytes;
  },
  [Symbol.asyncIterator]: () => {
    const pieces = body[Symbol.asyncIterator]();
    return {
      next: async () => {
        const piece = await pieces.next();
        if (piece.done !== true) record(piece.value);
        return piece;
      },
      return: async () => (await pieces.return?.()) ?? { done: true, value: undefined },
    };
  },
});

/** Records a reply's body before it is sent. */
const recordReplyBody = ({ body }: PlainReply): RecordedBody => {
  if (body === undefined) return noBody;
  if (typeof body !== 'string') return { bytes: body.length ?? 0, text: undefined };
  // The length in characters is enough here. `traffic-entry.ts` takes the exact bytes from Content-Length.
  return { bytes: body.length, text: body.length <= keptTextBytes ? body : undefined };
};

export type WorldObserver = Pick<WorldRecords, 'total' | 'clearTotal' | 'lost' | 'flush'> & {
  /** Gives each new world its interceptor, which must be the outermost. When a world is dropped, its coverage stays in the total. */
  readonly intercept: CreateWorldInterceptors;
  /** The traffic and coverage of a world by name. Empty for a world that does not exist. */
  of(world: string): WorldRecord;
  /** What the worlds remember, and of dropped ones what may have broken the contract: a test drops its world before anybody asks. */
  exchanges(): Promise<readonly RecordedExchange[]>;
  /** Calls back with each request of every world from now on, when its reply has been checked. One at a time. */
  watch(watcher: (exchange: RecordedExchange) => void): void;
  /** Keeps the records of the worlds that are made from now on and have a number there, not in memory. */
  readonly keepIn: (create: CreateWorldRecords) => void;
  /** Ends every stream, so that the server can stop. */
  end(): void;
};

type WorldObserverOptions = {
  /** The number of requests kept for each world. With 0 nothing is recorded, not even coverage. */
  readonly entries?: number | undefined;
  /** The operations of the document served now. */
  readonly operations?: () => readonly HostedOperation[];
  /** What an address stands for that no document has. */
  readonly followAddress?: FollowAddress | undefined;
};

export const createWorldObserver = (options: WorldObserverOptions = {}): WorldObserver => {
  const { entries = 1000, operations = () => [], followAddress } = options;
  const served = new Map<string, WorldRecord>();
  const inMemory = createMemoryRecords(entries);
  let records: WorldRecords = inMemory;
  let ofDropped: readonly RecordedExchange[] = [];
  let watcher: ((exchange: RecordedExchange) => void) | undefined;
  const watch = ({ traffic }: WorldRecord): void => {
    traffic.listen({ onEntry: (exchange) => watcher?.(exchange), onEnd: () => undefined });
  };
  const keep = (traffic: TrafficLog): void => {
    ofDropped = [...ofDropped, ...traffic.entries().filter(mayBreak)].slice(-maxOfDropped);
  };
  return {
    total: () => records.total(),
    clearTotal: () => {
      ofDropped = [];
      return records.clearTotal();
    },
    exchanges: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return [...ofDropped, ...[...served.values()].flatMap(({ traffic }) => traffic.entries())];
    },
    watch: (next) => {
      if (watcher === undefined) served.forEach(watch);
      watcher = next;
    },
    lost: () => records.lost(),
    flush: () => records.flush(),
    keepIn: (create) => void (records = create({ entries, operations })),
    of: (world) => served.get(world) ?? createMemoryRecord(entries),
    intercept: (world, _state, id) => {
      const { record, close } = id === undefined ? inMemory.open() : records.open(id);
      served.set(world, record);
      if (watcher !== undefined) watch(record);
      return {
        interceptors: entries === 0 ? [] : [{ intercept: observe(record, followAddress) }],
        drop: () => {
          if (served.get(world) === record) served.delete(world);
          record.traffic.end();
          // With `--check-replies log` the last replies are checked in the next turn of the event loop.
          setImmediate(() => keep(record.traffic));
          close();
        },
      };
    },
    end: () => served.forEach(({ traffic }) => traffic.end()),
  };
};

/** The most exchanges of dropped worlds that are kept. */
const maxOfDropped = 1000;

const mayBreak = ({ status, observations }: RecordedExchange): boolean =>
  status >= 400 || observations.isOrdered || observations.replyViolations.length > 0;

/** This runs for every request, so work that can wait is done when traffic or coverage is read. */
const observe =
  ({ traffic, coverage }: WorldRecord, followAddress: FollowAddress | undefined): Interceptor['intercept'] =>
  (next, operationOf) =>
  (request, world) => {
    const { method, path, query, headers, observations } = request;
    if (observations === undefined || isOwnRequest(request)) return next(request, world);
    const started = performance.now();
    const recorder = recordRequestBody(request);
    const recorded = recorder === undefined ? request : { ...request, body: recorder.body };
    const note = (reply: PlainReply, aliased: Partial<FollowedAddress> = {}): PlainReply => {
      const exchange: RecordedExchange = {
        id: traffic.nextId(),
        world: world.name,
        baseUrl: world.baseUrl,
        at: world.clock.now(),
        durationMs: performance.now() - started,
        method,
        path,
        query,
        headers,
        requestBody: recorder === undefined ? noBody : recorder.recorded(),
        observations,
        operation: observations.isPage
          ? undefined
          : (observations.operation ?? operationOf(request) ?? aliased.operation),
        status: reply.status,
        replyHeaders: reply.headers,
        replyBody: recordReplyBody(reply),
        isReused: reply.isReused === true,
        transmissionFault: reply.transmissionFault,
        ...(aliased.isRedirect === true ? { isUnchecked: true } : {}),
      };
      traffic.add(exchange);
      if (!observations.bySite) coverage.add(exchange);
      return reply;
    };
    return next(recorded, world).then((reply) => {
      if (!observations.isOrdered) return note(reply);
      return readOrdered(recorded, world, { operationOf, recorder, followAddress }).then((aliased) =>
        note(reply, aliased),
      );
    });
  };

type OrderedOptions = {
  readonly operationOf: OperationOf;
  readonly recorder: RequestBodyRecorder | undefined;
  readonly followAddress: FollowAddress | undefined;
};

/** An ordered answer may be there before anything has looked at the request, which is judged all the same. */
const readOrdered = async (
  request: PlainRequest,
  world: HostedWorld,
  { operationOf, recorder, followAddress }: OrderedOptions,
): Promise<FollowedAddress | undefined> => {
  const own = operationOf(request);
  const aliased =
    own === undefined ? await followAddress?.(request, world, operationOf).catch(() => undefined) : undefined;
  const operation = own ?? aliased?.operation;
  const isUnread = recorder?.isKept === true && recorder.recorded().bytes === 0;
  if (operation?.body === 'json' && isUnread && request.headers['expect'] === undefined) {
    await readToEnd(request.body).catch(() => undefined);
  }
  return aliased;
};
