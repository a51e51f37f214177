/** Makes exchanges for tests of recordings. No tests here. */
import { wholeBody } from '../../src/exchange/exchange-target.ts';
import { readRecording, type Recording, openRecorder } from '../../src/exchange/exchange-files.ts';
import type { HeaderLine, WireBody, WireExchange } from '../../src/exchange/exchange.ts';
import { withDirectory } from '../support/program.ts';

export const target = 'https://repository.test/base';

type Content = string | Uint8Array;
type MessageParts = { readonly headers?: readonly HeaderLine[]; readonly body?: Content };

export type Parts = {
  readonly method?: string;
  readonly path?: string;
  readonly account?: string;
  readonly request?: MessageParts;
  readonly reply?: MessageParts & {
    readonly status?: number;
    readonly reason?: string;
    readonly trailers?: readonly HeaderLine[];
  };
};

export const bodyOf = (content: string | Uint8Array = ''): WireBody =>
  wholeBody(typeof content === 'string' ? Buffer.from(content) : content);

/** An exchange of these parts; what is left out is usual. */
export const exchange = ({
  method = 'GET',
  path = '/node/1',
  account,
  request = {},
  reply = {},
}: Parts = {}): WireExchange => ({
  at: Date.UTC(2026, 0, 2, 3, 4, 5),
  durationMs: 12.5,
  account,
  request: { method, path, headers: request.headers ?? [], body: bodyOf(request.body) },
  reply: {
    status: reply.status ?? 200,
    reason: reply.reason ?? 'OK',
    headers: reply.headers ?? [],
    trailers: reply.trailers ?? [],
    body: bodyOf(reply.body),
  },
});

type Lines = Readonly<Record<string, string>> | readonly HeaderLine[];

const message = (headers: Lines, body: Content = ''): MessageParts => ({
  headers: Symbol.iterator in headers ? headers : Object.entries(headers),
  body,
});

export const json = { 'Content-Type': 'application/json' };
/** A request with these headers. */
export const asks = (headers: Lines, body?: Content): Parts => ({ request: message(headers, body) });
/** A reply with these headers. */
export const answers = (headers: Lines, body?: Content): Parts => ({ reply: message(headers, body) });
export const asksJson = (value: unknown): Parts => asks(json, JSON.stringify(value));
export const answersJson = (value: unknown): Parts => answers(json, JSON.stringify(value));

type RecorderOptions = Partial<Parameters<typeof openRecorder>[1]>;

/** Records exchanges into a directory. */
export const record = async (
  directory: string,
  parts: readonly (Parts | WireExchange)[],
  options: RecorderOptions = {},
): Promise<void> => {
  const recorder = await openRecorder(directory, { target, ...options });
  await Promise.all(parts.map((one) => recorder.add('at' in one ? one : exchange(one))));
  await recorder.close();
};

/** Exchanges that were recorded and read again. */
export const recorded = (parts: readonly (Parts | WireExchange)[], options?: RecorderOptions): Promise<Recording> =>
  withDirectory(async (directory) => {
    await record(directory, parts, options);
    return readRecording(directory);
  });

export const textOf = (body: WireBody | undefined): string => Buffer.from(body?.kept ?? []).toString();
