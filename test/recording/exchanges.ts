/** Makes exchanges for tests of recordings. No tests here. */
import { wholeBody } from '../../src/exchange/redaction/decoded-body.ts';
import type { HeaderLine, WireBody, WireExchange } from '../../src/exchange/wire-exchange.ts';

export const target = 'https://repository.test/base';

type MessageParts = { readonly headers?: readonly HeaderLine[]; readonly body?: string | Uint8Array };

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
