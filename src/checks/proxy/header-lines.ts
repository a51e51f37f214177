/** Header lines between two connections: those of one connection stay behind, all others pass in their order and their case. */

/** Names and values in turn, as Node reads and writes them. */
export type RawLines = readonly string[];

/** What describes one connection (RFC 9110 §7.6.1). `Transfer-Encoding` is one of them; see `replyLines`. */
const ofConnection: ReadonlySet<string> = new Set([
  ...['connection', 'proxy-connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'],
]);

/** `Connection` may name these too, but without them nobody could tell where a message ends or which side it is for. */
const framing: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding', 'trailer']);

/** The names that the sender says are for this connection only, in lower case. Most messages name none. */
const namedByConnection = (raw: RawLines): readonly string[] => {
  let named: readonly string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (name.length !== 10 || name.toLowerCase() !== 'connection') continue;
    const words = (raw[index + 1] ?? '').toLowerCase().split(',');
    named = [...named, ...words.map((word) => word.trim())].filter((word) => !framing.has(word));
  }
  return named;
};

type PassLine = (lines: string[], key: string, name: string, value: string) => void;

/** Every line that is not for this connection only. `onFraming` decides about `Transfer-Encoding` and `TE`. */
const passLines = (raw: RawLines, passLine: PassLine): string[] => {
  const named = namedByConnection(raw);
  const lines: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const key = name.toLowerCase();
    if (named.length > 0 && named.includes(key) && key !== 'te') continue;
    passLine(lines, key, name, raw[index + 1] ?? '');
  }
  return lines;
};

/** Methods whose request Node gives no framing of its own. */
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

type RequestLineOptions = {
  readonly method: string;
  /** The value of `Host`. */
  readonly host: string;
  readonly hasBody: boolean;
  /** Names in lower case that are for the proxy itself. */
  readonly own: ReadonlySet<string>;
};

/**
 * The lines of a request for the target. `Host` is the target's. `TE: trailers` passes, since the proxy passes trailers on.
 * A method that may have a body, sent without one, gets `Content-Length: 0`: Node would announce chunks.
 */
export const requestLines = (raw: RawLines, { method, host, hasBody, own }: RequestLineOptions): string[] => {
  const seen = { host: false, length: false, trailers: false };
  const lines = passLines(raw, (passed, key, name, value) => {
    if (own.has(key)) return;
    if (key === 'te' && /(^|[\s,])trailers($|[\s,;])/i.test(value)) {
      seen.trailers = true;
      passed.push(name, 'trailers');
    } else if (key === 'transfer-encoding') {
      seen.length = true;
      passed.push(name, value);
    } else if (!ofConnection.has(key)) {
      if (key === 'content-length') seen.length = true;
      if (key === 'host') seen.host = true;
      // Without chunks there can be no trailers, and Node refuses to announce them.
      if (key === 'trailer' && !hasBody) return;
      passed.push(name, key === 'host' ? host : value);
    }
  });
  if (!seen.host) lines.unshift('Host', host);
  if (!seen.length && !withoutBody.has(method)) lines.push('Content-Length', '0');
  if (seen.trailers) lines.push('Connection', 'TE, keep-alive');
  return lines;
};

/**
 * The lines of a reply for the client. `isChunked` says whether its body is sent in chunks: then the line that says so passes in
 * its place, which Node understands.
 */
export const replyLines = (raw: RawLines, isChunked: boolean): string[] =>
  passLines(raw, (passed, key, name, value) => {
    if (key === 'transfer-encoding' ? isChunked : !ofConnection.has(key) && (isChunked || key !== 'trailer')) {
      passed.push(name, value);
    }
  });

/** The first value of a header, by its name in lower case. */
export const valueIn = (raw: RawLines, name: string): string | undefined => {
  for (let index = 0; index < raw.length; index += 2) {
    const own = raw[index] ?? '';
    if (own.length === name.length && own.toLowerCase() === name) return raw[index + 1];
  }
  return undefined;
};
